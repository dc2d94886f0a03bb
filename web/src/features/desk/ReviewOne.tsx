import { EyeOff } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { pictureReasonIds } from "@fava/wire/moderation.ts";
import { formatAs } from "#lib/format-date.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { useImageSeen } from "#lib/use-image-seen.ts";
import { useShortcuts } from "#lib/use-shortcuts.ts";
import { Kbd } from "#ui/Kbd.tsx";
import { classNames } from "#ui/class-names.ts";
import { formatScore } from "./desk-format.ts";
import { useDeskSwitches } from "./desk-info.ts";
import { FactList } from "./parts.tsx";
import type { PictureReason, PictureRow, Review } from "./review.ts";
import parts from "./Parts.module.css";
import styles from "./Review.module.css";

const nextShown = 3;

/** One image in large, its facts, the reasons to reject it, and the next images. */
export function ReviewOne(props: {
  review: Review;
  row: PictureRow;
  onReject: (reason: PictureReason) => void;
}): ReactNode {
  const t = useT();
  const { review, row } = props;
  const { shown } = review;
  const at = shown.indexOf(row);
  const next = shown.slice(at + 1, at + 1 + nextShown);
  const closed = review.closedBecause(row) !== null;
  const { grey } = useDeskSwitches();
  useShortcuts((key) => {
    const reason = pictureReasonIds.find((id) => String(id) === key);
    if (reason === undefined || closed) return false;
    props.onReject(reason);
    return true;
  });
  useEffect(() => {
    // Preloads the next images, covered or not, so that they appear at once.
    for (const { url } of next) new Image().src = url;
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the pictures that follow change with the current one
  }, [row.id]);
  return (
    <div className={styles.one}>
      <BigPicture key={row.id} review={review} row={row} />
      <section className={classNames(parts.scroll, styles.side)} aria-label={t("desk.review.about")}>
        <div>
          <p className={parts.quiet}>{t("desk.review.place", { n: at + 1, count: shown.length })}</p>
          <h3 dir="auto" translate="no">
            {row.nickname}
          </h3>
          <p className={parts.quiet}>
            {isolate(row.user_no)} · {t("desk.review.joined", { day: formatAs("medium", row.joined_at) })}
          </p>
        </div>
        <PictureFacts row={row} />
        <fieldset className={styles.reject} disabled={closed}>
          <legend>{t("desk.review.because")}</legend>
          {pictureReasonIds.map((id) => (
            <button
              key={id}
              type="button"
              className={parts.choice}
              aria-keyshortcuts={String(id)}
              onClick={() => props.onReject(id)}
            >
              <Kbd>{id}</Kbd>
              {t(`desk.rejectFor.${id}`)}
            </button>
          ))}
        </fieldset>
      </section>
      <ul className={styles.next} aria-label={t("desk.review.next")}>
        {next.map((one) => (
          <li
            key={one.id}
            className={parts.frame}
            data-covered={review.isCovered(one) || undefined}
            data-grey={grey || undefined}
          >
            <img src={one.thumb} alt="" draggable={false} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function BigPicture({ review, row }: { review: Review; row: PictureRow }): ReactNode {
  const t = useT();
  const { grey } = useDeskSwitches();
  const covered = review.isCovered(row);
  const picture = useImageSeen({ active: !covered, onSeen: () => review.see(row.id) });
  return (
    <div
      className={classNames(parts.frame, styles.big)}
      data-covered={covered || undefined}
      data-grey={grey || undefined}
    >
      <img
        ref={picture}
        src={row.url}
        alt={covered ? "" : t("desk.review.pictureOf", { name: row.nickname })}
        draggable={false}
      />
      {covered && (
        <button
          type="button"
          className={classNames(parts.pill, parts.chip)}
          aria-keyshortcuts="Space"
          onClick={() => review.toggleCover()}
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
  const counts = { approved: formatNumber(approved), rejected: formatNumber(rejected) };
  const score = row.explicit === null ? "" : ` · ${formatScore(row.explicit)}`;
  return (
    <FactList
      className={styles.facts}
      facts={[
        [t("desk.review.why"), t(`desk.why.${row.why}`) + score],
        [t("desk.review.shownToOthers"), t(row.status === "approved" ? "desk.review.shownYes" : "desk.review.shownNo")],
        [t("desk.review.earlier"), t("desk.review.earlierCount", counts)],
        [t("desk.review.likeRemoved"), t(row.why === "like_removed" ? "desk.yes" : "desk.no")],
      ]}
    />
  );
}
