import { ArrowUp, Camera, Eraser, EyeOff, Mic, Pointer, ToggleRight } from "lucide-react";
import { type ReactNode, useContext, useEffect } from "react";
import { openMediaWithTabLock } from "#features/call/machine/tab-lock.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { ModalCover } from "#ui/ModalCover.tsx";
import { Points } from "#ui/Points.tsx";
import { SheetLife } from "#ui/sheet-life.ts";
import styles from "./PermissionCover.module.css";

/** While the browser asks for camera and microphone: what to choose, and why it is safe. */
export function PermissionCover(): ReactNode {
  const t = useT();
  const isOpen = useContext(SheetLife);
  useEffect(() => {
    void openMediaWithTabLock().finally(() => closeOverlay("permission", "done"));
  }, []);
  // Without a closing animation, it would only cover what follows.
  if (!isOpen) return null;
  return (
    <ModalCover className={styles.asking} labelledBy="permission-asking">
      <div className={styles.ask}>
        <ArrowUp className={styles.arrow} size={44} strokeWidth={2.5} aria-hidden="true" />
        <p id="permission-asking" className={styles.title} role="status">
          {t("perm.ask")}
        </p>
        <BrowserQuestion />
      </div>
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

/** What the browser shows, drawn with a hand on the button to press. */
function BrowserQuestion(): ReactNode {
  const t = useT();
  return (
    <div className={styles.question} data-theme="dark" aria-hidden="true">
      <span className={styles.device}>
        <Camera size={20} />
      </span>
      <span className={styles.device}>
        <Mic size={20} />
      </span>
      <span className={styles.answers}>
        <span className={styles.allow}>
          {t("perm.allow")}
          <Pointer size={28} />
        </span>
      </span>
    </div>
  );
}
