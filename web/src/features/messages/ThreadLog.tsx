import { ArrowDown, Check, CheckCheck, CircleAlert, Clock, EyeOff, PhoneMissed, Video } from "lucide-react";
import { type ReactNode, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Conversation, Message, TextCover } from "@fava/wire/messages.ts";
import type { Reaction } from "@fava/wire/reactions.ts";
import { refusalKeys } from "@fava/wire/refusals.ts";
import { formatTime } from "#lib/format-date.ts";
import { formatSpan, isolate } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { minuteMs, useNow } from "#lib/use-now.ts";
import { useRingOffer } from "#features/notifications/use-ring-offer.ts";
import { disputeText, reportMessage, useIsDisputed, useIsMessageReported } from "#features/people/line-marks.ts";
import { blockPerson, type PersonRef } from "#features/people/relation-actions.ts";
import { Button } from "#ui/Button.tsx";
import { CoveredText, DisputePress, OwnText } from "#ui/CoveredText.tsx";
import { TranslatableText } from "#ui/TranslatableText.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { ReactMenu, ShownReaction } from "./MessageReaction.tsx";
import { compareIds } from "./message-order.ts";
import { dayName, formatMessageDate, formatMessageHour, isSameDay } from "./message-time.ts";
import type { SendProblem, Thread, Unsent } from "./messages-state.ts";
import { discard, setWatched, tryAgain, loadOlder } from "./messages.ts";
import styles from "./Thread.module.css";

type UnsentFailed = Extract<Unsent, { state: "failed" }>;

/** All messages, oldest first; opens at the newest and never scrolls away under the reader. */
export function ThreadLog(props: {
  thread: Thread;
  unsent: readonly Unsent[];
  isTyping: boolean;
  /** Takes the text of a failed message back into the composer; null if the user cannot write here. */
  onEdit: ((failed: UnsentFailed) => void) | null;
}): ReactNode {
  const t = useT();
  const { thread, unsent, isTyping } = props;
  const nowMs = useNow(minuteMs);
  const rows = threadRows(thread, unsent);
  const { log, hasNews, toEnd } = useLogScroll(rows, isTyping);
  const lastOfOther = rows.findLast((row) => row.kind === "bubble" && row.from === "other")?.key ?? null;
  const lastMissed = rows.findLast((row) => row.kind === "missed" && row.from === "other")?.key ?? null;
  const { conversation } = thread;
  const name = isolate(conversation?.userProfile.nick ?? "");
  return (
    <div className={styles.logBox}>
      <div
        ref={log}
        className={styles.log}
        role="log"
        aria-label={t("msg.log", { name })}
        // Older messages are inserted above: screen readers must not announce them.
        aria-busy={thread.load === "older" || undefined}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards reach what scrolled away only by a focus
        tabIndex={0}
      >
        <Older thread={thread} />
        {rows.map((row) => (
          <Row
            key={row.key}
            row={row}
            name={name}
            nowMs={nowMs}
            externalId={thread.externalId}
            conversation={conversation}
            isLastMissed={row.key === lastMissed}
            isLastOfOther={row.key === lastOfOther}
            onEdit={props.onEdit}
          />
        ))}
        {isTyping && (
          <div className={styles.typing} role="img" aria-label={t("msg.isTyping", { name })}>
            <i />
            <i />
            <i />
          </div>
        )}
      </div>
      {hasNews && (
        <Button
          kind="ink"
          size="small"
          pill
          className={styles.news}
          icon={<ArrowDown size={18} aria-hidden="true" />}
          onClick={toEnd}
        >
          {t("msg.newBelow")}
        </Button>
      )}
    </div>
  );
}

function Older({ thread }: { thread: Thread }): ReactNode {
  const t = useT();
  if (thread.next === null) return null;
  if (thread.failed === "older" && thread.load !== "older") {
    return (
      <p className={styles.day}>
        {t("msg.olderFailed")}
        <button type="button" onClick={loadOlder}>
          {t("common.retry")}
        </button>
      </p>
    );
  }
  // The line reserves its height while it is hidden, because otherwise the messages would move while older ones load.
  return (
    <p className={styles.day} data-idle={thread.load !== "older" || undefined}>
      {t("msg.olderLoading")}
    </p>
  );
}

