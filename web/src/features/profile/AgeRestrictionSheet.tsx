import { CalendarX } from "lucide-react";
import type { ReactNode } from "react";
import { formatDay } from "#lib/format-date.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { useUser } from "#lib/session.ts";
import { Button } from "#ui/Button.tsx";
import { IconTile } from "#ui/IconTile.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import styles from "./ProfileSheets.module.css";

/**
 * The age restriction notice: the day on which the user may return; neutral, and without a second attempt (rule AGE-6).
 */
export function AgeRestrictionSheet(): ReactNode {
  const t = useT();
  const day = useUser()?.age_try_again ?? null;
  const close = () => closeOverlay("age-restriction", "done");
  return (
    <Sheet
      widthPx={460}
      centre
      alert
      closable={false}
      art={
        <IconTile>
          <CalendarX size={30} />
        </IconTile>
      }
      title={t("age.title")}
      foot={
        <Button kind="go" block onClick={close}>
          {t("common.ok")}
        </Button>
      }
    >
      {day !== null && (
        <p className={styles.date} data-centre="">
          <span>{t("age.text")}</span>
          <b>{formatDay(day)}</b>
        </p>
      )}
      <p className={styles.small}>{t("age.kept")}</p>
      <p className={styles.wrong}>
        {t("age.mistake")}
        <button
          type="button"
          className={styles.link}
          onClick={() => {
            close();
            void openOverlay("contact");
          }}
        >
          {t("login.contact")}
        </button>
      </p>
    </Sheet>
  );
}
