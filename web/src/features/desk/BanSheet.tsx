import { useQuery } from "@tanstack/react-query";
import { ShieldAlert, UserRoundCheck } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { deskNoteLengthMax, strikeMs, strikesMax, banWithoutSecondOpinionMs } from "@fava/wire/limits.ts";
import { type BanFacts, type BanHours, banHours, type CaseDetail, type DeskPerson } from "@fava/wire/moderation.ts";
import { banReasonOf, reasonsOfferedIn } from "@fava/wire/reasons.ts";
import { banStatement, statementFormat } from "#features/appeal/ban-statement.ts";
import { formatTime } from "#lib/format-date.ts";
import { isolate } from "#lib/format.ts";
import { currentLanguage, textsIn, type Translate, useT } from "#lib/i18n.ts";
import { languageName } from "#lib/intl.ts";
import { directionOf, type Language, pickLanguage } from "#lib/languages.ts";
import { queryClient } from "#lib/query.ts";
import { useDialogShortcuts } from "#lib/use-shortcuts.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Button } from "#ui/Button.tsx";
import { TextArea } from "#ui/Field.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { RadioCards } from "#ui/RadioCards.tsx";
import { Select } from "#ui/Select.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import type { BanReasonId, Verdict } from "./cases.ts";
import { banLength } from "./desk-format.ts";
import styles from "./BanSheet.module.css";

type Forbid = Extract<Verdict, { operation: 4 }>;

/** Length, reason, and the text that the user will read; only the reported reason is preselected. */
export function BanSheet(props: {
  person: DeskPerson;
  /** The case of the ban; null without a case. */
  about: ForbidSubject["about"];
  onForbid: (verdict: Forbid) => void;
  onClose: () => void;
}): ReactNode {
  const t = useT();
  const { person, about } = props;
  const subject = { person, about };
  const [nowMs] = useState(() => Date.now());
  const [hours, setHours] = useState<BanHours | null>(null);
  const [reasonId, setReasonId] = useState<BanReasonId | null>(() => reportedReason(subject));
  const [note, setNote] = useState("");
  const noteId = useId();
  const choice = hours === null || reasonId === null ? null : { hours, reasonId };

  const submit = () => {
    if (!choice) return;
    props.onForbid({ operation: 4, ...choice, note: note.trim() });
    props.onClose();
  };
  useDialogShortcuts((key) => {
    const chosen = /^[1-4]$/.test(key) ? banHours[Number(key) - 1] : undefined;
    if (chosen !== undefined) setHours(chosen);
    else if (key === "Enter") submit();
    else return false;
    return true;
  });

  return (
    <Sheet
      title={t("desk.forbid.title", { name: isolate(person.nickname) })}
      widthPx={760}
      row
      onClose={props.onClose}
      lead={
        <span className={styles.who}>
          <Avatar src={person.avatar} name={person.nickname} sizePx={30} />
          {isolate(person.user_no)} · {strikeText(t, person.strikes.length)}
        </span>
      }
      foot={
        <div className={styles.foot}>
          <Button kind="plain" onClick={props.onClose}>
            {t("common.cancel")}
            <Kbd>Esc</Kbd>
          </Button>
          <Button kind="danger" disabled={choice === null} onClick={submit}>
            {buttonText(t, hours)}
            <Kbd>Enter</Kbd>
          </Button>
        </div>
      }
    >
      <div className={styles.columns}>
        <div className={styles.choices}>
          <Lengths person={person} nowMs={nowMs} value={hours} onChange={setHours} />
          <Select
            label={t("desk.reason")}
            value={reasonId === null ? "" : String(reasonId)}
            options={[
              ...(reasonId === null ? [{ value: "", text: t("desk.reason.choose") }] : []),
              ...banSheetReasons.map((id) => ({ value: String(id), text: t(`ban.reason.${id}`) })),
            ]}
            onChange={(value) => setReasonId(banSheetReasons.find((id) => String(id) === value) ?? null)}
          />
          <div className={styles.note}>
            <label htmlFor={noteId}>
              {t("desk.forNote")} <span>{t("desk.optional")}</span>
            </label>
            <TextArea
              id={noteId}
              rows={2}
              dir="auto"
              maxLength={deskNoteLengthMax}
              value={note}
              onChange={(event) => setNote(event.target.value)}
            />
          </div>
        </div>
        <div className={styles.reads}>
          <StatementPreview subject={subject} choice={choice} nowMs={nowMs} />
          <p className={styles.effect}>
            <ShieldAlert size={18} aria-hidden="true" />
            {t(about?.call?.live ? "desk.forbid.endsCall" : "desk.forbid.endsSession", {
              count: about?.reporters ?? 0,
            })}
          </p>
        </div>
      </div>
    </Sheet>
  );
}

