import { useStore } from "zustand";
import { chatReport, feedback } from "@fava/wire/endpoints/moderation.ts";
import { textDispute } from "@fava/wire/endpoints/texts.ts";
import type { TextCover } from "@fava/wire/messages.ts";
import { reasons, type ReportReason } from "@fava/wire/reasons.ts";
import { request } from "#lib/api/request.ts";
import { createChoiceStore } from "#lib/choice-store.ts";
import { currentUser } from "#lib/session.ts";
import { offerNoKindWordTo } from "./kind-words.ts";
import { tellFailure } from "./relation-actions.ts";

/** Lines and messages that the user reported or objected to, until sign-out. */
const store = createChoiceStore<{ marked: ReadonlySet<string> }>(() => ({ marked: new Set() }));

/** The report reason for a text: by its cover, or the general one without a cover. */
export function reasonOf(cover: TextCover | null): ReportReason {
  if (cover === null) return reasons.violation.id;
  return cover.kind === "solicitation" ? reasons.pornography.id : reasons.harassment.id;
}

/** A chat line of a call, by its client id. */
interface CallLine {
  readonly userId: number;
  readonly callId: string;
  readonly lineId: string;
  readonly cover: TextCover | null;
}

/** A message of a conversation, by its id. */
interface ReportedMessage {
  readonly userId: number;
  readonly messageId: string;
  readonly cover: TextCover | null;
}

/**
 * A text that the user wrote. `clientId`: of a line or message that the server stored; null: the server rejected the
 * text.
 */
interface OwnText {
  readonly place: "call" | "message";
  readonly text: string;
  readonly clientId: string | null;
}

/** Returns a function that says whether a line of the call, by its client id, was reported. */
export function useReportedLines(callId: string): (lineId: string) => boolean {
  const marked = useStore(store, (state) => state.marked);
  return (lineId) => marked.has(lineKey({ callId, lineId }));
}

export function useIsMessageReported(messageId: string): boolean {
  return useIsMarked(messageKey(messageId));
}

export function useIsDisputed(own: OwnText): boolean {
  return useIsMarked(disputeKey(own));
}

/** Reports one chat line. Marks it at once; unmarks it with a message if the server does not store the report. */
export function reportLine(line: CallLine): Promise<boolean> {
  const { userId, callId, lineId, cover } = line;
  const about = { id: reasonOf(cover), other_id: userId, call_id: callId, line_id: lineId };
  offerNoKindWordTo(userId);
  return mark(lineKey(line), (ownId) => request(feedback, { ...about, user_id: ownId }));
}

/** Reports one message in the same way. */
export function reportMessage({ userId, messageId, cover }: ReportedMessage): Promise<boolean> {
  const about = { id: reasonOf(cover), other_id: userId, message_id: messageId };
  return mark(messageKey(messageId), (ownId) => request(chatReport, { ...about, user_id: ownId }));
}

/** Objects to the finding of the text rules in a text of the user. */
export function disputeText(own: OwnText): Promise<boolean> {
  const { place, text, clientId } = own;
  const about = { place, text, ...(clientId !== null && { client_id: clientId }) };
  return mark(disputeKey(own), (ownId) => request(textDispute, { ...about, user_id: ownId }));
}

function useIsMarked(key: string): boolean {
  return useStore(store, ({ marked }) => marked.has(key));
}

const lineKey = ({ callId, lineId }: Pick<CallLine, "callId" | "lineId">) => `line ${callId} ${lineId}`;
const messageKey = (messageId: string) => `message ${messageId}`;
const disputeKey = ({ place, text, clientId }: OwnText) => `dispute ${place} ${clientId ?? text}`;

/**
 * Resolves to false if the server did not store the mark; the reason was then shown already. A marked key sends
 * nothing.
 */
async function mark(key: string, send: (ownId: number) => Promise<unknown>): Promise<boolean> {
  const user = currentUser();
  if (store.getState().marked.has(key)) return true;
  if (!user) return false;
  setMarked(key, true);
  try {
    await send(user.user_id);
    return true;
  } catch (error) {
    setMarked(key, false);
    tellFailure(error);
    return false;
  }
}

function setMarked(key: string, isMarked: boolean): void {
  const marked = new Set(store.getState().marked);
  if (isMarked) marked.add(key);
  else marked.delete(key);
  store.setState({ marked });
}
