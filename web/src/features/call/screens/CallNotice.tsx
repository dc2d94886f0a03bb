import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./Shield.module.css";

interface CallNoticeProps {
  icon: LucideIcon;
  title: string;
  text: readonly string[];
  link?: ReactNode;
}

/** A notice about the local video. On a phone `[data-notices]` reduces it to one line, which a press unfolds. */
export function CallNotice({ icon: Icon, title, text, link = null }: CallNoticeProps): ReactNode {
  return (
    <div className={styles.notice}>
      <Icon size={22} aria-hidden="true" />
      <p>
        <b>{title}</b>
        {text.map((sentence) => (
          <small key={sentence}>{sentence}</small>
        ))}
      </p>
      {link}
    </div>
  );
}
