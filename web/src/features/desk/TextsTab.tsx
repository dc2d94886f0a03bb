import { Check, MessageCircleOff, TextQuote, UserRound, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { TextQuestion } from "@fava/wire/endpoints/text-questions.ts";
import { caseRules } from "@fava/wire/moderation.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { formatTime } from "#lib/format-date.ts";
import { isolate } from "#lib/format.ts";
import { type Key, useLanguage, useT } from "#lib/i18n.ts";
import { listText } from "#lib/intl.ts";
import { useNow } from "#lib/use-now.ts";
import { useShortcuts } from "#lib/use-shortcuts.ts";
import { Button } from "#ui/Button.tsx";
import { Link } from "#ui/Link.tsx";
import { MarkedText } from "#ui/MarkedText.tsx";
import { classNames } from "#ui/class-names.ts";
import { formatAge, useAwayText } from "./desk-format.ts";
import { useListedWaiting } from "./desk-info.ts";
import {
  ItemHead,
  ItemRow,
  KeyButton,
  ClaimMark,
  NoRows,
  EmptyNotice,
  SectionTitle,
  TimeLeft,
  UndoBar,
} from "./parts.tsx";
import { KeysSheet } from "./sheets.tsx";
import { type Texts, useTexts } from "./texts.ts";
import parts from "./Parts.module.css";
import queue from "./Reports.module.css";
import styles from "./Texts.module.css";

/** Users' objections to rejected names and texts, and to mutes: the list, and the open question with its answer. */
export function TextsTab({ user }: { user: OwnUser }): ReactNode {
  const texts = useTexts(user.user_id);
  useListedWaiting("texts", texts.isLoading || texts.isFailed ? null : texts.waiting);
  const [isShowingKeys, setShowingKeys] = useState(false);
  const { row } = texts;
  const acts: Readonly<Record<string, () => void>> = {
    j: () => texts.step(1),
    k: () => texts.step(-1),
    Enter: () => (row ? texts.open(row) : texts.step(1)),
    a: () => texts.decide(1),
    r: () => texts.decide(2),
    u: texts.undo,
    "?": () => setShowingKeys(true),
  };
  useShortcuts((key) => {
    texts.keepClaim();
    const act = acts[key];
    act?.();
    return act !== undefined;
  });
  return (
    <div className={classNames(parts.screen, styles.screen)} data-view={row ? "item" : "list"}>
      <TextList texts={texts} />
      <section aria-label={row?.person.nickname}>
        <OpenQuestion texts={texts} onKeys={() => setShowingKeys(true)} />
        <div className={queue.foot}>
          <UndoBar pending={texts.pending} isHeld={texts.isHeld} className={queue.undo} onUndo={texts.undo} />
          {row && <TextActions texts={texts} row={row} onKeys={() => setShowingKeys(true)} />}
        </div>
      </section>
      {isShowingKeys && <KeysSheet of="texts" onClose={() => setShowingKeys(false)} />}
    </div>
  );
}

const placeTexts: Readonly<Record<TextQuestion["place"], Key>> = {
  nickname: "profile.name",
  about: "profile.about",
  location: "profile.location",
  mute: "desk.event.mute",
};

function TextList({ texts }: { texts: Texts }): ReactNode {
  const t = useT();
  const nowMs = useNow(30_000);
  const { rows, row: open } = texts;
  const isKnown = rows.length > 0 || !(texts.isLoading || texts.isFailed);
  return (
    <nav className={queue.queue} aria-label={t("desk.tab.texts")} aria-busy={texts.isLoading}>
      <header>
        <h2>{isKnown ? t("desk.waiting", { count: texts.waiting }) : t("desk.tab.texts")}</h2>
        {texts.oldestAt !== null && <span>{t("desk.oldest", { age: formatAge(texts.oldestAt, nowMs) })}</span>}
      </header>
      {rows.length === 0 && <NoRows isLoading={texts.isLoading} isFailed={texts.isFailed} onRefresh={texts.refresh} />}
      <ul className={classNames(parts.scroll, queue.rows)}>
        {rows.map((row) => (
          <li key={row.id}>
            <QuestionRow row={row} isOpen={row.id === open?.id} nowMs={nowMs} onOpen={() => texts.open(row)} />
          </li>
        ))}
        {texts.hasMore && (
          <li>
            <Button size="small" kind="plain" block onClick={texts.more}>
              {t("desk.more")}
            </Button>
          </li>
        )}
      </ul>
    </nav>
  );
}

/** Who asks, about what, and how much of the promised time is left. */
function QuestionRow(props: { row: TextQuestion; isOpen: boolean; nowMs: number; onOpen: () => void }): ReactNode {
  const t = useT();
  const { row } = props;
  const { claim, person } = row;
  return (
    <ItemRow person={person} isOpen={props.isOpen} isOff={claim?.mine === false} onOpen={props.onOpen}>
      <b>{t(placeTexts[row.place])}</b>
      <span className={queue.who}>
        <bdi translate="no">{person.nickname}</bdi> · {isolate(person.user_no)}
      </span>
      <span className={queue.meta}>
        <TimeLeft dueAt={row.due_at} nowMs={props.nowMs} />
        {claim && <ClaimMark claim={claim} />}
      </span>
    </ItemRow>
  );
}

/** The open question, or a placeholder. */
function OpenQuestion({ texts, onKeys }: { texts: Texts; onKeys: () => void }): ReactNode {
  const t = useT();
  const { row } = texts;
  if (!row) {
    const text = texts.rows.length > 0 ? t("desk.case.choose") : null;
    return <EmptyNotice text={text} action={{ text: t("desk.keys"), run: onKeys }} />;
  }
  return (
    <div className={classNames(parts.scroll, styles.page)}>
      <ItemHead
        person={row.person}
        title={row.person.nickname}
        facts={[isolate(row.person.user_no), t(placeTexts[row.place])]}
        onClose={texts.close}
      />
      {row.mute ? <MuteFacts mute={row.mute} /> : <TextFacts row={row} />}
      <p className="visually-hidden" role="status">
        {t(placeTexts[row.place])}: {isolate(row.person.nickname)}
      </p>
    </div>
  );
}

function TextFacts({ row }: { row: TextQuestion }): ReactNode {
  const t = useT();
  const language = useLanguage();
  const rules = [...new Set(row.spans.map(({ rule }) => rule))];
  return (
    <>
      <section className={parts.card}>
        <SectionTitle icon={TextQuote} title={t("asked.wrote")} />
        <p className={styles.text}>
          <MarkedText text={row.text} spans={row.spans} />
        </p>
        {rules.length > 0 && (
          <p className={parts.quiet}>{t("asked.rule", { rule: listText(language, rules.map(isolate)) })}</p>
        )}
      </section>
      <section className={parts.card}>
        <SectionTitle icon={UserRound} title={t("asked.current")} />
        {row.source === "provider" && <p className={parts.quiet}>{t("asked.provider")}</p>}
        <p className={styles.text}>
          <MarkedText text={row.current === "" ? "–" : row.current} spans={[]} />
        </p>
      </section>
    </>
  );
}

function MuteFacts({ mute }: { mute: NonNullable<TextQuestion["mute"]> }): ReactNode {
  const t = useT();
  const rule = caseRules.find((known) => known === mute.rule);
  return (
    <section className={parts.card}>
      <SectionTitle icon={MessageCircleOff} title={rule ? t(`desk.rule.${rule}`) : mute.rule} />
      {mute.until !== null && <p className={styles.text}>{t("asked.muteUntil", { time: formatTime(mute.until) })}</p>}
      {mute.case_id !== null && (
        <Link to={`/reportReview?case=${encodeURIComponent(mute.case_id)}`} className={styles.link}>
          {t("asked.openCase", { no: isolate(`R-${mute.case_id}`) })}
        </Link>
      )}
    </section>
  );
}

/** The two answers; above them why they are disabled, if they are. */
function TextActions({ texts, row, onKeys }: { texts: Texts; row: TextQuestion; onKeys: () => void }): ReactNode {
  const t = useT();
  const away = useAwayText();
  const { closed } = texts;
  const [accept, keep] = answersOf(row);
  return (
    <footer className={parts.bar}>
      {closed !== null && (
        <p className={classNames(parts.closed, queue.closed)} role="status">
          {closed === "offline" ? away : t("desk.closed.claimed")}
        </p>
      )}
      <div className={classNames(parts.actions, queue.actions)} role="group" aria-label={t("desk.decide")}>
        <KeyButton
          shortcut="A"
          disabled={closed !== null}
          icon={<Check size={18} aria-hidden="true" />}
          onClick={() => texts.decide(1)}
        >
          {t(accept)}
        </KeyButton>
        <KeyButton
          shortcut="R"
          disabled={closed !== null}
          icon={<X size={18} aria-hidden="true" />}
          onClick={() => texts.decide(2)}
        >
          {t(keep)}
        </KeyButton>
        <span className={queue.gap} />
        <KeyButton shortcut="?" kind="plain" onClick={onKeys}>
          {t("desk.keys")}
        </KeyButton>
      </div>
    </footer>
  );
}

function answersOf({ place, source }: TextQuestion): readonly [Key, Key] {
  if (place === "mute") return ["asked.endMute", "asked.keepMute"];
  return source === "provider" ? ["asked.keepName", "asked.toNumber"] : ["asked.accept", "asked.refuse"];
}
