import type { ReactNode } from "react";
import type { RemoteUser } from "@fava/wire/people.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Ring } from "./Ring.tsx";
import styles from "./Panels.module.css";

export function ConnectingPanel({ remote }: { remote: RemoteUser }): ReactNode {
  const t = useT();
  return (
    <div className={styles.centre}>
      <Ring>
        <Avatar src={remote.avatar} name={remote.nickname} sizePx={96} />
      </Ring>
      <h1>{t("search.found")}</h1>
      <p className={styles.sub}>
        {t("search.connecting", { name: isolate(remote.nickname), country: remote.country_name })}
      </p>
    </div>
  );
}
