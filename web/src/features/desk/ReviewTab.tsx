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
import type { OwnUser } from "@fava/wire/people.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { useNow } from "#lib/use-now.ts";
import { Button } from "#ui/Button.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { classNames } from "#ui/class-names.ts";
import { ReviewOne } from "./ReviewOne.tsx";
import { formatAge, formatScore, useAwayText } from "./desk-format.ts";
import { toggleGrey, useDeskSwitches, useListedWaiting } from "./desk-info.ts";
import { KeyButton, EmptyNotice, UndoBar } from "./parts.tsx";
import {
  belongsTo,
  pictureFilters,
  type PictureKind,
  type PictureReason,
  type PictureRow,
  type PictureVerdict,
  type Review,
  useReview,
} from "./review.ts";
import { ChoiceSheet, KeysSheet } from "./sheets.tsx";
import { useShortcuts } from "#lib/use-shortcuts.ts";
import { useImageSeen } from "#lib/use-image-seen.ts";
import parts from "./Parts.module.css";
import styles from "./Review.module.css";

/** Waiting avatars or photos, as a grid or one by one; only images that were seen can be decided. */
export function ReviewTab({ kind, user }: { kind: PictureKind; user: OwnUser }): ReactNode {
  const t = useT();
  const review = useReview(user.user_id, kind);
  useListedWaiting(kind, review.isLoading || review.isFailed ? null : review.waiting);
  const [dialog, setDialog] = useState<"reject" | "keys" | null>(null);
  const grid = useRef<HTMLUListElement>(null);
  const { current, mode } = review;
  const close = () => setDialog(null);

  const reject = () => {
    const closed = current ? review.closedBecause(current) : "marked";
    if (closed === null) setDialog("reject");
    // Nothing is decided: for an image that was not seen, `decide` shows a toast that says why.
    else if (closed === "unseen") review.decide({ operation: 2, reasonId: 1 });
  };
  const rejectFor = (reasonId: PictureReason) => {
    review.decide({ operation: 2, reasonId });
    close();
  };
  const acts: Readonly<Record<string, () => void>> = {
    a: () => review.decide({ operation: 1 }),
    r: reject,
    v: () => review.setMode(mode === "grid" ? "one" : "grid"),
    Space: () => review.toggleCover(),
    g: toggleGrey,
    u: review.undo,
    "?": () => setDialog("keys"),
  };
  useShortcuts((key) => {
    const columns = mode === "grid" ? columnsOf(grid.current) : 1;
    const by = gridMoveOf(key, { columns, rightToLeft: document.documentElement.dir === "rtl" });
    if (by !== null) review.move(by);
    else if (acts[key]) acts[key]();
    else return false;
    return true;
  });

  return (
    <div className={styles.wrap} aria-busy={review.isLoading}>
      <div className={styles.scroll}>
        <ReviewBar kind={kind} review={review} />
        {review.shown.length === 0 ? (
          <ReviewNothing review={review} />
        ) : mode === "grid" ? (
          <ReviewGrid review={review} list={grid} />
        ) : (
          current && <ReviewOne review={review} row={current} onReject={rejectFor} />
        )}
      </div>
      <ReviewActions review={review} onReject={reject} onKeys={() => setDialog("keys")} />
      {dialog === "keys" && <KeysSheet of="pictures" onClose={close} />}
      {current && dialog === "reject" && (
        <ChoiceSheet
          title={t("desk.review.rejectTitle", { name: isolate(current.nickname) })}
          lead={t("desk.review.rejectLead")}
          choices={pictureReasonIds.map((id) => ({ id, text: t(`desk.rejectFor.${id}`) }))}
          onChoose={rejectFor}
          onClose={close}
        />
      )}
      <p className="visually-hidden" role="status">
        {current && t("desk.review.now", { name: current.nickname, why: t(`desk.why.${current.why}`) })}
      </p>
    </div>
  );
}

const skeletonCards = 12;

function ReviewNothing({ review }: { review: Review }): ReactNode {
  const t = useT();
  if (review.isLoading)
    return (
      <div className={styles.grid}>
        {Array.from({ length: skeletonCards }, (_, index) => (
          <Skeleton key={index} height="100%" />
        ))}
      </div>
    );
  if (review.isFailed)
    return <EmptyNotice text={t("desk.failed")} action={{ text: t("desk.again"), run: review.refresh }} />;
  const cup = <Coffee size={28} aria-hidden="true" />;
  return <EmptyNotice icon={cup} text={t("desk.empty")} action={{ text: t("desk.refresh"), run: review.refresh }} />;
}

