import { ChevronLeft, Lock, ShieldOff } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { CaseDetail, Claim } from "@fava/wire/moderation.ts";
import { formatClock, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { useNow } from "#lib/use-now.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { Checks, idsOf, MomentFrames, Moments, useMoments } from "./Evidence.tsx";
import { Transcript } from "./Transcript.tsx";
import { formatAge } from "./desk-format.ts";
import { useDeskSwitches } from "./desk-info.ts";
import { useDeskKeys } from "./use-desk-keys.ts";
import claimChipStyles from "./ClaimChip.module.css";
import styles from "./CaseView.module.css";

/** One case: the same moment from both ends, what software found, and the chat. Its pictures are covered at first. */
export function CaseView(props: {
  detail: CaseDetail;
  lostTo: string | null;
  isRestricted: boolean;
  userId: number;
  onClaim: () => void;
  onClose: () => void;
}): ReactNode {
  const t = useT();
  const { detail } = props;
  const { blur } = useDeskSwitches();
  const moments = useMoments(detail.moments, props.userId);
  const [whole, setWhole] = useState(false);
  const { moment, looks } = moments;
  const auto = !blur && !props.isRestricted;
  useEffect(() => {
    // Whoever has switched the covers off looks at each moment that is opened; each look is still written down.
    if (auto && moment) looks.show(idsOf(moment));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each moment, not for each look
  }, [auto, moment]);
  useDeskKeys((key) => {
    if (key === "t") setWhole((before) => !before);
    else if (!moments.press(key)) return false;
    return true;
  });
  return (
    <div className={styles.scroll}>
      <CaseHead detail={detail} lostTo={props.lostTo} onClaim={props.onClaim} onClose={props.onClose} />
      {moment ? (
        <>
          <MomentFrames moment={moment} name={detail.person.nickname} looks={looks} className={styles.frames ?? ""} />
          <Moments detail={detail} at={moments.at} looks={looks} onChoose={moments.choose} />
        </>
      ) : (
        <>
          <p className={styles.none}>
            <ShieldOff size={18} aria-hidden="true" />
            {t(detail.erase_at === null && detail.call ? "desk.evidence.erased" : "desk.evidence.noPictures")}
          </p>
          <Checks detail={detail} at={0} />
        </>
      )}
      <Transcript detail={detail} name={detail.person.nickname} whole={whole} onWhole={() => setWhole(!whole)} />
    </div>
  );
}

function CaseHead(props: {
  detail: CaseDetail;
  lostTo: string | null;
  onClaim: () => void;
  onClose: () => void;
}): ReactNode {
  const t = useT();
  const { detail } = props;
  const nowMs = useNow(30_000);
  const byRule = detail.rule === "report" ? null : t(`desk.rule.${detail.rule}`);
  const over = [detail.no, t("desk.case.waiting", { age: formatAge(detail.opened_at, nowMs) }), byRule];
  return (
    <header className={styles.head}>
      <IconButton
        className={styles.back ?? ""}
        label={t("common.back")}
        icon={<ChevronLeft size={24} className="flip" aria-hidden="true" />}
        onClick={props.onClose}
      />
      <div>
        <p className={styles.over}>{over.filter((part) => part !== null).join(" · ")}</p>
        <h2>{t(`reason.report.${detail.reason_id}`)}</h2>
      </div>
      {detail.call?.live && <span className={styles.live}>{t("desk.case.live")}</span>}
      <ClaimChip claim={detail.claim} lostTo={props.lostTo} onClaim={props.onClaim} />
    </header>
  );
}

/** Who works on the item, and for how long still; a button to claim it where nobody does. */
function ClaimChip(props: { claim: Claim | null; lostTo: string | null; onClaim: () => void }): ReactNode {
  const t = useT();
  const nowMs = useNow(1_000);
  const { claim } = props;
  const other = props.lostTo ?? (claim && !claim.mine ? claim.name : null);
  if (other !== null)
    return (
      <span className={claimChipStyles.chip} role="status">
        <Lock size={15} aria-hidden="true" />
        {t("desk.row.with", { name: isolate(other) })}
      </span>
    );
  if (claim)
    return (
      <span className={claimChipStyles.chip} data-mine>
        <Lock size={15} aria-hidden="true" />
        <span>{t("desk.claim.mine")}</span>
        {formatClock((claim.until - nowMs) / 1_000)}
      </span>
    );
  return (
    <button type="button" className={claimChipStyles.chip} aria-keyshortcuts="Enter" onClick={props.onClaim}>
      <Lock size={15} aria-hidden="true" />
      {t("desk.claim")}
      <Kbd>Enter</Kbd>
    </button>
  );
}
