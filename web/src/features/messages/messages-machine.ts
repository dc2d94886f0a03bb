import {
  changeConversation,
  conversationWith,
  isUnwritten,
  withBox,
  withConversation,
  withoutConversation,
  withPage,
} from "./boxes.ts";
import { compareIds, mergeMessages } from "./message-order.ts";
import { type BoxName, type MessagesEffect, type MessagesEvent, type MessagesState } from "./messages-state.ts";
import { stepSocial, takePresence, withTyping } from "./social-step.ts";
import { newestOfOther, newThread, withThreadPage } from "./threads.ts";
import { startSending, tryAgain, unsentOf, withFailed, withoutStored, withoutUnsent, withSaid } from "./unsent.ts";

export interface Step {
  readonly state: MessagesState;
  readonly effects: readonly MessagesEffect[];
}

/** What one event changes; what waits is sent, and what is looked at is told as read (rules MSG-60 to MSG-69). */
export function stepMessages(state: MessagesState, event: MessagesEvent): Step {
  const stepped = stepOne(state, event);
  const sending = startSending(stepped.state);
  const reading = tellRead(sending.state);
  return { state: reading.state, effects: [...stepped.effects, ...sending.effects, ...reading.effects] };
}

function stepOne(state: MessagesState, event: MessagesEvent): Step {
  switch (event.type) {
    case "session-new":
      return startAnew(state);
    case "refreshed":
      return state.boxes.conversations.load === "first" ? only(state) : loadBox(state, "conversations");
    case "box-wanted":
      return state.boxes[event.box].isKnown ? only(state) : loadBox(state, event.box);
    case "more-wanted": {
      const { next, load } = state.boxes[event.box];
      if (next === null || load !== "none") return only(state);
      const effect: MessagesEffect = { type: "load-box", box: event.box, cursor: next };
      return { state: withBox(state, event.box, { load: "more", failed: "none" }), effects: [effect] };
    }
    case "box-loaded":
      return takeBox(state, event);
    case "box-failed": {
      const { load } = state.boxes[event.box];
      return only(withBox(state, event.box, { load: "none", failed: load }));
    }
    case "social":
      return withLoads(stepSocial(state, event.event));
    case "presence":
      return only(takePresence(state, event.externalId, event.presence));
    case "typing":
      return only(withTyping(state, event.externalId, event.untilMs));
    case "typing-over": {
      const typing = new Map([...state.typing].filter(([, untilMs]) => untilMs > event.nowMs));
      return only({ ...state, typing });
    }
    case "answered":
      return takeAnswer(state, event);
    case "chosen":
    case "watched":
    case "thread-wanted":
    case "older-wanted":
    case "thread-loaded":
    case "thread-failed":
    case "read-told":
      return stepThread(state, event);
    case "said":
    case "tried-again":
    case "discarded":
    case "stored":
    case "not-stored":
      return stepSaid(state, event);
  }
}

type EventOf<Type extends MessagesEvent["type"]> = Extract<MessagesEvent, { type: Type }>;
type ThreadEvent = EventOf<
  "chosen" | "watched" | `${"thread" | "older"}-wanted` | `thread-${"loaded" | "failed"}` | "read-told"
>;
type SaidEvent = EventOf<"said" | "tried-again" | "discarded" | "stored" | "not-stored">;

function stepThread(state: MessagesState, event: ThreadEvent): Step {
  const { thread } = state;
  switch (event.type) {
    case "chosen":
      return choose(state, event.externalId);
    case "watched":
      return only({ ...state, isWatched: event.isWatched });
    case "thread-wanted":
      return thread && thread.load === "none" ? loadThread(state, thread.externalId) : only(state);
    case "older-wanted": {
      if (!thread || thread.next === null || thread.load !== "none") return only(state);
      const effect: MessagesEffect = { type: "load-thread", externalId: thread.externalId, cursor: thread.next };
      return { state: { ...state, thread: { ...thread, load: "older", failed: "none" } }, effects: [effect] };
    }
    case "thread-loaded":
      return only(takeThread(state, event));
    case "thread-failed":
      if (event.isGone) return only(withoutConversation(state, event.externalId));
      if (thread?.externalId !== event.externalId) return only(state);
      return only({ ...state, thread: { ...thread, load: "none", failed: thread.load } });
    case "read-told":
      if (event.unreadTotal === null) return only(withoutTold(state, event.externalId));
      return only({ ...state, unreadTotal: event.unreadTotal });
  }
}

function stepSaid(state: MessagesState, event: SaidEvent): Step {
  switch (event.type) {
    case "said":
      return only(withSaid(state, event.externalId, { clientId: event.clientId, text: event.text, time: event.nowMs }));
    case "tried-again":
      return only(tryAgain(state, event.externalId, event));
    case "discarded":
      return only(withoutUnsent(state, event.externalId, event.clientId));
    case "stored":
      return only(takeStored(state, event));
    case "not-stored": {
      const failed = withFailed(state, event.externalId, event);
      // What the two are to each other may have changed without a word.
      const { problem } = event;
      return problem.kind === "refused" && problem.reason !== "personal_data"
        ? loadThread(failed, event.externalId)
        : only(failed);
    }
  }
}

