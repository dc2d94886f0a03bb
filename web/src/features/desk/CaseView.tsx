import { Lock, ScanFace, ShieldOff } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { CaseDetail, Claim } from "@fava/wire/moderation.ts";
import { serverNowMs } from "#lib/api/server-clock.ts";
import { formatClock, formatNumber, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { useNow } from "#lib/use-now.ts";
import { Kbd } from "#ui/Kbd.tsx";
import { classNames } from "#ui/class-names.ts";
import { Checks, idsOf, MomentFrames, Moments, useMoments } from "./Evidence.tsx";
import { CaseBackground } from "./CaseBackground.tsx";
import { ReporterWords, Transcript } from "./Transcript.tsx";
import type { Cases } from "./cases.ts";
import { formatAge } from "./desk-format.ts";
import { useDeskSwitches } from "./desk-info.ts";
import { ItemHead } from "./parts.tsx";
import { useShortcuts } from "#lib/use-shortcuts.ts";
import parts from "./Parts.module.css";
import styles from "./CaseView.module.css";

/**
 * One case: the same moment from both ends, the verdicts of the classifier, and the chat. Its frames are covered at
 * first.
 */
export function CaseView({ cases, detail, userId }: { cases: Cases; detail: CaseDetail; userId: number }): ReactNode {
  const t = useT();
  const { blur } = useDeskSwitches();
  const nowMs = useNow(30_000);
  const moments = useMoments(detail, userId, cases.markSeen);
  const [whole, setWhole] = useState(false);
  const [showsPhotos, setShowsPhotos] = useState(!blur);
  const showWhole = () => {
    cases.markSeen();
    setWhole(!whole);
  };
  const showPhotos = () => {
    cases.markSeen();
    setShowsPhotos(!showsPhotos);
  };
  const { moment, views } = moments;
  const auto = !blur && cases.box !== "restricted";
  useEffect(() => {
    // A moderator who has turned the covers off sees each opened moment; each view is still logged.
    if (auto && moment) views.show(idsOf(moment));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each moment, not for each view
  }, [auto, moment]);
  useShortcuts((key) => {
    if (key === "t") showWhole();
    else if (key === "Space" && detail.background) showPhotos();
    else if (!moments.press(key)) return false;
    return true;
  });
  const waiting = t("desk.case.waiting", { age: formatAge(detail.opened_at, nowMs) });
  const byRule = detail.rule === "report" ? null : t(`desk.rule.${detail.rule}`);
  return (
    <div className={classNames(parts.scroll, styles.page)}>
      <ItemHead
        title={t(`reason.report.${detail.reason_id}`)}
        facts={[detail.no, waiting, byRule]}
        onClose={cases.close}
      >
        {detail.call?.live && <span className={styles.live}>{t("desk.case.live")}</span>}
        <ClaimChip claim={detail.claim} onClaim={cases.claim} />
      </ItemHead>
      {detail.estimated_age !== null && (
        <p className={parts.note}>
          <ScanFace size={18} aria-hidden="true" />
          {t("desk.case.looksMinor", { age: formatNumber(detail.estimated_age) })}
        </p>
      )}
      {moment ? (
        <>
          <MomentFrames moments={moments} className={styles.frames} />
          <Moments moments={moments} />
        </>
      ) : (
        <>
          {detail.background === null && (
            <p className={parts.note}>
              <ShieldOff size={18} aria-hidden="true" />
              {t(detail.erase_at === null && detail.call ? "desk.evidence.erased" : "desk.evidence.noPictures")}
            </p>
          )}
          {(detail.background === null || detail.check !== null) && <Checks detail={detail} at={0} />}
        </>
      )}
      <ReporterWords reports={detail.reports} />
      <Transcript detail={detail} whole={whole} onWhole={showWhole} />
      {detail.background && (
        <CaseBackground
          person={detail.subject}
          background={detail.background}
          isShown={showsPhotos}
          onToggle={showPhotos}
        />
      )}
    </div>
  );
}

/** The claim on the case and its remaining time; without a claim a button to take it. */
function ClaimChip({ claim, onClaim }: { claim: Claim | null; onClaim: () => void }): ReactNode {
  const t = useT();
  // Renders each second, to show the remaining time of the claim.
  useNow(1_000);
  const lock = <Lock size={15} aria-hidden="true" />;
  if (!claim)
    return (
      <button
        type="button"
        className={classNames(parts.pill, styles.claim)}
        aria-keyshortcuts="Enter"
        onClick={onClaim}
      >
        {lock}
        {t("desk.claim")}
        <Kbd>Enter</Kbd>
      </button>
    );
  if (!claim.mine)
    return (
      <span className={classNames(parts.pill, styles.claim)} role="status">
        {lock}
        {t("desk.row.with", { name: isolate(claim.name) })}
      </span>
    );
  return (
    <span className={classNames(parts.pill, styles.claim)} data-mine>
      {lock}
      <span>{t("desk.claim.mine")}</span>
      {formatClock((claim.until - serverNowMs()) / 1_000)}
    </span>
  );
}