/** Show, reject, approve; only Approve is green, because it publishes. */
function ReviewActions(props: { review: Review; onReject: () => void; onKeys: () => void }): ReactNode {
  const t = useT();
  const away = useAwayText();
  const { review } = props;
  const row = review.current;
  const closed = row ? review.closedBecause(row) : "marked";
  const off = closed !== null && closed !== "unseen";
  const facts = row
    ? [t(`desk.why.${row.why}`) + (row.explicit === null ? "" : `, ${formatScore(row.explicit)}`), isolate(row.user_no)]
    : [];
  return (
    <footer className={classNames(parts.bar, styles.bar)}>
      <p className={styles.now}>
        {row && (
          <b dir="auto" translate="no">
            {row.nickname}
          </b>
        )}
        {closed === "offline" ? away : facts.join(" · ")}
      </p>
      <UndoBar pending={review.pending} isHeld={review.isHeld} className={styles.undo} onUndo={review.undo} />
      <div className={classNames(parts.actions, styles.actions)} role="group" aria-label={t("desk.decide")}>
        <KeyButton shortcut="?" kind="plain" className={styles.keys} onClick={props.onKeys}>
          {t("desk.keys")}
        </KeyButton>
        <KeyButton
          shortcut="Space"
          keyText={t("desk.key.space")}
          disabled={!row || closed === "marked"}
          onClick={() => review.toggleCover()}
        >
          {t(row && !review.isCovered(row) ? "desk.hide" : "desk.show")}
        </KeyButton>
        <KeyButton shortcut="R" disabled={off} icon={<X size={18} aria-hidden="true" />} onClick={props.onReject}>
          {t("desk.review.reject")}
        </KeyButton>
        <KeyButton
          shortcut="A"
          kind="go"
          disabled={off}
          icon={<Check size={20} aria-hidden="true" />}
          onClick={() => review.decide({ operation: 1 })}
        >
          {t("desk.review.approve")}
        </KeyButton>
      </div>
    </footer>
  );
}

const layouts = [
  { mode: "grid", icon: Grid2x2 },
  { mode: "one", icon: ImageIcon },
] as const;

/** The number of waiting images, the filters, and the layout. */
function ReviewBar({ kind, review }: { kind: PictureKind; review: Review }): ReactNode {
  const t = useT();
  const nowMs = useNow(30_000);
  const { rows, decided } = review;
  const isKnown = rows.length > 0 || !(review.isLoading || review.isFailed);
  const marked = rows.filter(({ id }) => decided.has(id)).length;
  const together = review.together.length;
  const facts = [
    review.oldestAt === null ? "" : t("desk.oldest", { age: formatAge(review.oldestAt, nowMs) }),
    marked === 0 ? "" : t("desk.review.decided", { done: marked, count: rows.length }),
  ];
  return (
    <header className={styles.top}>
      <div className={styles.head}>
        <h2 className={parts.heading}>
          {isKnown ? t(`desk.review.${kind}`, { count: review.waiting }) : t(`desk.tab.${kind}`)}
        </h2>
        <p className={parts.quiet}>{facts.filter((fact) => fact !== "").join(" · ")}</p>
      </div>
      {together > 1 && (
        <button type="button" className={classNames(parts.pill, styles.together)} onClick={review.approveTogether}>
          <Check size={16} aria-hidden="true" />
          {t("desk.review.together", { count: together })}
        </button>
      )}
      <div className={styles.filters} role="group" aria-label={t("desk.review.filter")}>
        {pictureFilters.map((filter) => {
          const count = formatNumber(rows.filter((row) => belongsTo(filter, row) && !decided.has(row.id)).length);
          return (
            <button
              key={filter}
              type="button"
              className={parts.pill}
              aria-pressed={review.filter === filter}
              onClick={() => review.setFilter(filter)}
            >
              {t(`desk.filter.${filter}`)}
              {/* Only loaded images can be counted. */}
              <span>{review.hasMore ? `${count}+` : count}</span>
            </button>
          );
        })}
      </div>
      <div className={styles.mode} role="group" aria-label={t("desk.review.layout")}>
        {layouts.map(({ mode, icon: Icon }) => (
          <button
            key={mode}
            type="button"
            className={parts.pill}
            aria-pressed={review.mode === mode}
            onClick={() => review.setMode(mode)}
          >
            <Icon size={18} aria-hidden="true" />
            {t(`desk.review.${mode}`)}
            {mode === "one" && <Kbd>V</Kbd>}
          </button>
        ))}
      </div>
    </header>
  );
}