function Row(props: {
  row: ThreadRow;
  name: string;
  nowMs: number;
  externalId: string;
  conversation: Conversation | null;
  /** Whether this row is the partner's newest missed call. */
  isLastMissed: boolean;
  /** Whether this row is the partner's newest message. */
  isLastOfOther: boolean;
  onEdit: ((failed: UnsentFailed) => void) | null;
}): ReactNode {
  const t = useT();
  const { row } = props;
  switch (row.kind) {
    case "day":
      return <p className={styles.day}>{dayWords(row.atMs, props.nowMs, t)}</p>;
    case "met":
      return (
        <p className={styles.day}>
          <Video size={15} aria-hidden="true" />
          {t("msg.met", { span: formatSpan(row.seconds) })}
        </p>
      );
    case "missed":
      return (
        <p className={styles.day}>
          <PhoneMissed size={15} aria-hidden="true" />
          {row.from === "me" ? t("msg.notTaken", { name: props.name }) : t("msg.missed")}
          {props.isLastMissed && <RingOffer />}
        </p>
      );
    case "bubble":
      return (
        <MessageBubble
          row={row}
          externalId={props.externalId}
          conversation={props.conversation}
          isLastOfOther={props.isLastOfOther}
          onEdit={props.onEdit}
        />
      );
    case "receipt":
      return <Receipt isRead={row.isRead} atMs={row.atMs} />;
  }
}

/** The offer is as high as the line beside it, so that nothing moves when the offer appears. */
function RingOffer(): ReactNode {
  const t = useT();
  const ask = useRingOffer();
  return (
    ask && (
      <button type="button" onClick={ask}>
        {t("notify.ringOffer")}
      </button>
    )
  );
}

function dayWords(atMs: number, nowMs: number, t: Translate): string {
  const day = dayName(atMs, nowMs);
  return day === "date" ? formatMessageDate(atMs, nowMs) : t(`msg.${day}`);
}

/** The scroll position of the log, and whether there is something new below the visible part. */
function useLogScroll(
  rows: readonly ThreadRow[],
  isTyping: boolean,
): { log: RefObject<HTMLDivElement | null>; hasNews: boolean; toEnd: () => void } {
  const log = useRef<HTMLDivElement>(null);
  const before = useRef<{ ends: LogEnds; shape: LogShape } | null>(null);
  const [hasNews, setHasNews] = useState(false);
  const first = rows.at(0)?.key ?? null;
  const last = rows.findLast(({ kind }) => kind === "bubble" || kind === "met" || kind === "missed");
  const lastKey = last?.key ?? null;
  const isOwn = last !== undefined && "from" in last && last.from === "me";
  const note = useCallback(() => {
    const box = log.current;
    if (!box || !before.current) return;
    before.current = { ...before.current, shape: shapeOf(box) };
    const atEnd = isAtEnd(before.current.shape);
    if (atEnd) setHasNews(false);
    setWatched(atEnd && !document.hidden);
    if (isNearStart(before.current.shape)) loadOlder();
  }, []);
  useLayoutEffect(() => {
    const box = log.current;
    if (!box) return;
    const now = { ends: { firstKey: first, lastKey, isOwn }, shape: shapeOf(box) };
    const move = logMove(before.current, now);
    if (move.to === "stay") setHasNews((had) => had || move.isNews);
    else box.scrollTop = move.to === "end" ? box.scrollHeight : move.to;
    before.current = now;
    note();
  }, [note, first, lastKey, isOwn, isTyping, rows.length]);
  useEffect(() => {
    const box = log.current;
    if (!box) return undefined;
    const owner = new AbortController();
    box.addEventListener("scroll", note, { signal: owner.signal, passive: true });
    document.addEventListener("visibilitychange", note, { signal: owner.signal });
    // An on-screen keyboard shrinks the log: what was at its end stays in view.
    const watch = new ResizeObserver(() => {
      if (before.current && isAtEnd(before.current.shape)) box.scrollTop = box.scrollHeight;
      note();
    });
    watch.observe(box);
    return () => {
      owner.abort();
      watch.disconnect();
    };
  }, [note]);
  const toEnd = () => {
    const box = log.current;
    if (box) box.scrollTop = box.scrollHeight;
    box?.focus({ preventScroll: true });
  };
  return { log, hasNews, toEnd };
}

