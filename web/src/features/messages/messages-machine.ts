import type { Conversation, Message, SocialEvent } from "@fava/wire/messages.ts";
import type { Presence } from "@fava/wire/people.ts";
import { byLastMessage, compareIds, isAsNew, mergeMessages } from "./message-order.ts";
import type {
  Folder,
  FolderName,
  FolderPage,
  MessagesEffect,
  MessagesEvent,
  MessagesState,
  SendProblem,
  Thread,
  ThreadPage,
  Unsent,
} from "./messages-state.ts";

interface Step {
  readonly state: MessagesState;
  readonly effects: readonly MessagesEffect[];
}

/** Applies one event, then sends what waits and marks what is visible as read. */
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
      return state.folders.conversations.load === "first" ? only(state) : loadFolder(state, "conversations");
    case "folder-wanted":
      return state.folders[event.folder].isKnown ? only(state) : loadFolder(state, event.folder);
    case "more-wanted": {
      const { next, load } = state.folders[event.folder];
      if (next === null || load !== "none") return only(state);
      const effect: MessagesEffect = { type: "load-folder", folder: event.folder, cursor: next };
      return { state: withFolder(state, event.folder, { load: "more", failed: "none" }), effects: [effect] };
    }
    case "folder-loaded":
      return takeFolder(state, event);
    case "folder-failed": {
      const { load } = state.folders[event.folder];
      return only(withFolder(state, event.folder, { load: "none", failed: load }));
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
      // The rejection may mean that the relation of the two has changed without an event: loads the thread again.
      const { problem } = event;
      return problem.kind === "refused" && problem.reason !== "personal_data"
        ? loadThread(failed, event.externalId)
        : only(failed);
    }
  }
}

/** Loads all known folders and the open thread again; shows the old data until the responses. */
function startAnew(state: MessagesState): Step {
  const { thread, folders } = state;
  const first = loadFolder(state, "conversations");
  const second = folders.requests.isKnown ? loadFolder(first.state, "requests") : only(first.state);
  const third = thread ? loadThread(second.state, thread.externalId) : only(second.state);
  return { state: third.state, effects: [...first.effects, ...second.effects, ...third.effects] };
}

function takeFolder(state: MessagesState, event: Extract<MessagesEvent, { type: "folder-loaded" }>): Step {
  const { folder: name, page, cursor } = event;
  const folder = state.folders[name];
  const loaded = withFolder(state, name, withPage(folder, page, cursor));
  const { count, latest_nick: latestNick } = page.requests;
  const counted = { ...loaded, unreadTotal: page.unread_total, requests: { count, latestNick } };
  return cursor === null && folder.isOutdated ? loadFolder(counted, name) : only(counted);
}

