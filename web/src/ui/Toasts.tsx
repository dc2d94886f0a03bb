import { Bell, CircleCheck, CircleX, Info, TriangleAlert, X } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { useAnnounced } from "#lib/announce.ts";
import { useT } from "#lib/i18n.ts";
import { dismissPassingToasts, dismissToast, useToasts, type ShownToast } from "#ui/toast-store.ts";
import styles from "#ui/Toasts.module.css";

const icons = { default: Bell, success: CircleCheck, error: CircleX, warning: TriangleAlert, info: Info } as const;

/** The toasts of `showToast`: top centre under the header, kept open while pointed at or focused. */
export function Toasts(): ReactNode {
  const t = useT();
  const toasts = useToasts();
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === "Escape") dismissPassingToasts();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
  return (
    <section className={styles.toasts} aria-label={t("toast.region")} aria-live="off" data-toasts="">
      {toasts.map((toast) => (
        <Toast key={toast.id} toast={toast} closeLabel={t("common.close")} />
      ))}
    </section>
  );
}

function Toast({ toast, closeLabel }: { toast: ShownToast; closeLabel: string }): ReactNode {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held || toast.durationMs === null) return;
    const timer = setTimeout(() => dismissToast(toast.id), toast.durationMs);
    return () => clearTimeout(timer);
  }, [held, toast]);
  const { action } = toast;
  useAnnounced(toast.text, toast.type === "error" ? "assertive" : "polite");
  const Icon = icons[toast.type];
  return (
    <div
      className={styles.toast}
      data-type={toast.type}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={22} aria-hidden="true" />
      <p dir="auto">{toast.text}</p>
      {action && (
        <button
          type="button"
          className={styles.action}
          onClick={() => {
            dismissToast(toast.id);
            action.run();
          }}
        >
          {action.text}
        </button>
      )}
      <button type="button" aria-label={closeLabel} onClick={() => dismissToast(toast.id)}>
        <X size={18} aria-hidden="true" />
      </button>
    </div>
  );
}
