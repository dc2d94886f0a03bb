import { ChevronDown, type LucideIcon } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { lowWindowQuery, useIsMobile, useMediaQuery } from "#lib/use-media-query.ts";
import type { InRoom } from "./call-state.ts";
import styles from "./Shield.module.css";

interface CallNoticeProps {
  room: InRoom;
  icon: LucideIcon;
  title: string;
  text: readonly string[];
  link?: ReactNode;
  /** What can be done about it; never folded away. */
  children?: ReactNode;
}

/** A notice about the own picture. On a phone it is one line over the call; a press unfolds its text. */
export function CallNotice({ room, icon: Icon, title, text, link = null, children }: CallNoticeProps): ReactNode {
  const isNarrow = useIsMobile();
  const isLow = useMediaQuery(lowWindowQuery);
  const folds = isNarrow || isLow;
  const [isOpen, setOpen] = useState(false);
  const textId = useId();
  return (
    <div className={styles.notice} data-below-head data-raised={room.low === "told" || undefined}>
      <Icon size={22} aria-hidden="true" />
      {folds && (
        <button
          type="button"
          className={styles.fold}
          aria-expanded={isOpen}
          aria-controls={isOpen ? textId : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <b>{title}</b>
          <ChevronDown size={20} aria-hidden="true" />
        </button>
      )}
      {(!folds || isOpen) && (
        <p id={textId}>
          {!folds && <b>{title}</b>}
          {text.map((sentence) => (
            <small key={sentence}>{sentence}</small>
          ))}
        </p>
      )}
      {(!folds || isOpen) && link}
      {children}
    </div>
  );
}