/** Whatever was shown is fetched anew, and stays until the answer is there. */
function startAnew(state: MessagesState): Step {
  const { thread, boxes } = state;
  const first = loadBox(state, "conversations");
  const second = boxes.requests.isKnown ? loadBox(first.state, "requests") : only(first.state);
  const third = thread ? loadThread(second.state, thread.externalId) : only(second.state);
  return { state: third.state, effects: [...first.effects, ...second.effects, ...third.effects] };
}

function takeBox(state: MessagesState, event: Extract<MessagesEvent, { type: "box-loaded" }>): Step {
  const { box: name, page, cursor } = event;
  const box = state.boxes[name];
  const loaded = withBox(state, name, withPage(box, page, cursor));
  const { count, latest_nick: latestNick } = page.requests;
  const counted = { ...loaded, unreadTotal: page.unread_total, requests: { count, latestNick } };
  return cursor === null && box.isOutdated ? loadBox(counted, name) : only(counted);
}

function takeThread(state: MessagesState, event: Extract<MessagesEvent, { type: "thread-loaded" }>): MessagesState {
  const { externalId, page, cursor } = event;
  const { thread } = state;
  if (thread?.externalId !== externalId) {
    // It was fetched for its state alone, or was closed meanwhile.
    return conversationWith(state, externalId) ? withConversation(state, page.conversation) : state;
  }
  const loaded = withThreadPage(thread, page, cursor);
  const next = withoutStored({ ...state, thread: loaded }, externalId, page.messages);
  if (cursor !== null) return next;
  return withConversation(next, page.conversation);
}

function takeStored(state: MessagesState, event: Extract<MessagesEvent, { type: "stored" }>): MessagesState {
  const { externalId, message, conversation } = event;
  const next = withConversation(withoutStored(state, externalId, [message]), conversation);
  if (next.thread?.externalId !== externalId) return next;
  return { ...next, thread: { ...next.thread, messages: mergeMessages(next.thread.messages, [message]) } };
}

function takeAnswer(state: MessagesState, event: Extract<MessagesEvent, { type: "answered" }>): Step {
  const count = Math.max(0, state.requests.count - 1);
  const answered = { ...state, requests: { count, latestNick: count === 0 ? null : state.requests.latestNick } };
  const { conversation, externalId } = event;
  if (!conversation) return only(withoutConversation(answered, externalId));
  return only(withConversation(answered, conversation));
}

/** Opens a thread, or none. A conversation in which nothing was written leaves the list with its thread. */
function choose(state: MessagesState, externalId: string | null): Step {
  const { thread } = state;
  if (thread?.externalId === externalId || (thread === null && externalId === null)) return only(state);
  const isEmpty = thread?.conversation && isUnwritten(thread.conversation);
  const isDropped = isEmpty && unsentOf(state, thread.externalId).length === 0;
  const closed = isDropped ? withoutConversation(state, thread.externalId) : { ...state, thread: null };
  if (externalId === null) return only({ ...closed, isWatched: false });
  const conversation = conversationWith(closed, externalId);
  const opened = { ...closed, thread: { ...newThread(externalId), conversation } };
  return { state: opened, effects: [{ type: "load-thread", externalId, cursor: null }] };
}

function loadBox(state: MessagesState, box: BoxName): Step {
  const effect: MessagesEffect = { type: "load-box", box, cursor: null };
  return { state: withBox(state, box, { load: "first", failed: "none", isOutdated: false }), effects: [effect] };
}

function loadThread(state: MessagesState, externalId: string): Step {
  const { thread } = state;
  const effect: MessagesEffect = { type: "load-thread", externalId, cursor: null };
  if (thread?.externalId !== externalId) return { state, effects: [effect] };
  return { state: { ...state, thread: { ...thread, load: "first", failed: "none" } }, effects: [effect] };
}

/** Notes what an event makes load, so that only the answer that is awaited counts. */
function withLoads({ state, effects }: Step): Step {
  let next = state;
  for (const effect of effects) {
    if (effect.type === "load-box") next = loadBox(next, effect.box).state;
    if (effect.type === "load-thread") next = loadThread(next, effect.externalId).state;
  }
  return { state: next, effects };
}

/** The newest message of the other is told as read while somebody looks at it; of a request nothing is told. */
function tellRead(state: MessagesState): Step {
  const { thread, isWatched } = state;
  if (!isWatched || !thread?.isKnown || !thread.conversation) return only(state);
  const { conversation, externalId } = thread;
  const newest = newestOfOther(thread.messages);
  if (!newest || conversation.unreadCount === 0 || conversation.state === "request_in") return only(state);
  if (thread.toldRead !== null && compareIds(newest.id, thread.toldRead) <= 0) return only(state);
  // The answer says the total; until then the badge must not count what is being looked at.
  const unreadTotal = Math.max(0, state.unreadTotal - conversation.unreadCount);
  const told = { ...state, unreadTotal, thread: { ...thread, toldRead: newest.id } };
  const read = changeConversation(told, externalId, (known) => ({ ...known, unreadCount: 0 }));
  return { state: read, effects: [{ type: "tell-read", externalId, upTo: newest.id }] };
}

/** It is told again with the next reason to. */
function withoutTold(state: MessagesState, externalId: string): MessagesState {
  const { thread } = state;
  return thread?.externalId === externalId ? { ...state, thread: { ...thread, toldRead: null } } : state;
}

function only(state: MessagesState): Step {
  return { state, effects: [] };
}
