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
import { emptyMessages, type MessagesState } from "./messages-state.ts";

const bo = conversation("bo");
const cleo = conversation("cleo", { userId: 2 });
const rowsOf = (state: MessagesState, folder: "conversations" | "requests" = "conversations") =>
  state.folders[folder].rows.map(({ externalId }) => externalId);

test("sorts conversations by their last message, one without any first", () => {
  const listed = after(emptyMessages, {
    type: "folder-loaded",
    folder: "conversations",
    cursor: null,
    page: folderPage([
      { ...bo, lastMessage: message(2) },
      { ...cleo, lastMessage: message(1) },
    ]),
  });
  const moved = after(listed.state, { type: "social", event: messageEvent(cleo, message(3)) });
  expect(rowsOf(moved.state)).toEqual(["cleo", "bo"]);
  const dora = conversation("dora", { conversationID: "", userId: 3 });
  const opened = after(
    moved.state,
    { type: "chosen", externalId: "dora" },
    { type: "thread-loaded", externalId: "dora", cursor: null, page: threadPage(dora, []) },
  );
  expect(rowsOf(opened.state)).toEqual(["dora", "cleo", "bo"]);
});

test("drops a conversation without messages when it closes, but keeps one with a failed message", () => {
  const dora = conversation("dora", { conversationID: "", userId: 3 });
  const opened = after(
    openThread(),
    { type: "chosen", externalId: "dora" },
    { type: "thread-loaded", externalId: "dora", cursor: null, page: threadPage(dora, []) },
  ).state;
  expect(rowsOf(after(opened, { type: "chosen", externalId: null }).state)).toEqual(["bo"]);
  const written = after(
    opened,
    { type: "said", externalId: "dora", clientId: "a", text: "hi", nowMs: startMs },
    { type: "not-stored", externalId: "dora", clientId: "a", problem: { kind: "network" } },
    { type: "chosen", externalId: null },
  );
  expect(rowsOf(written.state)).toEqual(["dora", "bo"]);
});

test("keeps a request in its own folder until it is accepted, and removes it when it is declined", () => {
  const request = conversation("cleo", { state: "request_in", lastMessage: message(5), unreadCount: 1 });
  const asked = after(
    openThread(),
    { type: "folder-wanted", folder: "requests" },
    {
      type: "folder-loaded",
      folder: "requests",
      cursor: null,
      page: folderPage([request], { requests: { count: 1, latest_nick: "cleo" } }),
    },
  ).state;
  expect(rowsOf(asked, "requests")).toEqual(["cleo"]);
  const accepted = after(asked, {
    type: "answered",
    externalId: "cleo",
    conversation: { ...request, state: "open", unreadCount: 0 },
  }).state;
  expect([rowsOf(accepted, "requests"), rowsOf(accepted)]).toEqual([[], ["cleo", "bo"]]);
  expect(accepted.requests.count).toBe(0);
  const declined = after(asked, { type: "answered", externalId: "cleo", conversation: null }).state;
  expect([rowsOf(declined, "requests"), rowsOf(declined)]).toEqual([[], ["bo"]]);
});

test("loads the number of requests when one arrives", () => {
  const request = conversation("cleo", { state: "request_in", unreadCount: 1 });
  const { effects } = after(openThread(), { type: "social", event: messageEvent(request, message(5), 0) });
  expect(effects).toEqual([{ type: "load-folder", folder: "conversations", cursor: null }]);
});

test("removes a hidden user from the list, the thread and the total", () => {
  const { state } = after(openThread(), {
    type: "social",
    event: { kind: "hidden", userId: 1, externalId: "bo", unread_total: 0 },
  });
  expect(rowsOf(state)).toEqual([]);
  expect(state.thread).toBeNull();
});

test("loads the conversation again after the end of a friendship, because that decides who may write", () => {
  const { state, effects } = after(openThread(), {
    type: "social",
    event: {
      kind: "relation",
      userId: 1,
      externalId: "bo",
      followStatus: 1,
      likeStatus: 0,
      isContact: false,
      presence: null,
    },
  });
  expect(effects).toEqual([{ type: "load-thread", externalId: "bo", cursor: null }]);
  expect(state.thread?.conversation?.presence).toBeNull();
  const closed = { ...bo, state: "closed" as const, isContact: false };
  const page = threadPage(closed, [message(1), message(2), message(3)]);
  const told = after(state, { type: "thread-loaded", externalId: "bo", cursor: null, page });
  expect(told.state.thread?.conversation?.state).toBe("closed");
});

test("appends the next page after the last row, and keeps the rows of later pages on a refresh", () => {
  const first = after(emptyMessages, {
    type: "folder-loaded",
    folder: "conversations",
    cursor: null,
    page: folderPage([{ ...bo, lastMessage: message(5) }], { next: "5" }),
  });
  const asked = after(first.state, { type: "more-wanted", folder: "conversations" });
  expect(asked.effects).toEqual([{ type: "load-folder", folder: "conversations", cursor: "5" }]);
  const later = after(asked.state, {
    type: "folder-loaded",
    folder: "conversations",
    cursor: "5",
    page: folderPage([{ ...cleo, lastMessage: message(1) }]),
  });
  expect(rowsOf(later.state)).toEqual(["bo", "cleo"]);
  const refreshed = after(later.state, {
    type: "folder-loaded",
    folder: "conversations",
    cursor: null,
    page: folderPage([{ ...bo, lastMessage: message(5) }], { next: "5" }),
  });
  expect(rowsOf(refreshed.state)).toEqual(["bo", "cleo"]);
  expect(refreshed.state.folders.conversations.next).toBeNull();
});

test("removes a conversation that no longer exists, instead of failing for ever", () => {
  const { state } = after(openThread(), { type: "thread-failed", externalId: "bo", isGone: true });
  expect(state.thread).toBeNull();
  expect(rowsOf(state)).toEqual([]);
});