function shapeOf({ scrollTop, scrollHeight, clientHeight }: HTMLElement): LogShape {
  return { scrollTop, scrollHeight, clientHeight };
}

/** Reasons of rejected messages that the sender can act on. */
const toldRefusals = [
  "personal_data",
  "abusive_text",
  "invisible_text",
  "not_friends",
  "request_pending",
  "official",
  "profile_incomplete",
  "age_check",
] as const;

/** Rejections by the text rules, to which the writer can object. */
const disputable: ReadonlySet<string> = new Set(["personal_data", "abusive_text"]);

/** One message; an unsent one shows why, and keeps its text. */
function MessageBubble(props: {
  row: Bubble;
  externalId: string;
  conversation: Conversation | null;
  isLastOfOther: boolean;
  onEdit: ((failed: UnsentFailed) => void) | null;
}): ReactNode {
  const t = useT();
  const { row, conversation } = props;
  const { from, text, atMs, isTail, origin, reaction } = row;
  const unsent = origin.kind === "unsent" ? origin.unsent : null;
  const failed = unsent?.state === "failed" ? unsent : null;
  const spans = failed?.problem.kind === "refused" ? failed.problem.spans : [];
  const isCovered = origin.kind === "stored" && origin.cover !== null;
  const canReact = from === "other" && text !== "" && props.onEdit !== null && conversation?.state === "open";
  const bubble = (
    <p
      className={styles.bubble}
      data-from={from}
      data-tail={isTail || undefined}
      data-failed={failed ? true : undefined}
      data-gone={text === "" || undefined}
      title={formatTime(atMs)}
    >
      {/* Inside, so that a text of another direction does not mirror the bubble. */}
      {text === "" ? (
        t("msg.deleted")
      ) : from === "other" && origin.kind === "stored" && origin.cover && conversation ? (
        <CoveredMessage messageId={origin.id} cover={origin.cover} conversation={conversation} />
      ) : from === "other" && origin.kind === "stored" ? (
        <TranslatableText
          text={text}
          place={{ of: "message", id: origin.id }}
          writerId={conversation?.userId}
          sharesLanguage={false}
          hidden={[]}
          hidesContacts={conversation?.state !== "open"}
        />
      ) : (
        <span dir="auto" translate="no">
          <OwnText text={text} spans={spans} isSent={false} />
        </span>
      )}
    </p>
  );
  return (
    <>
      {canReact && origin.kind === "stored" ? (
        <div className={styles.line}>
          {bubble}
          <ReactMenu
            externalId={props.externalId}
            messageId={origin.id}
            reaction={reaction}
            isStop={props.isLastOfOther}
          />
        </div>
      ) : (
        bubble
      )}
      {reaction !== null && <ShownReaction from={from} reaction={reaction} conversation={conversation} />}
      {from === "me" && isCovered && text !== "" && (
        <div className={styles.state}>
          <EyeOff size={15} aria-hidden="true" />
          <span>{t("covered.own")}</span>
          <Dispute text={text} clientId={origin.clientId} />
        </div>
      )}
      {unsent && !failed && (
        <p className={styles.state}>
          <Clock size={15} aria-hidden="true" />
          <VisuallyHidden>{t("msg.sending")}</VisuallyHidden>
        </p>
      )}
      {failed && <Failed failed={failed} externalId={props.externalId} onEdit={props.onEdit} />}
    </>
  );
}

