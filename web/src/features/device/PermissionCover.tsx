import { ArrowUp, Eraser, EyeOff, ToggleRight } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { openMediaWithTabLock } from "#features/call/machine/tab-lock.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { ModalCover } from "#ui/ModalCover.tsx";
import { Points } from "#ui/Points.tsx";
import styles from "./PermissionCover.module.css";

/** While the browser asks for camera and microphone: what to choose, and why it is safe. */
export function PermissionCover(): ReactNode {
  const t = useT();
  useEffect(() => {
    void openMediaWithTabLock().finally(() => closeOverlay("permission", "done"));
  }, []);
  return (
    <ModalCover className={styles.asking} labelledBy="permission-asking">
      <ArrowUp className={styles.arrow} size={44} strokeWidth={2.5} aria-hidden="true" />
      <p role="status">
        <b id="permission-asking">{t("perm.ask")}</b>
        {t("perm.askText")}
      </p>
      <div className={styles.points} data-theme="dark">
        <Points
          items={[
            { icon: <EyeOff size={22} />, head: t("perm.unseen"), text: t("perm.unseenText") },
            { icon: <ToggleRight size={22} />, head: t("perm.switch"), text: t("perm.switchText") },
            { icon: <Eraser size={22} />, head: t("perm.recorded"), text: t("perm.recordedText") },
          ]}
        />
      </div>
    </ModalCover>
  );
}
