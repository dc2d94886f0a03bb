import type { ReactNode } from "react";
import type { RemoteUser } from "@fava/wire/people.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Ring } from "./Ring.tsx";
import styles from "./Panels.module.css";

/** `returns`: to a call that was there before, instead of one that begins. */
export function ConnectingPanel({ remote, returns }: { remote: RemoteUser; returns: boolean }): ReactNode {
  const t = useT();
  const name = isolate(remote.nickname);
  return (
    <div className={styles.centre}>
      <Ring>
        <Avatar src={remote.avatar} name={remote.nickname} sizePx={96} />
      </Ring>
      <h1>{returns ? t("openCall.going", { name }) : t("search.found")}</h1>
      {!returns && <p className={styles.sub}>{t("search.connecting", { name, country: remote.country_name })}</p>}
    </div>
  );
}