/** A hurtful message; a threat can be reported only together with a block. */
function CoveredMessage(props: { messageId: string; cover: TextCover; conversation: Conversation }): ReactNode {
  const t = useT();
  const { messageId, cover, conversation } = props;
  const { userId, externalId, userProfile } = conversation;
  const person: PersonRef = { userId, externalId, nickname: userProfile.nick };
  const reported = { userId, messageId, cover };
  const isReported = useIsMessageReported(messageId);
  async function blockAndReport(): Promise<void> {
    if (await reportMessage(reported)) await blockPerson(person);
  }
  return (
    <CoveredText
      cover={cover}
      hidden={[]}
      isReported={isReported}
      onReport={() => void reportMessage(reported)}
      threatPress={
        <>
          <button type="button" onClick={() => void blockAndReport()}>
            {t("covered.block")}
          </button>
          <a href="/safety" target="_blank" rel="noopener">
            {t("panic.help")}
            <VisuallyHidden>({t("common.newWindow")})</VisuallyHidden>
          </a>
        </>
      }
    />
  );
}

/** Objects to a finding in the user's own text. `clientId` null: the text was rejected and has none. */
function Dispute({ text, clientId }: { text: string; clientId: string | null }): ReactNode {
  const own = { place: "message", text, clientId } as const;
  const isNoted = useIsDisputed(own);
  return <DisputePress isNoted={isNoted} onPress={() => void disputeText(own)} />;
}

/** The delivery state of the user's own newest message. */
function Receipt({ isRead, atMs }: { isRead: boolean; atMs: number }): ReactNode {
  const t = useT();
  return (
    <p className={styles.state}>
      {isRead ? <CheckCheck size={15} aria-hidden="true" /> : <Check size={15} aria-hidden="true" />}
      <span>{isRead ? t("msg.read") : t("msg.sent", { time: formatMessageHour(atMs) })}</span>
    </p>
  );
}

function Failed(props: {
  failed: UnsentFailed;
  externalId: string;
  onEdit: ((failed: UnsentFailed) => void) | null;
}): ReactNode {
  const t = useT();
  const { failed, externalId, onEdit } = props;
  const { clientId, problem } = failed;
  return (
    <div className={styles.state} data-failed>
      <CircleAlert size={15} aria-hidden="true" />
      <span>{problemWords(problem, t)}</span>
      {problem.kind === "refused" && disputable.has(problem.reason) && <Dispute text={failed.text} clientId={null} />}
      {problem.kind === "refused" ? (
        onEdit && (
          <button type="button" onClick={() => onEdit(failed)}>
            {t("msg.edit")}
          </button>
        )
      ) : (
        <button type="button" onClick={() => tryAgain(externalId, clientId)}>
          {t("common.retry")}
        </button>
      )}
      <button type="button" onClick={() => discard(externalId, clientId)}>
        {t("msg.discard")}
      </button>
    </div>
  );
}

function problemWords(problem: SendProblem, t: Translate): string {
  switch (problem.kind) {
    case "network":
      return t("msg.notSent");
    case "too-fast":
      return t("msg.tooFast");
    case "refused": {
      const told = toldRefusals.find((reason) => reason === problem.reason);
      return t(told ? refusalKeys[told] : "msg.cannot");
    }
  }
}

/** One row of a thread. `key` stays when an unsent message becomes a stored one. */
type ThreadRow =
  | { readonly kind: "day"; readonly key: string; readonly atMs: number }
  | { readonly kind: "met"; readonly key: string; readonly seconds: number }
  /** A missed ring; `from` says who rang. */
  | { readonly kind: "missed"; readonly key: string; readonly from: "me" | "other" }
  | {
      readonly kind: "bubble";
      readonly key: string;
      readonly from: "me" | "other";
      readonly text: string;
      readonly atMs: number;
      /** The last of consecutive messages by one person. */
      readonly isTail: boolean;
      /** Of the message's reader; null: none. */
      readonly reaction: Reaction | null;
      readonly origin: Origin;
    }
  /** The delivery state of the user's own message, if it is the newest one of the thread. */
  | { readonly kind: "receipt"; readonly key: string; readonly isRead: boolean; readonly atMs: number };

/** The message on the server, or still unsent. */
type Origin =
  | { readonly kind: "stored"; readonly id: string; readonly clientId: string; readonly cover: TextCover | null }
  | { readonly kind: "unsent"; readonly unsent: Unsent };

type Bubble = Extract<ThreadRow, { kind: "bubble" }>;

