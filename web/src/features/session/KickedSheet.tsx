import { MonitorSmartphone } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { acknowledgeEnd } from "#lib/session.ts";
import { Button } from "#ui/Button.tsx";
import { IconTile } from "#ui/IconTile.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import styles from "./SessionEndSheets.module.css";

/** "Your account has been logged in elsewhere": one OK, and no personal data on the page. */
export function KickedSheet(): ReactNode {
  const t = useT();
  return (
    <Sheet
      widthPx={440}
      centre
      alert
      closable={false}
      art={
        <IconTile>
          <MonitorSmartphone size={30} />
        </IconTile>
      }
      title={t("kick.title")}
      foot={
        <Button kind="go" onClick={endNotice}>
          {t("common.ok")}
        </Button>
      }
    >
      <p className={styles.text}>{t("kick.text")}</p>
      <p className={styles.small}>{t("kick.notYou")}</p>
    </Sheet>
  );
}

function endNotice(): void {
  closeOverlay("kicked", "done");
  acknowledgeEnd();
}
