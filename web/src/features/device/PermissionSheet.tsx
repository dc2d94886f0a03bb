import { ArrowUp, Eraser, EyeOff, ToggleRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { openHeldMedia } from "#lib/tab-hold.ts";
import { Button } from "#ui/Button.tsx";
import { ModalCover } from "#ui/ModalCover.tsx";
import { Points } from "#ui/Points.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import styles from "./PermissionSheet.module.css";

/** Before the browser asks: why, and that nobody sees anything yet; while it asks, the page steps back (rule HOME-9). */
export function PermissionSheet(): ReactNode {
  const t = useT();
  const [asking, setAsking] = useState(false);
  async function ask(): Promise<void> {
    setAsking(true);
    await openHeldMedia();
    closeOverlay("permission", "done");
  }
  if (asking) return <Asking />;
  return (
    <Sheet
      widthPx={500}
      title={t("perm.title")}
      lead={t("perm.lead")}
      onClose={() => closeOverlay("permission")}
      foot={
        <Button kind="go" block onClick={() => void ask()}>
          {t("perm.go")}
        </Button>
      }
    >
      <Points
        items={[
          { icon: <EyeOff size={22} />, head: t("perm.unseen"), text: t("perm.unseenText") },
          { icon: <ToggleRight size={22} />, head: t("perm.switch"), text: t("perm.switchText") },
          { icon: <Eraser size={22} />, head: t("perm.recorded"), text: t("perm.recordedText") },
        ]}
      />
    </Sheet>
  );
}

function Asking(): ReactNode {
  const t = useT();
  return (
    <ModalCover className={styles.asking} labelledBy="permission-asking">
      <ArrowUp className={styles.arrow} size={44} strokeWidth={2.5} aria-hidden="true" />
      <p role="status">
        <b id="permission-asking">{t("perm.ask")}</b>
        {t("perm.askText")}
      </p>
    </ModalCover>
  );
}
