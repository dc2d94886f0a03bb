import { CameraOff } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { Button } from "#ui/Button.tsx";
import { IconTile } from "#ui/IconTile.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import styles from "./UncheckedSheet.module.css";

/** A call that ended because the own picture could not be checked: why that may be, and what helps (rule SAFE-231). */
export function UncheckedSheet(): ReactNode {
  const t = useT();
  return (
    <Sheet
      widthPx={480}
      art={
        <IconTile round>
          <CameraOff size={28} />
        </IconTile>
      }
      title={t("shield.unchecked")}
      lead={t("shield.uncheckedText")}
      onClose={() => closeOverlay("unchecked")}
      foot={
        <>
          <Button kind="quiet" onClick={() => closeOverlay("unchecked")}>
            {t("common.close")}
          </Button>
          <Button kind="go" onClick={() => closeOverlay("unchecked", "done")}>
            {t("shield.again")}
          </Button>
        </>
      }
    >
      <ul className={styles.list}>
        <li>{t("shield.uncheckedCamera")}</li>
        <li>{t("shield.uncheckedLight")}</li>
        <li>{t("shield.uncheckedNetwork")}</li>
      </ul>
    </Sheet>
  );
}
