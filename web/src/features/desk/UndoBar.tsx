import { Undo2 } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { undoMs } from "@fava/wire/limits.ts";
import { formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Kbd } from "#ui/Kbd.tsx";
import { classNames } from "#ui/class-names.ts";
import styles from "./UndoBar.module.css";

/** Names whom the decision was about, and takes it back while that can be done. Mount it anew for each decision. */
export function UndoBar(props: {
  text: string;
  hint?: string;
  /** Its time is over; it waits for the network. */
  isHeld: boolean;
  className: string;
  onUndo: () => void;
}): ReactNode {
  const t = useT();
  const seconds = useSecondsLeft(undoMs);
  return (
    <div className={classNames(styles.bar, props.className)} role="status">
      <Ring share={props.isHeld ? 1 : seconds / (undoMs / 1_000)} label={props.isHeld ? "…" : formatNumber(seconds)} />
      <span>
        <b>{props.text}</b> {props.isHeld ? t("desk.undo.held") : props.hint}
      </span>
      <button type="button" aria-keyshortcuts="U" onClick={props.onUndo}>
        <Undo2 size={17} className="flip" aria-hidden="true" />
        {t("desk.undo")}
        <Kbd>U</Kbd>
      </button>
    </div>
  );
}

function Ring({ share, label }: { share: number; label: string }): ReactNode {
  return (
    <span className={styles.ring} aria-hidden="true">
      <svg viewBox="0 0 44 44">
        <circle cx="22" cy="22" r="19" />
        <circle
          cx="22"
          cy="22"
          r="19"
          pathLength={100}
          strokeDasharray={`${share * 100} 100`}
          transform="rotate(-90 22 22)"
        />
      </svg>
      {label}
    </span>
  );
}

/** Whole seconds of a span that are left since the component came; never below 1, its owner takes it away at the end. */
function useSecondsLeft(spanMs: number): number {
  const [left, setLeft] = useState(Math.ceil(spanMs / 1_000));
  useEffect(() => {
    const timer = setInterval(() => setLeft((before) => Math.max(1, before - 1)), 1_000);
    return () => clearInterval(timer);
  }, []);
  return left;
}
