import { Hourglass, Unplug } from "lucide-react";
import type { ReactNode } from "react";
import type { RemoteUser } from "@fava/wire/people.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import styles from "./Panels.module.css";

/**
 * Nothing arrives any more: the picture is frozen and grey, the chat stays usable, End and Next stay (rule CALL-9). Where
 * the other's page or socket is gone, that they may come back (rule CALL-87).
 */
export function ReconnectingPanel({ remote, peer }: { remote: RemoteUser; peer: "here" | "lost" }): ReactNode {
  const t = useT();
  const name = isolate(remote.nickname);
  const isLost = peer === "lost";
  return (
    <div className={styles.centre}>
      <span className={styles.lost} aria-hidden="true">
        {isLost ? <Hourglass size={30} /> : <Unplug size={30} />}
      </span>
      <h1>{isLost ? t("openCall.may", { name }) : t("reconnect.title")}</h1>
      <p className={styles.sub}>{isLost ? t("openCall.wait") : t("reconnect.text", { name })}</p>
      {isLost && remote.price > 0 && <p className={styles.sub}>{t("openCall.free")}</p>}
      <span className={styles.line} aria-hidden="true">
        <i />
      </span>
    </div>
  );
}
