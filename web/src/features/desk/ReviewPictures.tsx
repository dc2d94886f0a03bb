import {
  Check,
  Coffee,
  Copy,
  EyeOff,
  Grid2x2,
  Image as ImageIcon,
  ImagePlus,
  type LucideIcon,
  QrCode,
  ScanEye,
  Shuffle,
  TriangleAlert,
  X,
} from "lucide-react";
import { type ReactNode, type Ref, useEffect, useRef, useState } from "react";
import { pictureReasonIds } from "@fava/wire/moderation.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { hasOpenLayer } from "#lib/layers.ts";
import { useNow } from "#lib/use-now.ts";
import { Button } from "#ui/Button.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { KeysSheet } from "./KeysSheet.tsx";
import { ReviewOne } from "./ReviewOne.tsx";
import { UndoBar } from "./UndoBar.tsx";
import { formatAge, formatScore, useAwayText } from "./desk-format.ts";
import { toggleGrey, useDeskSwitches } from "./desk-info.ts";
import {
  belongsTo,
  currentRow,
  isCovered,
  type PendingPictures,
  pictureClosed,
  pictureFilters,
  type PictureReason,
  type PictureRow,
  type PictureVerdict,
  type ReviewEvent,
  type ReviewState,
  safeTogether,
  shownRows,
} from "./review-machine.ts";
import type { PictureKind, Review } from "./review.ts";
import { useDeskKeys, useDialogKeys } from "./use-desk-keys.ts";
import { useMachine } from "./machine-store.ts";
import { useSeen } from "./use-seen.ts";
import labelSheetStyles from "./LabelSheet.module.css";
import reviewActionsStyles from "./ReviewActions.module.css";
import reviewBarStyles from "./ReviewBar.module.css";
import reviewGridStyles from "./ReviewGrid.module.css";
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

