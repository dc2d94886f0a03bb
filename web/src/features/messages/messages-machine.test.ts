import { expect, test } from "vitest";
import {
  after,
  folderPage,
  conversation,
  message,
  messageEvent,
  openThread,
  startMs,
  threadPage,
} from "#testing/message-makers.ts";
import { emptyMessages, type MessagesEvent, type MessagesState } from "./messages-state.ts";

const bo = conversation("bo");

const idsOf = (state: MessagesState) => state.thread?.messages.map(({ id }) => id);
const unsentOf = (state: MessagesState) =>
  state.unsent.get("bo")?.map(({ text, state: how }) => `${text}: ${how}`) ?? [];
const said = (clientId: string, text = clientId): MessagesEvent => ({
  type: "said",
  externalId: "bo",
  clientId,
  text,
  nowMs: startMs,
});
const own = (number: number, clientId: string) => message(number, { clientId, position: "right" });

test("shows a message once that arrives both in a response and in an event", () => {
  const stored = own(4, "mine");
  const { state } = after(
    openThread(),
    said("mine"),
    { type: "social", event: messageEvent(bo, stored, 0) },
    { type: "stored", externalId: "bo", message: stored, conversation: { ...bo, lastMessage: stored } },
    { type: "social", event: messageEvent(bo, stored, 0) },
  );
  expect(idsOf(state)).toEqual(["1", "2", "3", "4"]);
  expect(unsentOf(state)).toEqual([]);
});

test("orders messages by their ids, whenever they arrive, also past nine", () => {
  const { state } = after(
    openThread([message(8), message(9)]),
    { type: "social", event: messageEvent(bo, message(11)) },
    { type: "social", event: messageEvent(bo, message(10)) },
  );
  expect(idsOf(state)).toEqual(["8", "9", "10", "11"]);
  expect(state.folders.conversations.rows[0]?.lastMessage?.id).toBe("11");
});

test("sends own messages one after the other, in the order of writing", () => {
  const first = after(openThread(), said("a"), said("b"));
  expect(first.effects).toEqual([{ type: "send", externalId: "bo", clientId: "a", text: "a" }]);
  expect(unsentOf(first.state)).toEqual(["a: sending", "b: waiting"]);
  const stored = own(4, "a");
  const second = after(first.state, {
    type: "stored",
    externalId: "bo",
    message: stored,
    conversation: { ...bo, lastMessage: stored },
  });
  expect(second.effects).toEqual([{ type: "send", externalId: "bo", clientId: "b", text: "b" }]);
});

test("keeps the text of an unsent message, and sends it again under the same id", () => {
  const failed = after(openThread(), said("a", "call later?"), {
    type: "not-stored",
    externalId: "bo",
    clientId: "a",
    problem: { kind: "network" },
  });
  expect(unsentOf(failed.state)).toEqual(["call later?: failed"]);
  const again = after(failed.state, { type: "tried-again", externalId: "bo", clientId: "a", nowMs: startMs + 1 });
  expect(again.effects).toEqual([{ type: "send", externalId: "bo", clientId: "a", text: "call later?" }]);
});

test("keeps a message unsent while another thread is open, until an event reports it as stored", () => {
  const elsewhere = after(openThread(), said("a"), { type: "chosen", externalId: "cleo" });
  expect(unsentOf(elsewhere.state)).toEqual(["a: sending"]);
  const stored = after(
    elsewhere.state,
    { type: "social", event: messageEvent(bo, own(4, "a"), 0) },
    { type: "not-stored", externalId: "bo", clientId: "a", problem: { kind: "network" } },
  );
  expect(unsentOf(stored.state)).toEqual([]);
});

test("loads the lists and the open thread again in a new chat session", () => {
  const wanted = after(openThread(), { type: "folder-wanted", folder: "requests" });
  const known = after(wanted.state, { type: "folder-loaded", folder: "requests", cursor: null, page: folderPage([]) });
  expect(after(known.state, { type: "session-new" }).effects).toEqual([
    { type: "load-folder", folder: "conversations", cursor: null },
    { type: "load-folder", folder: "requests", cursor: null },
    { type: "load-thread", externalId: "bo", cursor: null },
  ]);
});

test("loads what is older than the page again after a gap, so that nothing is missing", () => {
  const before = openThread([message(1), message(2)], "1");
  const page = threadPage(bo, [message(7), message(8)], "7");
  const met = after(before, { type: "thread-loaded", externalId: "bo", cursor: null, page });
  expect(idsOf(met.state)).toEqual(["7", "8"]);
  const older = after(met.state, { type: "older-wanted" });
  expect(older.effects).toEqual([{ type: "load-thread", externalId: "bo", cursor: "7" }]);
});

