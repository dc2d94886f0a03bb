import { MessageSquareText, MessageSquareWarning, Quote } from "lucide-react";
import type { ReactNode } from "react";
import type { CaseDetail } from "@fava/wire/moderation.ts";
import { formatAs, formatTime } from "#lib/format-date.ts";
import { useT } from "#lib/i18n.ts";
import { Kbd } from "#ui/Kbd.tsx";
import { classNames } from "#ui/class-names.ts";
import { SectionTitle } from "./parts.tsx";
import parts from "./Parts.module.css";
import styles from "./Evidence.module.css";

/** So many lines are shown before somebody asks for all. */
const linesShown = 6;

/** The chat of the call with contacts masked, and the message that was reported. */
export function Transcript(props: { detail: CaseDetail; whole: boolean; onWhole: () => void }): ReactNode {
  const t = useT();
  const { lines, message, person } = props.detail;
  return (
    <>
      {message && (
        <section className={parts.card}>
          <SectionTitle icon={MessageSquareWarning} title={t("desk.message")}>
            <time>{formatTime(message.at)}</time>
          </SectionTitle>
          <p className={classNames(parts.quote, styles.message)} dir="auto">
            <Masked text={message.text} />
          </p>
        </section>
      )}
      {lines.length > 0 && (
        <section className={parts.card}>
          <SectionTitle icon={MessageSquareText} title={t("desk.chat")} />
          <ChatLines lines={props.whole ? lines : lines.slice(-linesShown)} name={person.nickname} />
          {lines.length > linesShown && (
            <button
              type="button"
              className={classNames(parts.more, styles.more)}
              aria-expanded={props.whole}
              onClick={props.onWhole}
            >
              {props.whole ? t("desk.chat.less") : t("desk.chat.all", { count: lines.length })}
              <Kbd>T</Kbd>
            </button>
          )}
        </section>
      )}
    </>
  );
}

/** What reporters wrote, contacts masked, each with what it was reported as (rule CASE-583). */
export function ReporterWords({ reports }: { reports: CaseDetail["reports"] }): ReactNode {
  const t = useT();
  const written = reports.filter(({ note }) => note !== "");
  if (written.length === 0) return null;
  return (
    <section className={parts.card}>
      <SectionTitle icon={Quote} title={t("desk.words")} />
      <ul className={styles.words}>
        {written.map(({ at, reason_id, note }, index) => (
          <li key={`${at} ${index}`}>
            <p className={classNames(parts.quote, styles.message)} dir="auto">
              <Masked text={note} />
            </p>
            <small>
              {t(`reason.report.${reason_id}`)} · {formatTime(at)}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function ChatLines({ lines, name }: { lines: CaseDetail["lines"]; name: string }): ReactNode {
  const t = useT();
  return (
    <ol className={styles.lines}>
      {lines.map(({ at, from, text }, index) => (
        <li key={`${at} ${index}`} data-from={from}>
          <time>{formatAs("second", at)}</time>
          <b dir="auto">{from === "person" ? name : t("desk.other")}</b>
          <span dir="auto">
            <Masked text={text} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function Masked({ text }: { text: string }): ReactNode {
  const t = useT();
  return splitMasked(text).map((part, index) =>
    part.isMasked ? (
      <mark key={index} title={t("desk.masked")}>
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}

interface MaskedPart {
  readonly text: string;
  readonly isMasked: boolean;
}

/** Divides a line at what was masked in it: a run of dots, bullets or stars that no one writes. */
export function splitMasked(line: string): readonly MaskedPart[] {
  return line
    .split(/([•●*]{2,}(?:[ \u00a0]?[•●*]{2,})*)/u)
    .map((text, index) => ({ text, isMasked: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}
