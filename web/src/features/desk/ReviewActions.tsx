import { Check, X } from "lucide-react";
import type { ReactNode } from "react";
import { isolate } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { formatScore } from "./desk-format.ts";
import type { ReviewEvent } from "./review-machine.ts";
import { currentRow, isCovered, pictureClosed, type PendingPictures, type ReviewState } from "./review-state.ts";
import { UndoBar } from "./UndoBar.tsx";
import { useAwayText } from "./use-away-text.ts";
import styles from "./ReviewActions.module.css";

/** Show, reject, approve; Approve publishes, and so it alone is green. */
export function ReviewActions(props: {
  state: ReviewState;
  dispatch: (event: ReviewEvent) => void;
  onReject: () => void;
  onKeys: () => void;
}): ReactNode {
  const t = useT();
  const away = useAwayText();
  const { state, dispatch } = props;
  const row = currentRow(state);
  const closed = row ? pictureClosed(state, row) : "marked";
  const off = closed !== null && closed !== "unseen";
  const facts = row
    ? [t(`desk.why.${row.why}`) + (row.explicit === null ? "" : `, ${formatScore(row.explicit)}`), isolate(row.user_no)]
    : [];
  return (
    <footer className={styles.bar}>
      <p className={styles.now}>
        {row && <b dir="auto">{row.nickname}</b>}
        {closed === "offline" ? away : facts.join(" · ")}
      </p>
      {state.pending && (
        <UndoBar
          key={state.pending.rows[0]?.id}
          className={styles.undo ?? ""}
          text={decidedText(t, state.pending)}
          isHeld={state.pending.isHeld}
          onUndo={() => dispatch({ type: "undo" })}
        />
      )}
      <div className={styles.actions} role="group" aria-label={t("desk.decide")}>
        <Button size="small" kind="plain" className={styles.keys} aria-keyshortcuts="?" onClick={props.onKeys}>
          {t("desk.keys")}
          <Kbd>?</Kbd>
        </Button>
        <Button
          size="small"
          disabled={!row || closed === "marked"}
          aria-keyshortcuts="Space"
          onClick={() => dispatch({ type: "toggle-cover" })}
        >
          {t(row && !isCovered(state, row) ? "desk.hide" : "desk.show")}
          <Kbd>{t("desk.key.space")}</Kbd>
        </Button>
        <Button
          size="small"
          disabled={off}
          aria-keyshortcuts="R"
          icon={<X size={18} aria-hidden="true" />}
          onClick={props.onReject}
        >
          {t("desk.review.reject")}
          <Kbd>R</Kbd>
        </Button>
        <Button
          size="small"
          kind="go"
          disabled={off}
          aria-keyshortcuts="A"
          icon={<Check size={20} aria-hidden="true" />}
          onClick={() => dispatch({ type: "decide", verdict: { operation: 1 } })}
        >
          {t("desk.review.approve")}
          <Kbd>A</Kbd>
        </Button>
      </div>
    </footer>
  );
}

function decidedText(t: Translate, { rows, verdict }: PendingPictures): string {
  const [first] = rows;
  if (!first) return "";
  if (rows.length > 1) return t("desk.review.didMany", { count: rows.length });
  const name = isolate(first.nickname);
  return t(verdict.operation === 1 ? "desk.review.didApprove" : "desk.review.didReject", { name });
}
