import { Check, EyeOff, X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { formatScore } from "./desk-format.ts";
import { useDeskSwitches } from "./desk-switches.ts";
import type { PictureRow, PictureVerdict } from "./review-state.ts";
import { useSeen } from "./use-seen.ts";
import { whyIcons } from "./why-icons.ts";
import styles from "./ReviewGrid.module.css";

/** One picture of the grid, covered or clear, with why it is here and what was decided. */
export function ReviewCard(props: {
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
        className={styles.picture}
        data-covered={(isCovered && mark === null) || undefined}
        data-grey={grey || undefined}
        data-done={mark?.operation}
        data-desk-free={isCurrent || undefined}
        aria-label={t(label, { name: isolate(row.nickname), why })}
        onClick={props.onChoose}
      >
        <img ref={picture} src={row.thumb} alt="" draggable={false} />
        {isCovered && mark === null && (
          <span className={styles.eye}>
            <EyeOff size={18} aria-hidden="true" />
          </span>
        )}
        {mark && <Mark mark={mark} />}
        {!mark && row.claim && !row.claim.mine && (
          <span className={styles.mark} data-lock>
            {t("desk.row.with", { name: isolate(row.claim.name) })}
          </span>
        )}
      </button>
      <div className={styles.meta}>
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
    <span className={styles.mark} data-approved={mark.operation === 1 || undefined}>
      {mark.operation === 1 ? <Check size={16} aria-hidden="true" /> : <X size={16} aria-hidden="true" />}
      {mark.operation === 1 ? t("desk.review.approved") : t(`desk.rejectedShort.${mark.reasonId}`)}
    </span>
  );
}