/** Days, calls, messages and the state of the user's last message, in reading order. */
export function threadRows(thread: Thread, unsent: readonly Unsent[]): readonly ThreadRow[] {
  const rows: ThreadRow[] = [];
  let dayMs: number | null = null;
  const add = (row: Exclude<ThreadRow, { kind: "day" }>, atMs: number) => {
    if (dayMs === null || !isSameDay(dayMs, atMs)) rows.push({ kind: "day", key: `day ${row.key}`, atMs });
    dayMs = atMs;
    rows.push(row);
  };
  const receipt = receiptOf(thread);
  for (const message of thread.messages) {
    add(rowOf(message), message.time);
    if (receipt?.message === message) rows.push(receipt.row);
  }
  for (const one of unsent) add(unsentRow(one), one.time);
  return rows.map((row, index) => (row.kind === "bubble" ? { ...row, isTail: isTail(row, rows[index + 1]) } : row));
}

function rowOf(message: Message): Bubble | Extract<ThreadRow, { kind: "met" | "missed" }> {
  const { id, clientId, msgType, text, position, time, cover = null, reaction = null } = message;
  if (msgType === "met") return { kind: "met", key: id, seconds: Number(text) || 0 };
  const from = position === "right" ? "me" : "other";
  if (msgType === "missed") return { kind: "missed", key: id, from };
  const origin = { kind: "stored", id, clientId, cover } as const;
  return { kind: "bubble", key: `${from} ${clientId}`, from, text, atMs: time, isTail: false, reaction, origin };
}

function unsentRow(unsent: Unsent): Bubble {
  const { clientId, text, time } = unsent;
  const origin = { kind: "unsent", unsent } as const;
  return { kind: "bubble", key: `me ${clientId}`, from: "me", text, atMs: time, isTail: false, reaction: null, origin };
}

function isTail(bubble: Bubble, next: ThreadRow | undefined): boolean {
  return next?.kind !== "bubble" || next.from !== bubble.from;
}

/**
 * The receipt below the newest message, if the user wrote it; otherwise null, because a later message of the partner
 * shows that they have read it.
 */
function receiptOf({ messages, conversation }: Thread): { message: Message; row: ThreadRow } | null {
  const message = messages.at(-1);
  if (message?.position !== "right" || message.msgType !== "text") return null;
  const readUpTo = conversation?.read_up_to ?? null;
  const isRead = readUpTo !== null && compareIds(readUpTo, message.id) >= 0;
  return { message, row: { kind: "receipt", key: `receipt ${message.id}`, isRead, atMs: message.time } };
}

/** The scroll state of the log before or after a change. Lengths in pixels. */
export interface LogShape {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

/** The first and last row, which are compared on a change. */
export interface LogEnds {
  readonly firstKey: string | null;
  readonly lastKey: string | null;
  /** The last row is the user's own message. */
  readonly isOwn: boolean;
}

/** Within this distance from the end, the log follows new messages. */
const nearEndPx = 48;
/** Within this distance from the start, older messages are loaded. */
const nearStartPx = 240;

function isAtEnd({ scrollTop, scrollHeight, clientHeight }: LogShape): boolean {
  return scrollHeight - scrollTop - clientHeight <= nearEndPx;
}

function isNearStart({ scrollTop }: LogShape): boolean {
  return scrollTop <= nearStartPx;
}

/**
 * How the log scrolls when its rows change. It opens at the newest message, follows new messages while it is at the
 * end, and follows those that the user writes; older rows above do not move what is being read.
 */
type LogMove = { readonly to: "end" } | { readonly to: number } | { readonly to: "stay"; readonly isNews: boolean };

export function logMove(
  before: { ends: LogEnds; shape: LogShape } | null,
  now: { ends: LogEnds; shape: LogShape },
): LogMove {
  if (!before || before.ends.lastKey === null) return { to: "end" };
  const isNew = before.ends.lastKey !== now.ends.lastKey;
  if (isAtEnd(before.shape) || (isNew && now.ends.isOwn)) return { to: "end" };
  if (before.ends.firstKey !== now.ends.firstKey && !isNew)
    return { to: before.shape.scrollTop + now.shape.scrollHeight - before.shape.scrollHeight };
  return { to: "stay", isNews: isNew };
}