function takeThread(state: MessagesState, event: Extract<MessagesEvent, { type: "thread-loaded" }>): MessagesState {
  const { externalId, page, cursor } = event;
  const { thread } = state;
  if (thread?.externalId !== externalId) {
    // The load was for the state of the conversation only, or the user has closed the thread meanwhile.
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

/** Opens a thread, or none. A conversation without messages leaves the list with its thread. */
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

function loadFolder(state: MessagesState, folder: FolderName): Step {
  const effect: MessagesEffect = { type: "load-folder", folder, cursor: null };
  return { state: withFolder(state, folder, { load: "first", failed: "none", isOutdated: false }), effects: [effect] };
}

function loadThread(state: MessagesState, externalId: string): Step {
  const { thread } = state;
  const effect: MessagesEffect = { type: "load-thread", externalId, cursor: null };
  if (thread?.externalId !== externalId) return { state, effects: [effect] };
  return { state: { ...state, thread: { ...thread, load: "first", failed: "none" } }, effects: [effect] };
}

/** Registers the loads that an event starts, so that only the expected response counts. */
function withLoads({ state, effects }: Step): Step {
  let next = state;
  for (const effect of effects) {
    if (effect.type === "load-folder") next = loadFolder(next, effect.folder).state;
    if (effect.type === "load-thread") next = loadThread(next, effect.externalId).state;
  }
  return { state: next, effects };
}

/** Marks the partner's newest message as read while the user watches the thread; never in a received request. */
function tellRead(state: MessagesState): Step {
  const { thread, isWatched } = state;
  if (!isWatched || !thread?.isKnown || !thread.conversation) return only(state);
  const { conversation, externalId } = thread;
  const newest = newestOfOther(thread.messages);
  if (!newest || conversation.unreadCount === 0 || conversation.state === "request_in") return only(state);
  if (thread.toldRead !== null && compareIds(newest.id, thread.toldRead) <= 0) return only(state);
  // The response will contain the total. Until then the badge must not count messages that the user sees.
  const unreadTotal = Math.max(0, state.unreadTotal - conversation.unreadCount);
  const told = { ...state, unreadTotal, thread: { ...thread, toldRead: newest.id } };
  const read = changeConversation(told, externalId, (known) => ({ ...known, unreadCount: 0 }));
  return { state: read, effects: [{ type: "tell-read", externalId, upTo: newest.id }] };
}

/** Forgets that messages were marked as read, after the request for it failed: `tellRead` then sends it again. */
function withoutTold(state: MessagesState, externalId: string): MessagesState {
  const { thread } = state;
  return thread?.externalId === externalId ? { ...state, thread: { ...thread, toldRead: null } } : state;
}

function only(state: MessagesState): Step {
  return { state, effects: [] };
}

/** Applies an event of the partner, or of another page of this user. */
function stepSocial(state: MessagesState, event: SocialEvent): Step {
  switch (event.kind) {
    case "message":
      return takeMessage(state, event);
    case "read":
      return { state: takeRead(state, event), effects: [] };
    case "relation":
      return takeRelation(state, event);
    case "hidden": {
      const without = withoutConversation({ ...state, unreadTotal: event.unread_total }, event.externalId);
      return { state: without, effects: withKnownRequests(without) };
    }
    case "reaction":
      return only(withReaction(state, event));
    case "meet":
    case "invited":
    case "invite_over":
    case "ring":
    case "ring_over":
      return { state, effects: [] };
  }
}

function withReaction(
  state: MessagesState,
  { externalId, messageId, reaction }: Extract<SocialEvent, { kind: "reaction" }>,
): MessagesState {
  const { thread } = state;
  if (thread?.externalId !== externalId) return state;
  const messages = thread.messages.map((message) => {
    if (message.id !== messageId) return message;
    const { reaction: _before, ...rest } = message;
    return reaction === null ? rest : { ...rest, reaction };
  });
  return { ...state, thread: { ...thread, messages } };
}

function takeMessage(state: MessagesState, event: Extract<SocialEvent, { kind: "message" }>): Step {
  const { conversation, message } = event;
  const { externalId } = conversation;
  let next = withConversation({ ...state, unreadTotal: event.unread_total }, conversation);
  next = withoutStored(next, externalId, [message]);
  if (next.thread?.externalId === externalId)
    next = { ...next, thread: { ...next.thread, messages: mergeMessages(next.thread.messages, [message]) } };
  if (message.position === "left") next = withTyping(next, externalId, null);
  // Only the server knows the number of requests, so ask it.
  return { state: next, effects: conversation.state === "request_in" ? withKnownRequests(next) : [] };
}

function takeRead(state: MessagesState, event: Extract<SocialEvent, { kind: "read" }>): MessagesState {
  const { externalId, up_to: upTo } = event;
  const next = { ...state, unreadTotal: event.unread_total };
  return changeConversation(next, externalId, (known) => {
    if (event.by === "other") {
      const isNews = known.read_up_to === null || compareIds(upTo, known.read_up_to) > 0;
      return isNews ? { ...known, read_up_to: upTo } : known;
    }
    const isAll = known.lastMessage !== null && compareIds(upTo, known.lastMessage.id) >= 0;
    return isAll ? { ...known, unreadCount: 0 } : known;
  });
}

function takeRelation(state: MessagesState, event: Extract<SocialEvent, { kind: "relation" }>): Step {
  const { externalId, followStatus, likeStatus, isContact, presence } = event;
  const before = conversationWith(state, externalId);
  if (!before) return { state, effects: [] };
  const next = changeConversation(state, externalId, (known) => ({
    ...known,
    followStatus,
    likeStatus,
    isContact,
    presence,
  }));
  if (before.isContact === isContact) return { state: next, effects: [] };
  // Friendship decides whether the two may write, and whether read receipts are sent: loads the thread again.
  return { state: next, effects: [{ type: "load-thread", externalId, cursor: null }] };
}

function takePresence(state: MessagesState, externalId: string, presence: Presence): MessagesState {
  return changeConversation(state, externalId, (known) => (known.isContact ? { ...known, presence } : known));
}

/** Notes until when the partner of a listed conversation is typing; null: no longer. */
function withTyping(state: MessagesState, externalId: string, untilMs: number | null): MessagesState {
  if (untilMs === null ? !state.typing.has(externalId) : !conversationWith(state, externalId)) return state;
  const typing = new Map(state.typing);
  if (untilMs === null) typing.delete(externalId);
  else typing.set(externalId, untilMs);
  return { ...state, typing };
}

/** Loads the first page of the requests folder if it is shown; both loads return the number of requests. */
function withKnownRequests(state: MessagesState): readonly MessagesEffect[] {
  return state.folders.requests.isKnown
    ? [{ type: "load-folder", folder: "requests", cursor: null }]
    : [{ type: "load-folder", folder: "conversations", cursor: null }];
}

export function newThread(externalId: string): Thread {
  return {
    externalId,
    conversation: null,
    messages: [],
    next: null,
    load: "first",
    failed: "none",
    isKnown: false,
    toldRead: null,
  };
}

/** Adds a page to the thread. `cursor` null: the newest messages, loaded for the first time or again. */
function withThreadPage(thread: Thread, page: ThreadPage, cursor: string | null): Thread {
  const loaded = { ...thread, load: "none", failed: "none", isKnown: true } as const;
  if (cursor !== null) return { ...loaded, messages: mergeMessages(thread.messages, page.messages), next: page.next };
  const oldest = page.messages.at(-1);
  const fresh = new Set(page.messages.map(({ id }) => id));
  const before = oldest ? thread.messages.filter(({ id }) => compareIds(id, oldest.id) < 0) : [];
  // Without a common message there may be a gap: older messages are loaded again when requested.
  const meets = thread.messages.some(({ id }) => fresh.has(id));
  if (before.length > 0 && meets) return { ...loaded, messages: mergeMessages(thread.messages, page.messages) };
  const kept = thread.messages.filter((message) => !before.includes(message));
  return { ...loaded, messages: mergeMessages(kept, page.messages), next: page.next };
}

/** The partner's newest message, or null. */
export function newestOfOther(messages: readonly Message[]): Message | null {
  return messages.findLast(({ position }) => position === "left") ?? null;
}

/** The limit of unsent messages in one conversation. */
const unsentMax = 50;

/** Adds an own message at the end; does nothing when too many wait already. */
function withSaid(state: MessagesState, externalId: string, said: Omit<Unsent, "state">): MessagesState {
  const waiting = unsentOf(state, externalId);
  if (waiting.length >= unsentMax || waiting.some(({ clientId }) => clientId === said.clientId)) return state;
  return withUnsent(state, externalId, [...waiting, { ...said, state: "waiting" }]);
}

/** Moves a failed message to the end and queues it again, under its old id. */
function tryAgain(
  state: MessagesState,
  externalId: string,
  { clientId, nowMs }: { clientId: string; nowMs: number },
): MessagesState {
  const waiting = unsentOf(state, externalId);
  const failed = waiting.find((one) => one.clientId === clientId);
  if (failed?.state !== "failed") return state;
  const others = waiting.filter((one) => one !== failed);
  return withUnsent(state, externalId, [...others, { clientId, text: failed.text, time: nowMs, state: "waiting" }]);
}

function withFailed(
  state: MessagesState,
  externalId: string,
  { clientId, problem }: { clientId: string; problem: SendProblem },
): MessagesState {
  const failed = unsentOf(state, externalId).map((one): Unsent => {
    if (one.clientId !== clientId) return one;
    return { clientId, text: one.text, time: one.time, state: "failed", problem };
  });
  return withUnsent(state, externalId, failed);
}

/** Removes a stored message from the unsent ones, whether a response or an event reported it. */
function withoutStored(state: MessagesState, externalId: string, messages: readonly Message[]): MessagesState {
  const stored = new Set(messages.filter(({ position }) => position === "right").map(({ clientId }) => clientId));
  const waiting = unsentOf(state, externalId);
  const left = waiting.filter(({ clientId }) => !stored.has(clientId));
  return left.length === waiting.length ? state : withUnsent(state, externalId, left);
}

function withoutUnsent(state: MessagesState, externalId: string, clientId: string): MessagesState {
  const left = unsentOf(state, externalId).filter((one) => one.clientId !== clientId);
  return withUnsent(state, externalId, left);
}

/** Sends what waits: one message of a conversation at a time, so that they arrive in the order of writing. */
function startSending(state: MessagesState): { state: MessagesState; effects: readonly MessagesEffect[] } {
  let started = state;
  const effects: MessagesEffect[] = [];
  for (const [externalId, waiting] of state.unsent) {
    const first = waiting.find((one) => one.state === "waiting");
    if (!first || waiting.some((one) => one.state === "sending")) continue;
    const { clientId, text } = first;
    const moved = waiting.map((one): Unsent => (one === first ? { ...first, state: "sending" } : one));
    started = withUnsent(started, externalId, moved);
    effects.push({ type: "send", externalId, clientId, text });
  }
  return { state: started, effects };
}

function unsentOf(state: MessagesState, externalId: string): readonly Unsent[] {
  return state.unsent.get(externalId) ?? [];
}

function withUnsent(state: MessagesState, externalId: string, waiting: readonly Unsent[]): MessagesState {
  const unsent = new Map(state.unsent);
  if (waiting.length > 0) unsent.set(externalId, waiting);
  else unsent.delete(externalId);
  return { ...state, unsent };
}

const folderNames: readonly FolderName[] = ["conversations", "requests"];

/** The folder of a conversation. */
function folderOf({ state }: Conversation): FolderName {
  return state === "request_in" ? "requests" : "conversations";
}

function withFolder(state: MessagesState, name: FolderName, change: Partial<Folder>): MessagesState {
  return { ...state, folders: { ...state.folders, [name]: { ...state.folders[name], ...change } } };
}

/** Takes a conversation over wherever it is shown, unless the known one is newer. */
function withConversation(state: MessagesState, arrived: Conversation): MessagesState {
  const { externalId } = arrived;
  const known = conversationWith(state, externalId);
  if (known && !isAsNew(arrived, known)) return state;
  const folders = { ...state.folders };
  for (const name of folderNames) {
    const folder = folders[name];
    const others = folder.rows.filter((row) => row.externalId !== externalId);
    const rows = name === folderOf(arrived) ? [arrived, ...others].toSorted(byLastMessage) : others;
    folders[name] = { ...folder, rows, isOutdated: folder.isOutdated || folder.load === "first" };
  }
  const thread = state.thread?.externalId === externalId ? { ...state.thread, conversation: arrived } : state.thread;
  return { ...state, folders, thread };
}

/** Changes a known conversation; does nothing if it is unknown. */
function changeConversation(
  state: MessagesState,
  externalId: string,
  change: (known: Conversation) => Conversation,
): MessagesState {
  const known = conversationWith(state, externalId);
  return known ? withConversation(state, change(known)) : state;
}

/** Removes a conversation from its folder and as the open thread. */
function withoutConversation(state: MessagesState, externalId: string): MessagesState {
  const folders = { ...state.folders };
  for (const name of folderNames) {
    const folder = folders[name];
    const rows = folder.rows.filter((row) => row.externalId !== externalId);
    folders[name] = { ...folder, rows, isOutdated: folder.isOutdated || folder.load === "first" };
  }
  return { ...state, folders, thread: state.thread?.externalId === externalId ? null : state.thread };
}

function conversationWith({ thread, folders }: MessagesState, externalId: string): Conversation | null {
  if (thread?.externalId === externalId && thread.conversation) return thread.conversation;
  for (const name of folderNames) {
    const row = folders[name].rows.find((one) => one.externalId === externalId);
    if (row) return row;
  }
  return null;
}

/** Adds a page to its folder: the first replaces the rows that it covers, the others are appended. */
function withPage(folder: Folder, page: FolderPage, cursor: string | null): Folder {
  const fresh = page.conversations.map((row) => {
    const known = folder.rows.find(({ externalId }) => externalId === row.externalId);
    return known && !isAsNew(row, known) ? known : row;
  });
  const ids = new Set(fresh.map(({ externalId }) => externalId));
  const others = folder.rows.filter((row) => !ids.has(row.externalId));
  if (cursor !== null) {
    return {
      ...folder,
      rows: [...others, ...fresh].toSorted(byLastMessage),
      next: page.next,
      load: "none",
      failed: "none",
    };
  }
  const last = fresh.at(-1);
  // The server does not know a conversation without messages: only this page has it.
  const unwritten = others.filter(isUnwritten);
  const later =
    page.next === null || !last ? [] : others.filter((row) => !isUnwritten(row) && byLastMessage(last, row) < 0);
  return {
    rows: [...unwritten, ...fresh, ...later].toSorted(byLastMessage),
    next: later.length > 0 ? folder.next : page.next,
    load: "none",
    failed: "none",
    isKnown: true,
    isOutdated: false,
  };
}

export function isUnwritten({ conversationID }: Conversation): boolean {
  return conversationID === "";
}
