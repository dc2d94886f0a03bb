import { Unplug } from "lucide-react";
import type { ReactNode } from "react";
import type { RemoteUser } from "@fava/wire/people.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import styles from "./Panels.module.css";

/** Nothing arrives any more: the picture is frozen and grey, the chat stays usable, End and Next stay (rule CALL-9). */
export function ReconnectingPanel({ remote }: { remote: RemoteUser }): ReactNode {
  const t = useT();
  return (
    <div className={styles.centre}>
      <span className={styles.lost} aria-hidden="true">
        <Unplug size={30} />
      </span>
      <h1>{t("reconnect.title")}</h1>
      <p className={styles.sub}>{t("reconnect.text", { name: isolate(remote.nickname) })}</p>
      <span className={styles.line} aria-hidden="true">
        <i />
      </span>
    </div>
  );
}