test("keeps older messages and their cursor when the page overlaps them", () => {
  const before = openThread([message(1), message(2)], "1");
  const page = threadPage(bo, [message(2), message(3)], "2");
  const { state } = after(before, { type: "thread-loaded", externalId: "bo", cursor: null, page });
  expect(idsOf(state)).toEqual(["1", "2", "3"]);
  expect(state.thread?.next).toBe("1");
});

test("loads a list once more when something happened during its load", () => {
  const { state } = after(openThread(), { type: "refreshed" }, { type: "social", event: messageEvent(bo, message(4)) });
  const old = folderPage([{ ...bo, lastMessage: message(3) }]);
  const loaded = after(state, { type: "folder-loaded", folder: "conversations", cursor: null, page: old });
  expect(loaded.state.folders.conversations.rows[0]?.lastMessage?.id).toBe("4");
  expect(loaded.effects).toEqual([{ type: "load-folder", folder: "conversations", cursor: null }]);
  const again = after(loaded.state, { type: "folder-loaded", folder: "conversations", cursor: null, page: old });
  expect(again.effects).toEqual([]);
});

test("marks what is visible as read, once, and no longer counts it", () => {
  const arrived = messageEvent({ ...bo, unreadCount: 1 }, message(4), 3);
  const { state, effects } = after(
    openThread(),
    { type: "watched", isWatched: true },
    { type: "social", event: arrived },
  );
  expect(effects).toEqual([{ type: "tell-read", externalId: "bo", upTo: "4" }]);
  expect(state.unreadTotal).toBe(2);
  expect(state.folders.conversations.rows[0]?.unreadCount).toBe(0);
  expect(after(state, { type: "watched", isWatched: true }).effects).toEqual([]);
});

test("marks nothing as read while the user does not watch, and does so when they do", () => {
  const arrived = messageEvent({ ...bo, unreadCount: 1 }, message(4), 1);
  const away = after(openThread(), { type: "social", event: arrived });
  expect(away.effects).toEqual([]);
  expect(away.state.unreadTotal).toBe(1);
  const back = after(away.state, { type: "watched", isWatched: true });
  expect(back.effects).toEqual([{ type: "tell-read", externalId: "bo", upTo: "4" }]);
});

test("marks nothing of a request as read", () => {
  const request = conversation("bo", { state: "request_in", unreadCount: 1, isContact: false, presence: null });
  const { effects } = after(
    emptyMessages,
    { type: "chosen", externalId: "bo" },
    { type: "watched", isWatched: true },
    { type: "thread-loaded", externalId: "bo", cursor: null, page: threadPage(request, [message(1)]) },
  );
  expect(effects.map(({ type }) => type)).toEqual(["load-thread"]);
});

test("moves the partner's read position forward only", () => {
  const read = (upTo: string): MessagesEvent => ({
    type: "social",
    event: { kind: "read", externalId: "bo", up_to: upTo, by: "other", unread_total: 0 },
  });
  const { state } = after(openThread([message(9), message(10)]), read("10"), read("9"));
  expect(state.thread?.conversation?.read_up_to).toBe("10");
});

test("no longer counts what was read on another page", () => {
  const unread = after(openThread(), { type: "social", event: messageEvent({ ...bo, unreadCount: 2 }, message(4), 2) });
  const { state } = after(unread.state, {
    type: "social",
    event: { kind: "read", externalId: "bo", up_to: "4", by: "me", unread_total: 0 },
  });
  expect(state.unreadTotal).toBe(0);
  expect(state.folders.conversations.rows[0]?.unreadCount).toBe(0);
});

test("shows typing only in conversations of the list, until a message arrives or time is over", () => {
  const typing = (externalId: string): MessagesEvent => ({ type: "typing", externalId, untilMs: 6_000 });
  const { state } = after(openThread(), typing("bo"), typing("stranger"));
  expect([...state.typing.keys()]).toEqual(["bo"]);
  expect(after(state, { type: "typing-over", nowMs: 5_999 }).state.typing.size).toBe(1);
  expect(after(state, { type: "typing-over", nowMs: 6_000 }).state.typing.size).toBe(0);
  expect(after(state, { type: "social", event: messageEvent(bo, message(4)) }).state.typing.size).toBe(0);
});
