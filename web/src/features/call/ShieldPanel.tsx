import { Eye, EyeOff, Flag, ScanFace } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { openReport } from "#lib/person-links.ts";
import type { InRoom } from "./call-state.ts";
import { showPictureOf, type PictureShown } from "./picture-shown.ts";
import styles from "./Shield.module.css";

/** Over a picture that is blurred: that it is looked at, that it is hidden, or that this person wants it so. */
export function ShieldPanel({ room, shown }: { room: InRoom; shown: PictureShown }): ReactNode {
  const t = useT();
  const { match } = room;
  switch (shown) {
    case "shown":
      return null;
    case "checking":
      return (
        <div className={styles.centre}>
          <span className={styles.ring} aria-hidden="true">
            <ScanFace size={28} />
          </span>
          <h1>{t("shield.checking")}</h1>
          <p>{t("shield.checkingText")}</p>
        </div>
      );
    case "hidden":
      return (
        <div className={styles.centre}>
          <span className={styles.icon} aria-hidden="true">
            <EyeOff size={28} />
          </span>
          <h1>{t("shield.hidden")}</h1>
          <p>{t("shield.hiddenText")}</p>
          <button
            type="button"
            onClick={() =>
              openReport({ userId: match.remote.user_id, nickname: match.remote.nickname, callId: match.id })
            }
          >
            <Flag size={20} aria-hidden="true" />
            {t("shield.report")}
          </button>
        </div>
      );
    case "kept":
      return (
        <div className={styles.centre}>
          <span className={styles.icon} aria-hidden="true">
            <EyeOff size={28} />
          </span>
          <h1>{t("shield.kept")}</h1>
          <p>{t("shield.keptText")}</p>
          <button type="button" onClick={() => showPictureOf(match.roomId)}>
            <Eye size={20} aria-hidden="true" />
            {t("shield.show")}
          </button>
        </div>
      );
  }
}
