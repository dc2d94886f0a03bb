import { Coffee } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { hasOpenLayer } from "#lib/layers.ts";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { toggleGrey } from "./desk-switches.ts";
import { columnsOf, moveOf } from "./grid-moves.ts";
import { KeysSheet } from "./KeysSheet.tsx";
import { RejectSheet } from "./RejectSheet.tsx";
import type { PictureKind, Review } from "./review.ts";
import { currentRow, pictureClosed, type PictureReason, shownRows } from "./review-state.ts";
import { ReviewActions } from "./ReviewActions.tsx";
import { ReviewBar } from "./ReviewBar.tsx";
import { ReviewGrid, ReviewSkeleton } from "./ReviewGrid.tsx";
import { ReviewOne } from "./ReviewOne.tsx";
import { useDeskKeys } from "./use-desk-keys.ts";
import { useMachine } from "./use-machine.ts";
import styles from "./ReviewPictures.module.css";

/** Pictures as a grid or one by one; only what was seen can be decided. */
export function ReviewPictures({ review, kind }: { review: Review; kind: PictureKind }): ReactNode {
  const t = useT();
  const state = useMachine(review);
  const { dispatch } = review;
  const [dialog, setDialog] = useState<"reject" | "keys" | null>(null);
  const grid = useRef<HTMLUListElement>(null);
  const row = currentRow(state);
  const rows = shownRows(state);

  const reject = () => {
    const closed = row ? pictureClosed(state, row) : "marked";
    if (closed === null) setDialog("reject");
    // The machine says why.
    else if (closed === "unseen") dispatch({ type: "decide", verdict: { operation: 2, reasonId: 1 } });
  };
  const rejectFor = (reasonId: PictureReason) => {
    dispatch({ type: "decide", verdict: { operation: 2, reasonId } });
    setDialog(null);
  };
  const acts: Readonly<Record<string, () => void>> = {
    a: () => dispatch({ type: "decide", verdict: { operation: 1 } }),
    r: reject,
    v: () => dispatch({ type: "toggle-mode" }),
    Space: () => dispatch({ type: "toggle-cover" }),
    g: toggleGrey,
    u: () => dispatch({ type: "undo" }),
    "?": () => setDialog("keys"),
  };
  useDeskKeys((key) => {
    if (hasOpenLayer()) return false;
    const columns = state.mode === "grid" ? columnsOf(grid.current) : 1;
    const by = moveOf(key, { columns, rightToLeft: document.documentElement.dir === "rtl" });
    if (by !== null) dispatch({ type: "move", by });
    else if (acts[key]) acts[key]();
    else return false;
    return true;
  });

  return (
    <div className={styles.wrap} aria-busy={state.phase === "loading"}>
      <div className={styles.scroll}>
        <ReviewBar kind={kind} state={state} dispatch={dispatch} />
        {rows.length === 0 ? (
          <ReviewNothing phase={state.phase} onRefresh={() => dispatch({ type: "refresh" })} />
        ) : state.mode === "grid" ? (
          <ReviewGrid state={state} dispatch={dispatch} list={grid} />
        ) : (
          row && <ReviewOne state={state} row={row} dispatch={dispatch} onReject={rejectFor} />
        )}
      </div>
      <ReviewActions state={state} dispatch={dispatch} onReject={reject} onKeys={() => setDialog("keys")} />
      {dialog === "keys" && <KeysSheet of="pictures" onClose={() => setDialog(null)} />}
      {row && dialog === "reject" && (
        <RejectSheet name={row.nickname} onReject={rejectFor} onClose={() => setDialog(null)} />
      )}
      <p className="visually-hidden" role="status">
        {row && t("desk.review.now", { name: row.nickname, why: t(`desk.why.${row.why}`) })}
      </p>
    </div>
  );
}

function ReviewNothing({
  phase,
  onRefresh,
}: {
  phase: "loading" | "ready" | "failed";
  onRefresh: () => void;
}): ReactNode {
  const t = useT();
  if (phase === "loading") return <ReviewSkeleton />;
  return (
    <div className={styles.state}>
      {phase === "ready" && <Coffee size={28} aria-hidden="true" />}
      <p>{t(phase === "failed" ? "desk.failed" : "desk.empty")}</p>
      <Button size="small" onClick={onRefresh}>
        {t(phase === "failed" ? "desk.again" : "desk.refresh")}
      </Button>
    </div>
  );
}