function Lengths(props: {
  person: ForbidSubject["person"];
  nowMs: number;
  value: BanHours | null;
  onChange: (hours: BanHours) => void;
}): ReactNode {
  const t = useT();
  const { person, nowMs, value } = props;
  const hintOf = (hours: BanHours) =>
    hours === 0 ? (
      <span className={styles.second}>
        <UserRoundCheck size={14} aria-hidden="true" />
        {t("desk.forbid.second")}
      </span>
    ) : (
      t("desk.forbid.until", { until: formatTime(banEnd(hours, nowMs)) })
    );
  return (
    <RadioCards
      legend={t("desk.forbid.length")}
      value={value === null ? null : String(value)}
      options={banHours.map((hours, index) => ({
        value: String(hours),
        label: (
          <>
            {banLength(t, hours)}{" "}
            {hours === person.next_hours && <small className={styles.ladder}>{t("desk.forbid.ladder")}</small>}
          </>
        ),
        hint: hintOf(hours),
        trailing: <Kbd>{index + 1}</Kbd>,
      }))}
      onChange={(chosen) => {
        const hours = banHours.find((one) => String(one) === chosen);
        if (hours !== undefined) props.onChange(hours);
      }}
    />
  );
}

function buttonText(t: Translate, hours: BanHours | null): string {
  if (hours === null) return t("desk.forbid.chooseLength");
  return hours === 0 ? t("desk.forbid.askSecond") : t("desk.forbid.do", { length: banLength(t, hours) });
}

function strikeText(t: Translate, inForce: number): string {
  return t("desk.forbid.strike", { strike: Math.min(inForce + 1, strikesMax), max: strikesMax });
}

/** The statement that the user will read, in their language; it follows the choice. */
function StatementPreview(props: {
  subject: ForbidSubject;
  choice: { hours: BanHours; reasonId: BanReasonId } | null;
  nowMs: number;
}): ReactNode {
  const t = useT();
  const { subject, choice } = props;
  const { person } = subject;
  const language = pickLanguage([person.language]);
  const texts = useTextsIn(language);
  const statement =
    texts && choice
      ? banStatement(texts, statementFormat(language, "utc"), banSheetFacts(subject, choice, props.nowMs))
      : null;
  return (
    <section className={styles.preview}>
      <h3>
        {t("desk.forbid.reads", { name: isolate(person.nickname) })}
        <span>{languageName(currentLanguage(), language)}</span>
      </h3>
      <div className={styles.statement} lang={language} dir={directionOf(language)} aria-live="polite">
        {!choice && (
          <p className={styles.none} dir="auto">
            {t("desk.forbid.chooseFirst")}
          </p>
        )}
        {choice && !statement && <Skeleton height="120px" />}
        {statement && (
          <>
            <p className={styles.title}>{statement.title}</p>
            {statement.lines.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </>
        )}
      </div>
    </section>
  );
}

/** The texts of a language; null until they are loaded. */
function useTextsIn(language: Language): Translate | null {
  const query = { queryKey: ["texts", language], queryFn: () => textsIn(language), throwOnError: false };
  return useQuery(query, queryClient).data ?? null;
}

const hourMs = 3_600_000;

/** The reasons for a ban, without wrong gender. */
export const banSheetReasons: readonly BanReasonId[] = reasonsOfferedIn("ban").map(({ banReason }) => banReason);

/** The person and the case of a ban. */
interface ForbidSubject {
  readonly person: DeskPerson;
  /** The case; null without one. */
  readonly about: Pick<CaseDetail, "reporters" | "reason_id" | "call"> | null;
}

/**
 * The ban reason that corresponds to the report's reason; null without a case, and for a reason that this dialog does
 * not offer.
 */
export function reportedReason({ about }: ForbidSubject): BanReasonId | null {
  if (!about) return null;
  const reason = banReasonOf(about.reason_id);
  return banSheetReasons.includes(reason) ? reason : null;
}

/** When a ban of this length ends; a permanent one ends by itself unless a second moderator agrees. */
function banEnd(hours: BanHours, nowMs: number): number {
  return nowMs + (hours === 0 ? banWithoutSecondOpinionMs : hours * hourMs);
}

/** The facts of the ban, for the statement that the user reads. */
export function banSheetFacts(
  { person, about }: ForbidSubject,
  choice: { hours: BanHours; reasonId: BanReasonId },
  nowMs: number,
): BanFacts {
  return {
    at: nowMs,
    until: banEnd(choice.hours, nowMs),
    reason_id: choice.reasonId,
    by: "person",
    is_provisional: choice.hours === 0,
    rule: null,
    call_at: about?.call?.at ?? null,
    reports: about?.reporters ?? 0,
    strike: Math.min(person.strikes.length + 1, strikesMax),
    strike_until: nowMs + strikeMs,
  };
}
