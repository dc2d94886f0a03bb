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

/** What one event changes; what waits is sent, and what is looked at is told as read. */
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

/** Notes what an event makes load, so that only the answer that is awaited counts. */
function withLoads({ state, effects }: Step): Step {
  let next = state;
  for (const effect of effects) {
    if (effect.type === "load-folder") next = loadFolder(next, effect.folder).state;
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

/** What the other person, or another page of this one, has done. */
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
    case "meet":
    case "ring":
    case "ring_over":
      return { state, effects: [] };
  }
}

function takeMessage(state: MessagesState, event: Extract<SocialEvent, { kind: "message" }>): Step {
  const { conversation, message } = event;
  const { externalId } = conversation;
  let next = withConversation({ ...state, unreadTotal: event.unread_total }, conversation);
  next = withoutStored(next, externalId, [message]);
  if (next.thread?.externalId === externalId)
    next = { ...next, thread: { ...next.thread, messages: mergeMessages(next.thread.messages, [message]) } };
  if (message.position === "left") next = withTyping(next, externalId, null);
  // How many requests there are is only known to the server.
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
  // Whether the two may write, and whether the other's reading is told, follows from it.
  return { state: next, effects: [{ type: "load-thread", externalId, cursor: null }] };
}

function takePresence(state: MessagesState, externalId: string, presence: Presence): MessagesState {
  return changeConversation(state, externalId, (known) => (known.isContact ? { ...known, presence } : known));
}

/** Notes until when somebody of these conversations is writing; null: no longer. */
function withTyping(state: MessagesState, externalId: string, untilMs: number | null): MessagesState {
  if (untilMs === null ? !state.typing.has(externalId) : !conversationWith(state, externalId)) return state;
  const typing = new Map(state.typing);
  if (untilMs === null) typing.delete(externalId);
  else typing.set(externalId, untilMs);
  return { ...state, typing };
}

/** Asks for the first page of the requests' folder where it is shown, and for the number of requests anyway. */
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

/** Puts a page into the thread. `cursor` null: the newest messages, fetched for the first time or anew. */
function withThreadPage(thread: Thread, page: ThreadPage, cursor: string | null): Thread {
  const loaded = { ...thread, load: "none", failed: "none", isKnown: true } as const;
  if (cursor !== null) return { ...loaded, messages: mergeMessages(thread.messages, page.messages), next: page.next };
  const oldest = page.messages.at(-1);
  const fresh = new Set(page.messages.map(({ id }) => id));
  const before = oldest ? thread.messages.filter(({ id }) => compareIds(id, oldest.id) < 0) : [];
  // Without a message that both have, some between them may be missing: what is older is fetched again when asked for.
  const meets = thread.messages.some(({ id }) => fresh.has(id));
  if (before.length > 0 && meets) return { ...loaded, messages: mergeMessages(thread.messages, page.messages) };
  const kept = thread.messages.filter((message) => !before.includes(message));
  return { ...loaded, messages: mergeMessages(kept, page.messages), next: page.next };
}

/** The newest message of the other person, or null. */
export function newestOfOther(messages: readonly Message[]): Message | null {
  return messages.findLast(({ position }) => position === "left") ?? null;
}

/** Own messages of one conversation that may wait for an answer at once. */
const unsentMax = 50;

/** Adds an own message at the end; nothing happens when too many wait already. */
function withSaid(state: MessagesState, externalId: string, said: Omit<Unsent, "state">): MessagesState {
  const waiting = unsentOf(state, externalId);
  if (waiting.length >= unsentMax || waiting.some(({ clientId }) => clientId === said.clientId)) return state;
  return withUnsent(state, externalId, [...waiting, { ...said, state: "waiting" }]);
}

/** A failed message goes to the end and waits again, under the id it had. */
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

/** A message that the server has stored waits no longer, whether its answer or an event said so. */
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

/** Sends what waits: one message of a conversation after the other, so that they arrive in the order of writing. */
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

/** Where a conversation is listed. */
function folderOf({ state }: Conversation): FolderName {
  return state === "request_in" ? "requests" : "conversations";
}

function withFolder(state: MessagesState, name: FolderName, change: Partial<Folder>): MessagesState {
  return { ...state, folders: { ...state.folders, [name]: { ...state.folders[name], ...change } } };
}

/** Takes over a conversation wherever it is shown, unless what is known of it is newer. */
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

/** Changes what is known of a conversation; nothing happens when it is not known. */
function changeConversation(
  state: MessagesState,
  externalId: string,
  change: (known: Conversation) => Conversation,
): MessagesState {
  const known = conversationWith(state, externalId);
  return known ? withConversation(state, change(known)) : state;
}

/** It is no longer there: neither in a folder nor as the open thread. */
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

/** Puts a page into its folder: the first replaces the rows that it covers, the others come after. */
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
  // A conversation that nothing was written in yet is this page's own: no answer names it.
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
