import { EyeOff, ShieldAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { TextCover, TextSpan } from "@fava/wire/messages.ts";
import { useOffersShow } from "#lib/covered-lines.ts";
import { useT } from "#lib/i18n.ts";
import { directionOf, isHurtful, textParts } from "#lib/text-parts.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import styles from "#ui/CoveredText.module.css";

/** Another user's text with a sign in place of the removed letters. */
export function HiddenText({ text, hidden }: { text: string; hidden: readonly TextSpan[] }): ReactNode {
  return textParts(text, hidden).map(({ start, text: part, finding }) =>
    finding === null ? part : <HiddenSign key={start} />,
  );
}

/** Stands for contact details that the reader does not get. */
export function HiddenSign(): ReactNode {
  const t = useT();
  return (
    <span className={styles.hidden} title={t("covered.hiddenBy")}>
      <EyeOff size={15} aria-hidden="true" />
      <span aria-hidden="true">{t("covered.hidden")}</span>
      <VisuallyHidden>{t("covered.hiddenBy")}</VisuallyHidden>
    </span>
  );
}

/** The user's own text with marks at the findings. `isSent`: the reader got it, without the contact details. */
export function OwnText(props: { text: string; spans: readonly TextSpan[]; isSent: boolean }): ReactNode {
  const t = useT();
  return textParts(props.text, props.spans).map(({ start, text: part, finding }) => {
    if (finding === null) return part;
    if (!props.isSent || isHurtful(finding))
      return (
        <mark key={start} className={styles.found} dir={directionOf(finding)}>
          {part}
        </mark>
      );
    return (
      <mark key={start} className={styles.taken} dir={directionOf(finding)} title={t("covered.hiddenBy")}>
        {part}
        <EyeOff size={14} aria-hidden="true" />
        <VisuallyHidden> {t("covered.hidden")}</VisuallyHidden>
      </mark>
    );
  });
}

/**
 * A covered text. Screen readers announce that a line is covered, and the text only after "Show". A threat stays
 * covered: it has help, and `threatPress` instead of "Show".
 */
export function CoveredText(props: {
  cover: TextCover;
  /** Ranges of the covered text in which letters were removed. */
  hidden: readonly TextSpan[];
  isReported: boolean;
  onReport: () => void;
  threatPress: ReactNode;
}): ReactNode {
  const t = useT();
  const offersShow = useOffersShow();
  const [isShown, setShown] = useState(false);
  const { cover, hidden, isReported, onReport } = props;
  if (cover.kind === "threat")
    return (
      <Cover says={t("covered.threat")} isThreat>
        {props.threatPress}
      </Cover>
    );
  const shows = isShown && offersShow;
  const words = shows && (
    <span className={styles.words} dir="auto">
      <HiddenText text={cover.text} hidden={hidden} />
    </span>
  );
  return (
    <Cover says={t("covered.hurts")} spoken={t("covered.spoken")} words={words}>
      {offersShow && (
        <button type="button" aria-expanded={shows} onClick={() => setShown(!shows)}>
          {t(shows ? "covered.hide" : "covered.show")}
        </button>
      )}
      <ReportPress
        isReported={isReported}
        onPress={() => {
          setShown(false);
          onReport();
        }}
      />
    </Cover>
  );
}

/** The frame of a cover: its explanation, the text once it is shown, and its buttons. */
export function Cover(props: {
  says: string;
  /** What a screen reader announces instead of the content. */
  spoken?: string;
  isThreat?: boolean;
  words?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const t = useT();
  const { says, spoken, isThreat = false } = props;
  return (
    <span className={styles.cover}>
      <span className={styles.says}>
        {isThreat ? <ShieldAlert size={18} aria-hidden="true" /> : <EyeOff size={18} aria-hidden="true" />}
        <span aria-hidden={spoken !== undefined || undefined}>{says}</span>
        {spoken !== undefined && <VisuallyHidden>{spoken}</VisuallyHidden>}
      </span>
      {isThreat && <span className={styles.help}>{t("covered.threatHelp")}</span>}
      {props.words}
      <span className={styles.acts}>{props.children}</span>
    </span>
  );
}

/** The report button. It stays after a press, so that it keeps the focus. */
export function ReportPress({ isReported, onPress }: { isReported: boolean; onPress: () => void }): ReactNode {
  const t = useT();
  return (
    <button
      type="button"
      aria-disabled={isReported || undefined}
      aria-label={isReported ? undefined : t("covered.reportLine")}
      onClick={isReported ? undefined : onPress}
    >
      {t(isReported ? "covered.reported" : "msg.report")}
    </button>
  );
}

/** "This isn't what I meant": the button by which a writer objects to a finding. */
export function DisputePress({ isNoted, onPress }: { isNoted: boolean; onPress: () => void }): ReactNode {
  const t = useT();
  return (
    <button
      type="button"
      className={styles.dispute}
      aria-disabled={isNoted || undefined}
      onClick={isNoted ? undefined : onPress}
    >
      {t(isNoted ? "covered.noted" : "covered.notMeant")}
    </button>
  );
}