/** Show, reject, approve; Approve publishes, and so it alone is green. */
function ReviewActions(props: {
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
    <footer className={reviewActionsStyles.bar}>
      <p className={reviewActionsStyles.now}>
        {row && <b dir="auto">{row.nickname}</b>}
        {closed === "offline" ? away : facts.join(" · ")}
      </p>
      {state.pending && (
        <UndoBar
          key={state.pending.rows[0]?.id}
          className={reviewActionsStyles.undo ?? ""}
          text={decidedText(t, state.pending)}
          isHeld={state.pending.isHeld}
          onUndo={() => dispatch({ type: "undo" })}
        />
      )}
      <div className={reviewActionsStyles.actions} role="group" aria-label={t("desk.decide")}>
        <Button
          size="small"
          kind="plain"
          className={reviewActionsStyles.keys}
          aria-keyshortcuts="?"
          onClick={props.onKeys}
        >
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

/** What waits, the filters, and grid or one. */
function ReviewBar(props: {
  kind: PictureKind;
  state: ReviewState;
  dispatch: (event: ReviewEvent) => void;
}): ReactNode {
  const t = useT();
  const nowMs = useNow(30_000);
  const { kind, state, dispatch } = props;
  const parts = [
    state.oldestAt === null ? "" : t("desk.oldest", { age: formatAge(state.oldestAt, nowMs) }),
    state.marks.size === 0 ? "" : t("desk.review.decided", { done: state.marks.size, count: state.rows.length }),
  ];
  const isKnown = state.phase === "ready" || state.rows.length > 0;
  const together = safeTogether(state).length;
  return (
    <header className={reviewBarStyles.bar}>
      <div className={reviewBarStyles.head}>
        <h2>{isKnown ? t(`desk.review.${kind}`, { count: state.waiting }) : t(`desk.tab.${kind}`)}</h2>
        <p>{parts.filter((part) => part !== "").join(" · ")}</p>
      </div>
      {together > 1 && (
        <button type="button" className={reviewBarStyles.together} onClick={() => dispatch({ type: "approve-random" })}>
          <Check size={16} aria-hidden="true" />
          {t("desk.review.together", { count: together })}
        </button>
      )}
      <Filters state={state} dispatch={dispatch} />
      <div className={reviewBarStyles.mode} role="group" aria-label={t("desk.review.layout")}>
        <button
          type="button"
          aria-pressed={state.mode === "grid"}
          onClick={() => dispatch({ type: "mode", mode: "grid" })}
        >
          <Grid2x2 size={18} aria-hidden="true" />
          {t("desk.review.grid")}
        </button>
        <button
          type="button"
          aria-pressed={state.mode === "one"}
          onClick={() => dispatch({ type: "mode", mode: "one" })}
        >
          <ImageIcon size={18} aria-hidden="true" />
          {t("desk.review.one")}
          <Kbd>V</Kbd>
        </button>
      </div>
    </header>
  );
}

function Filters({ state, dispatch }: { state: ReviewState; dispatch: (event: ReviewEvent) => void }): ReactNode {
  const t = useT();
  return (
    <div className={reviewBarStyles.filters} role="group" aria-label={t("desk.review.filter")}>
      {pictureFilters.map((filter) => {
        const count = state.rows.filter((row) => belongsTo(filter, row) && !state.marks.has(row.id)).length;
        return (
          <button
            key={filter}
            type="button"
            aria-pressed={state.filter === filter}
            onClick={() => dispatch({ type: "filter", filter })}
          >
            {t(`desk.filter.${filter}`)}
            {/* Only what has arrived can be counted. */}
            <span>{state.next === null ? formatNumber(count) : `${formatNumber(count)}+`}</span>
          </button>
        );
      })}
    </div>
  );
}

/** Why a picture is rejected: the owner is told the same reason. */
function RejectSheet(props: {
  name: string;
  onReject: (reason: PictureReason) => void;
  onClose: () => void;
}): ReactNode {
  const t = useT();
  useDialogKeys((key) => {
    const reason = pictureReasonIds.find((id) => String(id) === key);
    if (reason === undefined) return false;
    props.onReject(reason);
    return true;
  });
  return (
    <Sheet
      title={t("desk.review.rejectTitle", { name: isolate(props.name) })}
      lead={t("desk.review.rejectLead")}
      onClose={props.onClose}
    >
      <ul className={labelSheetStyles.labels}>
        {pictureReasonIds.map((id) => (
          <li key={id}>
            <button type="button" onClick={() => props.onReject(id)}>
              <Kbd>{id}</Kbd>
              <span>{t(`desk.rejectFor.${id}`)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

/** How far a key moves in a grid read in lines; null where it moves nothing. */
export function moveOf(
  key: string,
  { columns, rightToLeft }: { columns: number; rightToLeft: boolean },
): number | null {
  switch (key) {
    case "ArrowRight":
      return rightToLeft ? -1 : 1;
    case "ArrowLeft":
      return rightToLeft ? 1 : -1;
    case "ArrowDown":
      return columns;
    case "ArrowUp":
      return -columns;
    default:
      return null;
  }
}

/** How many columns a grid has now; 1 where there is none. */
function columnsOf(grid: Element | null): number {
  if (!grid) return 1;
  return Math.max(1, getComputedStyle(grid).gridTemplateColumns.split(" ").length);
}

const skeletonCards = 12;

/** The pictures of the page; the current one has the frame. */
function ReviewGrid({
  state,
  dispatch,
  list,
}: {
  state: ReviewState;
  dispatch: (event: ReviewEvent) => void;
  list: Ref<HTMLUListElement>;
}): ReactNode {
  const t = useT();
  return (
    <ul className={reviewGridStyles.grid} ref={list}>
      {shownRows(state).map((row) => (
        <li key={row.id} className={reviewGridStyles.card} aria-current={row.id === state.current || undefined}>
          <ReviewCard
            row={row}
            isCurrent={row.id === state.current}
            isCovered={isCovered(state, row)}
            mark={state.marks.get(row.id) ?? null}
            onChoose={() => {
              dispatch({ type: "go", id: row.id });
              if (row.id === state.current || isCovered(state, row)) dispatch({ type: "toggle-cover" });
            }}
            onSeen={() => dispatch({ type: "seen", id: row.id })}
          />
        </li>
      ))}
      {state.next !== null && (
        <li className={reviewGridStyles.more}>
          <Button size="small" onClick={() => dispatch({ type: "more" })}>
            {t("desk.more")}
          </Button>
        </li>
      )}
    </ul>
  );
}

function ReviewSkeleton(): ReactNode {
  return (
    <div className={reviewGridStyles.grid}>
      {Array.from({ length: skeletonCards }, (_, index) => (
        <Skeleton key={index} height="100%" />
      ))}
    </div>
  );
}

/** One picture of the grid, covered or clear, with why it is here and what was decided. */
function ReviewCard(props: {
  row: PictureRow;
  isCurrent: boolean;
  isCovered: boolean;
  mark: PictureVerdict | null;
  onChoose: () => void;
  onSeen: () => void;
}): ReactNode {
  const t = useT();
  const { row, isCurrent, isCovered, mark } = props;
  const { grey } = useDeskSwitches();
  const button = useRef<HTMLButtonElement>(null);
  const picture = useSeen({ active: !isCovered && mark === null, onSeen: props.onSeen });
  useEffect(() => {
    if (isCurrent) button.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  const Icon = whyIcons[row.why];
  const why = t(`desk.why.${row.why}`);
  const label = isCovered && mark === null ? "desk.review.covered" : "desk.review.clear";
  return (
    <>
      <button
        ref={button}
        type="button"
        className={reviewGridStyles.picture}
        data-covered={(isCovered && mark === null) || undefined}
        data-grey={grey || undefined}
        data-done={mark?.operation}
        data-desk-free={isCurrent || undefined}
        aria-label={t(label, { name: isolate(row.nickname), why })}
        onClick={props.onChoose}
      >
        <img ref={picture} src={row.thumb} alt="" draggable={false} />
        {isCovered && mark === null && (
          <span className={reviewGridStyles.eye}>
            <EyeOff size={18} aria-hidden="true" />
          </span>
        )}
        {mark && <Mark mark={mark} />}
        {!mark && row.claim && !row.claim.mine && (
          <span className={reviewGridStyles.mark} data-lock>
            {t("desk.row.with", { name: isolate(row.claim.name) })}
          </span>
        )}
      </button>
      <div className={reviewGridStyles.meta}>
        <b dir="auto">{row.nickname}</b>
        <span>
          <Icon size={14} aria-hidden="true" />
          {why}
          {row.why === "unsure" && row.explicit !== null && <b>{formatScore(row.explicit)}</b>}
        </span>
      </div>
    </>
  );
}

function Mark({ mark }: { mark: PictureVerdict }): ReactNode {
  const t = useT();
  return (
    <span className={reviewGridStyles.mark} data-approved={mark.operation === 1 || undefined}>
      {mark.operation === 1 ? <Check size={16} aria-hidden="true" /> : <X size={16} aria-hidden="true" />}
      {mark.operation === 1 ? t("desk.review.approved") : t(`desk.rejectedShort.${mark.reasonId}`)}
    </span>
  );
}

/** Why a person looks at a picture, as a sign beside the words. */
const whyIcons: Readonly<Record<PictureRow["why"], LucideIcon>> = {
  unsure: ScanEye,
  reported: TriangleAlert,
  contact: QrCode,
  like_removed: Copy,
  random: Shuffle,
  new: ImagePlus,
};
