import { Ban, EyeOff, Flag, type LucideIcon, MessageSquareText, MessageSquareWarning, Quote } from "lucide-react";
import type { ReactNode } from "react";
import type { TextSpan } from "@fava/wire/messages.ts";
import type { CaseDetail, CaseLine, Withheld } from "@fava/wire/moderation.ts";
import { formatAs, formatTime } from "#lib/format-date.ts";
import { useT } from "#lib/i18n.ts";
import { directionOf, isHurtful, textParts } from "#lib/text-parts.ts";
import { Kbd } from "#ui/Kbd.tsx";
import { classNames } from "#ui/class-names.ts";
import { recordText } from "./desk-format.ts";
import { SectionTitle } from "./parts.tsx";
import { Translation } from "./Translation.tsx";
import parts from "./Parts.module.css";
import styles from "./Evidence.module.css";

const linesShown = 6;

/** The lines that are shown at first: the newest, the newest that were withheld, and every reported one. */
export function linesAtFirst(lines: readonly CaseLine[], count = linesShown): readonly CaseLine[] {
  const newest = new Set([...lines.slice(-count), ...lines.filter((line) => line.withheld).slice(-count)]);
  return lines.filter((line) => line.reported || newest.has(line));
}

/** The chat of the call, and the reported message; contact details are masked except in withheld lines. */
export function Transcript(props: { detail: CaseDetail; whole: boolean; onWhole: () => void }): ReactNode {
  const t = useT();
  const { lines, message, person } = props.detail;
  const first = linesAtFirst(lines);
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
          <Translation text={message.text} />
          {message.cover && <LineMark icon={EyeOff} text={t(`evidence.covered.${message.cover}`)} />}
        </section>
      )}
      {lines.length > 0 && (
        <section className={parts.card}>
          <SectionTitle icon={MessageSquareText} title={t("desk.chat")} />
          <ChatLines lines={props.whole ? lines : first} name={person.nickname} />
          {first.length < lines.length && (
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

/** The reporters' own words, with contact details masked, each with its reason and the record of its reporter. */
export function ReporterWords({ reports }: { reports: CaseDetail["reports"] }): ReactNode {
  const t = useT();
  const written = reports.filter(({ note }) => note !== "");
  if (written.length === 0) return null;
  return (
    <section className={parts.card}>
      <SectionTitle icon={Quote} title={t("desk.words")} />
      <ul className={styles.words}>
        {written.map(({ at, reason_id, note, ...record }, index) => (
          <li key={`${at} ${index}`}>
            <p className={classNames(parts.quote, styles.message)} dir="auto">
              <Masked text={note} />
            </p>
            <Translation text={note} />
            <small>{[t(`reason.report.${reason_id}`), formatTime(at), recordText(t, record)].join(" · ")}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function ChatLines({ lines, name }: { lines: readonly CaseLine[]; name: string }): ReactNode {
  const t = useT();
  return (
    <ol className={styles.lines}>
      {lines.map((line, index) => (
        <li key={`${line.at} ${index}`} data-from={line.from} data-reported={line.reported}>
          <time>{formatAs("second", line.at)}</time>
          <b dir="auto">{line.from === "person" ? name : t("desk.other")}</b>
          <div>
            <span dir="auto">
              {line.withheld ? <Original withheld={line.withheld} /> : <Masked text={line.text} />}
            </span>
            {line.withheld && <Fates withheld={line.withheld} />}
            <Translation text={line.withheld?.original ?? line.text} />
            {line.reported && <LineMark icon={Flag} text={t("evidence.reported")} />}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** The text as it was written, with marks where the reader got something else. */
function Original({ withheld }: { withheld: Withheld }): ReactNode {
  const spans = withheld.how === "refused" ? [] : withheld.spans;
  return textParts(withheld.original, spans).map(({ start, text, finding }) => {
    if (finding === null) return text;
    return (
      <mark key={start} className={isTaken(finding) ? styles.taken : styles.hurtful} dir={directionOf(finding)}>
        {text}
        {isTaken(finding) && <EyeOff size={13} aria-hidden="true" />}
      </mark>
    );
  });
}

/** What happened to a line, one row each. */
function Fates({ withheld }: { withheld: Withheld }): ReactNode {
  const t = useT();
  if (withheld.how === "refused") return <LineMark icon={Ban} text={t("evidence.refused")} />;
  const taken = new Set(withheld.spans.flatMap(({ finding }) => (isTaken(finding) ? finding : [])));
  return (
    <>
      {withheld.how === "covered" && <LineMark icon={EyeOff} text={t(`evidence.covered.${withheld.kind}`)} />}
      {[...taken].map((finding) => (
        <LineMark key={finding} icon={EyeOff} text={t(`evidence.hidden.${finding}`)} />
      ))}
    </>
  );
}

type FindingName = TextSpan["finding"];

/** Whether the text rules remove the letters of such a finding from the text. */
function isTaken(finding: FindingName): finding is Exclude<FindingName, "abuse" | "solicitation"> {
  return !isHurtful(finding);
}

function LineMark({ icon: Icon, text }: { icon: LucideIcon; text: string }): ReactNode {
  return (
    <small className={styles.fate}>
      <Icon size={14} aria-hidden="true" />
      {text}
    </small>
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

/** Splits a line at its masked parts: runs of dots, bullets or stars that no user types. */
export function splitMasked(line: string): readonly MaskedPart[] {
  return line
    .split(/([•●*]{2,}(?:[ \u00a0]?[•●*]{2,})*)/u)
    .map((text, index) => ({ text, isMasked: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}
