import { ShieldCheck, Video } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import styles from "./EmptyMessages.module.css";

/** Nobody has written yet, and nobody was written to. */
export function EmptyMessages({ onStart }: { onStart: () => void }): ReactNode {
  const t = useT();
  return (
    <div className={styles.empty}>
      <div className={styles.art} aria-hidden="true">
        <span />
        <span />
        <span />
      </div>
      <h2>{t("msg.empty.title")}</h2>
      <p>{t("msg.empty.text")}</p>
      <Button kind="go" icon={<Video size={20} fill="currentColor" aria-hidden="true" />} onClick={onStart}>
        {t("home.start")}
      </Button>
      <small>
        <ShieldCheck size={16} aria-hidden="true" />
        {t("msg.empty.safe")}
      </small>
    </div>
  );
}