/** How far a key moves the selection in a grid in reading order; null if it does not. */
export function gridMoveOf(
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

/** The current number of columns of a grid; 1 without a grid. */
function columnsOf(grid: Element | null): number {
  if (!grid) return 1;
  return Math.max(1, getComputedStyle(grid).gridTemplateColumns.split(" ").length);
}

/** The images of the page; the current one has a frame. */
function ReviewGrid({ review, list }: { review: Review; list: Ref<HTMLUListElement> }): ReactNode {
  const t = useT();
  return (
    <ul className={classNames(parts.scroll, styles.grid)} ref={list}>
      {review.shown.map((row) => (
        <li key={row.id} className={styles.card} aria-current={row.id === review.current?.id || undefined}>
          <ReviewCard review={review} row={row} mark={review.decided.get(row.id)?.verdict ?? null} />
        </li>
      ))}
      {review.hasMore && (
        <li className={styles.more}>
          <Button size="small" onClick={review.more}>
            {t("desk.more")}
          </Button>
        </li>
      )}
    </ul>
  );
}

/** One image of the grid, covered or clear, with the reason for its review and the decision on it. */
function ReviewCard({
  review,
  row,
  mark,
}: {
  review: Review;
  row: PictureRow;
  mark: PictureVerdict | null;
}): ReactNode {
  const t = useT();
  const { grey } = useDeskSwitches();
  const button = useRef<HTMLButtonElement>(null);
  const isCurrent = row.id === review.current?.id;
  const covered = review.isCovered(row) && mark === null;
  const picture = useImageSeen({ active: !covered && mark === null, onSeen: () => review.see(row.id) });
  useEffect(() => {
    if (isCurrent) button.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  const Icon = whyIcons[row.why];
  const why = t(`desk.why.${row.why}`);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={classNames(parts.frame, styles.picture)}
        data-covered={covered || undefined}
        data-grey={grey || undefined}
        data-done={mark?.operation}
        data-shortcuts-free={isCurrent || undefined}
        aria-label={t(covered ? "desk.review.covered" : "desk.review.clear", { name: isolate(row.nickname), why })}
        onClick={() => {
          review.go(row.id);
          if (isCurrent || covered) review.toggleCover(row);
        }}
      >
        <img ref={picture} src={row.thumb} alt="" draggable={false} />
        {covered && (
          <span className={styles.eye}>
            <EyeOff size={18} aria-hidden="true" />
          </span>
        )}
        {mark && (
          <span className={styles.mark} data-approved={mark.operation === 1 || undefined}>
            {mark.operation === 1 ? <Check size={16} aria-hidden="true" /> : <X size={16} aria-hidden="true" />}
            <b>{t(mark.operation === 1 ? "desk.review.approved" : `desk.rejectedShort.${mark.reasonId}`)}</b>
          </span>
        )}
        {!mark && row.claim && !row.claim.mine && (
          <span className={styles.mark} data-lock>
            {t("desk.row.with", { name: isolate(row.claim.name) })}
          </span>
        )}
      </button>
      <div className={styles.meta}>
        <b dir="auto" translate="no">
          {row.nickname}
        </b>
        <span>
          <Icon size={14} aria-hidden="true" />
          {why}
          {row.why === "unsure" && row.explicit !== null && <b>{formatScore(row.explicit)}</b>}
        </span>
      </div>
    </>
  );
}

/** The icon of each reason for a review. */
const whyIcons: Readonly<Record<PictureRow["why"], LucideIcon>> = {
  unsure: ScanEye,
  reported: TriangleAlert,
  contact: QrCode,
  like_removed: Copy,
  random: Shuffle,
  new: ImagePlus,
};
