import { EyeOff } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { pictureReasonIds } from "@fava/wire/moderation.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Kbd } from "#ui/Kbd.tsx";
import { formatMediumDay, formatScore } from "./desk-format.ts";
import { useDeskSwitches } from "./desk-info.ts";
import { useDeskKeys } from "./use-desk-keys.ts";
import {
  isCovered,
  pictureClosed,
  type PictureReason,
  type PictureRow,
  type ReviewEvent,
  type ReviewState,
  shownRows,
} from "./review-machine.ts";
import { useSeen } from "./use-seen.ts";
import chipStyles from "./PictureChip.module.css";
import styles from "./ReviewOne.module.css";

const nextShown = 3;

/** One picture large, what is known of it, the reasons to reject it, and what comes next. */
export function ReviewOne(props: {
  state: ReviewState;
  row: PictureRow;
  dispatch: (event: ReviewEvent) => void;
  onReject: (reason: PictureReason) => void;
}): ReactNode {
  const t = useT();
  const { state, row, dispatch } = props;
  const rows = shownRows(state);
  const at = rows.findIndex(({ id }) => id === row.id);
  const next = rows.slice(at + 1, at + 1 + nextShown);
  const closed = pictureClosed(state, row);
  const { grey } = useDeskSwitches();
  useDeskKeys((key) => {
    const reason = pictureReasonIds.find((id) => String(id) === key);
    if (reason === undefined || closed !== null) return false;
    props.onReject(reason);
    return true;
  });
  useEffect(() => {
    // Loaded ahead, covered as they are: the next one is there at once.
    for (const { url } of next) new Image().src = url;
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the pictures that follow change with the current one
  }, [row.id]);
  return (
    <div className={styles.one}>
      <BigPicture key={row.id} state={state} row={row} dispatch={dispatch} />
      <section className={styles.side} aria-label={t("desk.review.about")}>
        <div>
          <p className={styles.over}>{t("desk.review.place", { n: at + 1, count: rows.length })}</p>
          <h3 dir="auto">{row.nickname}</h3>
          <p className={styles.over}>
            {isolate(row.user_no)} · {t("desk.review.joined", { day: formatMediumDay(row.joined_at) })}
          </p>
        </div>
        <PictureFacts row={row} />
        <fieldset className={styles.reject} disabled={closed !== null}>
          <legend>{t("desk.review.because")}</legend>
          {pictureReasonIds.map((id) => (
            <button key={id} type="button" aria-keyshortcuts={String(id)} onClick={() => props.onReject(id)}>
              <Kbd>{id}</Kbd>
              {t(`desk.rejectFor.${id}`)}
            </button>
          ))}
        </fieldset>
      </section>
      <ul className={styles.next} aria-label={t("desk.review.next")}>
        {next.map((one) => (
          <li key={one.id} data-covered={isCovered(state, one) || undefined} data-grey={grey || undefined}>
            <img src={one.thumb} alt="" draggable={false} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function BigPicture(props: { state: ReviewState; row: PictureRow; dispatch: (event: ReviewEvent) => void }): ReactNode {
  const t = useT();
  const { state, row, dispatch } = props;
  const { grey } = useDeskSwitches();
  const covered = isCovered(state, row);
  const picture = useSeen({ active: !covered, onSeen: () => dispatch({ type: "seen", id: row.id }) });
  return (
    <div className={styles.big} data-covered={covered || undefined} data-grey={grey || undefined}>
      <img
        ref={picture}
        src={row.url}
        alt={covered ? "" : t("desk.review.pictureOf", { name: row.nickname })}
        draggable={false}
      />
      {covered && (
        <button
          type="button"
          className={chipStyles.chip}
          aria-keyshortcuts="Space"
          onClick={() => dispatch({ type: "toggle-cover" })}
        >
          <EyeOff size={18} aria-hidden="true" />
          {t("desk.show")}
          <Kbd>{t("desk.key.space")}</Kbd>
        </button>
      )}
    </div>
  );
}

function PictureFacts({ row }: { row: PictureRow }): ReactNode {
  const t = useT();
  const { approved, rejected } = row.earlier;
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t("desk.review.why")}</dt>
        <dd>
          {t(`desk.why.${row.why}`)}
          {row.explicit !== null && ` · ${formatScore(row.explicit)}`}
        </dd>
      </div>
      <div>
        <dt>{t("desk.review.shownToOthers")}</dt>
        <dd>{t(row.status === "approved" ? "desk.review.shownYes" : "desk.review.shownNo")}</dd>
      </div>
      <div>
        <dt>{t("desk.review.earlier")}</dt>
        <dd>{t("desk.review.earlierCount", { approved: formatNumber(approved), rejected: formatNumber(rejected) })}</dd>
      </div>
      <div>
        <dt>{t("desk.review.likeRemoved")}</dt>
        <dd>{t(row.why === "like_removed" ? "desk.yes" : "desk.no")}</dd>
      </div>
    </dl>
  );
}
