import { matchStart, matchStop, startVideo } from "@fava/wire/endpoints/match.ts";
import { ringAnswer } from "@fava/wire/endpoints/rings.ts";
import { pressHeldMsMax, slowPictureMs } from "@fava/wire/limits.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CallController } from "#features/call/machine/call-controller.ts";
import { idle } from "#features/call/machine/call-machine.ts";
import { isInRoom } from "#features/call/machine/call-state.ts";
import { callStore, levelStore, renderedStore } from "#features/call/machine/call-store.ts";
import { storedCall, mayHaveCall } from "#features/call/return/stored-call.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import type { SignedAhead } from "#lib/api/request.ts";
import { clearForSignOut, readStored } from "#lib/storage.ts";
import { type FakeCallPorts, type FakeLink, fakeCallPorts } from "#testing/call-ports.ts";
import { matchedPush } from "#testing/matched-push.ts";

let ports: FakeCallPorts;
let links: FakeLink[];
let page: { hidden: boolean };
let controller: CallController;
const texts = () => callStore.getState().lines.map(({ text }) => text);

beforeEach(() => {
  ports = fakeCallPorts();
  ({ links } = ports);
  page = { hidden: false };
  vi.stubGlobal("document", page);
  ports.request.mockResolvedValue({ state: "searching", price: 0, since: 0 });
  ports.smallRequest.mockResolvedValue({ is_enough: 1 });
  controller = new CallController(ports, ports.socket);
  controller.dispatch({ type: "start", wish: { sex: 0, country: 0 }, nowMs: 0 });
});

afterEach(() => {
  controller.dispatch({ type: "session-ended" });
  controller.dispose();
  clearForSignOut();
  vi.unstubAllGlobals();
});

test("stores roomId while the user is in a room, and removes it afterwards", () => {
  controller.dispatch({ type: "matched", match: matchedPush("room-1"), nowMs: 1 });
  expect(readStored("roomId")).toBe("room-1");
  controller.dispatch({ type: "other-left", roomId: "room-1", why: "left", nowMs: 2 });
  expect(readStored("roomId")).toBeNull();
});

test("clears the chat of a call when the search continues", () => {
  controller.dispatch({ type: "matched", match: matchedPush("room-1"), nowMs: 1 });
  controller.takeFrame({ type: "chat", sequence: 1, roomId: "room-1", clientId: "c-1", text: "hello", sentAtMs: 0 });
  controller.say("hi");
  expect(texts()).toEqual(["hello", "hi"]);
  controller.dispatch({ type: "other-left", roomId: "room-1", why: "left", nowMs: 2 });
  expect(texts()).toEqual([]);
});

test("does not show a message of the previous room in the next one", () => {
  controller.dispatch({ type: "matched", match: matchedPush("room-1"), nowMs: 1 });
  controller.dispatch({ type: "other-left", roomId: "room-1", why: "left", nowMs: 2 });
  controller.dispatch({ type: "matched", match: matchedPush("room-2"), nowMs: 3 });
  controller.takeFrame({ type: "chat", sequence: 2, roomId: "room-1", clientId: "c-2", text: "too late", sentAtMs: 0 });
  expect(texts()).toEqual([]);
});

test("replaces the current room by a newer one: closes its connection and clears its chat", () => {
  controller.dispatch({ type: "matched", match: matchedPush("room-1"), nowMs: 1 });
  controller.takeFrame({ type: "chat", sequence: 1, roomId: "room-1", clientId: "c-1", text: "hello", sentAtMs: 0 });
  controller.dispatch({ type: "matched", match: matchedPush("room-2"), nowMs: 2 });
  expect(links.map(({ leavings }) => leavings)).toEqual([1, 0]);
  expect(texts()).toEqual([]);
  expect(readStored("roomId")).toBe("room-2");
  controller.takeFrame({ type: "chat", sequence: 2, roomId: "room-2", clientId: "c-2", text: "hi", sentAtMs: 0 });
  expect(texts()).toEqual(["hi"]);
});

test("starts a new connection for a room that is announced again, keeps its chat, and sends all states to the partner", () => {
  controller.dispatch({ type: "matched", match: matchedPush("room-1"), nowMs: 1 });
  controller.dispatch({ type: "first-frame", roomId: "room-1", nowMs: 2 });
  controller.takeFrame({ type: "chat", sequence: 1, roomId: "room-1", clientId: "c-1", text: "hello", sentAtMs: 0 });
  controller.takeFrame({ type: "peer-media", roomId: "room-1", state: "lost" });
  expect(callStore.getState().call).toMatchObject({ status: "in-call", peer: "lost" });
  const again = matchedPush("room-1", { returned: { generation: 1_000, live_ms: 1 } });
  controller.dispatch({ type: "matched", match: again, nowMs: 3 });
  expect(links.map(({ leavings }) => leavings)).toEqual([1, 0]);
  expect(links[1]?.told).toEqual(["camera_on", "mic_on", "back", "picture_back", "stalled"]);
  expect(texts()).toEqual(["hello"]);
  expect([callStore.getState().call, readStored("roomId")]).toMatchObject([{ peer: "here" }, "room-1"]);
  // Only the page that returns joins by a request, before its push.
  expect(ports.smallRequest.mock.calls.filter(([endpoint]) => endpoint === startVideo)).toHaveLength(0);
});

test("changes nothing of the call screens when the quality of a video changes, and resets it with its connection", () => {
  controller.dispatch({ type: "matched", match: matchedPush("room-1"), nowMs: 1 });
  controller.dispatch({ type: "first-frame", roomId: "room-1", nowMs: 2 });
  const before = callStore.getState();
  links[0]?.listener.rung(1);
  controller.takeFrame({ type: "peer-quality", roomId: "room-1", level: 2 });
  expect(levelStore.getState()).toEqual({ own: 1, other: 2 });
  expect(callStore.getState()).toBe(before);
  controller.dispatch({ type: "other-left", roomId: "room-1", why: "left", nowMs: 3 });
  expect(levelStore.getState()).toEqual({ own: 3, other: 3 });
});

test("reports a paused video to the server, shows it, and resets it with its connection", () => {
  controller.dispatch({ type: "matched", match: matchedPush("room-1"), nowMs: 1 });
  controller.dispatch({ type: "first-frame", roomId: "room-1", nowMs: 2 });
  const [link] = links;
  link?.told.splice(0);
  link?.listener.rung(0);
  expect([link?.told, callStore.getState().ownPausedAtMs]).toEqual([["picture_paused"], expect.any(Number)]);
  link?.listener.rung(1);
  expect([link?.told, callStore.getState().ownPausedAtMs]).toEqual([["picture_paused", "picture_back"], null]);
  link?.listener.rung(0);
  const state = "picture_paused";
  controller.takeFrame({ type: "peer-media", roomId: "room-1", state });
  const { pausedAtMs } = callStore.getState().other;
  expect(pausedAtMs).toEqual(expect.any(Number));
  // A second message does not restart the pause.
  controller.takeFrame({ type: "peer-media", roomId: "room-1", state });
  expect(callStore.getState().other.pausedAtMs).toBe(pausedAtMs);
  const again = matchedPush("room-1", { returned: { generation: 1_000, live_ms: 1 } });
  controller.dispatch({ type: "matched", match: again, nowMs: 3 });
  expect(callStore.getState()).toMatchObject({ ownPausedAtMs: null, other: { pausedAtMs: null } });
  controller.dispatch({ type: "other-left", roomId: "room-1", why: "left", nowMs: 4 });
  expect(links[1]?.told).toContain("picture_back");
});

test("sends all states again to a partner whose socket was lost", () => {
  controller.dispatch({ type: "matched", match: matchedPush("room-1"), nowMs: 1 });
  controller.dispatch({ type: "first-frame", roomId: "room-1", nowMs: 2 });
  const [link] = links;
  link?.listener.rung(0);
  link?.told.splice(0);
  controller.takeFrame({ type: "peer-media", roomId: "room-1", state: "lost" });
  expect(link?.told).toEqual([]);
  controller.takeFrame({ type: "peer-media", roomId: "room-1", state: "returned" });
  expect(link?.told).toEqual(["camera_on", "mic_on", "back", "picture_paused"]);
});

test("returns to a call by joining its room, once its socket is live", async () => {
  controller.dispatch({ type: "stop" });
  const match = matchedPush("room-1");
  controller.dispatch({ type: "return", match, wish: { sex: 0, country: 0 }, fromRing: false });
  await vi.waitFor(() =>
    expect(ports.request).toHaveBeenCalledWith(startVideo, { user_id: 7, id: "match-room-1" }, expect.anything()),
  );
  expect(links).toEqual([]);
  controller.dispatch({
    type: "matched",
    match: { ...match, returned: { generation: 1_000, live_ms: 1 } },
    nowMs: 3,
  });
  expect(links).toHaveLength(1);
});

test("reports a room that is over by then as left by the partner", async () => {
  controller.dispatch({ type: "stop" });
  ports.request.mockRejectedValue(new RequestFailure({ code: 403, reason: "not_in_room", message: "over" }));
  controller.dispatch({ type: "return", match: matchedPush("room-1"), wish: { sex: 0, country: 0 }, fromRing: false });
  await vi.waitFor(() => expect(callStore.getState().call).toMatchObject({ notice: { why: "gone", nickname: "bo" } }));
});

test.each<[string, () => void]>([
  ["End", () => controller.dispatch({ type: "stop" })],
  ["Next", () => controller.dispatch({ type: "next", nowMs: 10_000 })],
  ["panic", () => controller.dispatch({ type: "panic" })],
  ["a block", () => controller.leaveBlocked("room-1", Promise.resolve())],
  [
    "the partner's departure",
    () => controller.dispatch({ type: "other-left", roomId: "room-1", why: "left", nowMs: 9 }),
  ],
  ["another tab that takes the hold", () => controller.dispatch({ type: "lock-lost" })],
])("stores a call for the next page of this tab, and removes it on %s", (_what, end) => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  controller.dispatch({ type: "matched", match: matchedPush("room-1"), nowMs: 1 });
  expect(storedCall()).toMatchObject({ roomId: "room-1", nickname: "bo" });
  end();
  expect([storedCall(), mayHaveCall()]).toEqual([null, false]);
  vi.unstubAllGlobals();
});

test.each([
  ["that the user is away if the page is hidden", true, ["away"]],
  ["nothing if the page is visible", false, []],
] as const)("[CALL-13] tells the partner %s", (_what, hidden, told) => {
  page.hidden = hidden;
  controller.dispatch({ type: "matched", match: matchedPush("room-1"), nowMs: 1 });
  expect(links.map((link) => link.told)).toEqual([told]);
});

test("uses the endpoints start, start/video and stop with user_id and the id of the match", async () => {
  vi.useFakeTimers();
  await vi.waitFor(() => expect(ports.request).toHaveBeenCalled());
  expect(ports.request.mock.calls[0]?.slice(0, 2)).toEqual([
    matchStart,
    expect.objectContaining({ user_id: 7, sex: 0, country: 0 }),
  ]);
  controller.dispatch({ type: "matched", match: matchedPush("room-1"), nowMs: 1 });
  vi.advanceTimersByTime(slowPictureMs);
  vi.useRealTimers();
  controller.dispatch({ type: "stop" });
  await vi.waitFor(() => expect(ports.smallRequest).toHaveBeenCalledTimes(2));
  expect(ports.smallRequest.mock.calls.map((made) => made.slice(0, 2))).toEqual([
    [startVideo, { user_id: 7, id: "match-room-1" }],
    [matchStop, { user_id: 7 }],
  ]);
});

test("opens the room before a screen draws the match, and sends no request before the first frame", () => {
  const asked = () => ports.smallRequest.mock.calls.length + ports.refreshUser.mock.calls.length;
  controller.dispatch({ type: "matched", match: matchedPush("room-1"), nowMs: 1 });
  expect(links.map(({ openedIn }) => openedIn)).toEqual(["searching"]);
  expect([callStore.getState().call.status, asked()]).toEqual(["connecting", 0]);
  controller.dispatch({ type: "first-frame", roomId: "room-1", nowMs: 2 });
  expect(asked()).toBe(1);
});

test("joins a room whose video arrives within a second by its message, without a request", () => {
  controller.dispatch({ type: "matched", match: matchedPush("room-1"), nowMs: 1 });
  controller.dispatch({ type: "first-frame", roomId: "room-1", nowMs: 2 });
  expect(links[0]?.told).toEqual(["playing"]);
  expect(ports.smallRequest).not.toHaveBeenCalled();
});

const drawnStatus = () => renderedStore.getState().call.status;
const offered = (roomId: string) => matchedPush(roomId, { media: { role: "answerer", peerOffer: "their offer" } });

function answer(): void {
  const about = { roomId: "room-1", roomToken: "token" };
  links[0]?.send({ type: "signal", ...about, signal: { type: "answer", generation: 0, sdp: "answer" } });
}

test("draws no screen between a match and its first frame", () => {
  controller.dispatch({ type: "matched", match: offered("room-1"), nowMs: 1 });
  answer();
  expect([callStore.getState().call.status, drawnStatus()]).toEqual(["connecting", "searching"]);
  controller.dispatch({ type: "first-frame", roomId: "room-1", nowMs: 2 });
  expect(drawnStatus()).toBe("in-call");
});

test("draws no search on a page that was matched at home before its search was drawn", () => {
  renderedStore.setState({ call: idle });
  controller.dispatch({ type: "matched", match: offered("room-1"), nowMs: 1 });
  answer();
  links[0]?.listener.remoteStream(ports.live.stream);
  expect([callStore.getState().call.status, drawnStatus()]).toEqual(["connecting", "idle"]);
  controller.dispatch({ type: "first-frame", roomId: "room-1", nowMs: 2 });
  expect(drawnStatus()).toBe("in-call");
});

/** Accept was pressed, and everything is ready. */
function takeRing(): void {
  const friend = { userId: 8, externalId: "x-bo", nickname: "bo", avatar: "" };
  controller.dispatch({ type: "ring-taken", friend, ringId: "ring-1", wish: { sex: 0, country: 0 } });
}

test("accepts a prepared ring in the same turn, as it was signed ahead, and makes a spare connection meanwhile", async () => {
  vi.useFakeTimers();
  const signed = { name: "taking" } as SignedAhead;
  ports.signAhead.mockResolvedValue(signed);
  controller.expectTake("ring-1");
  await vi.runOnlyPendingTimersAsync();
  vi.useRealTimers();
  ports.request.mockClear();
  ports.socket.isLive = true;
  takeRing();
  const taking = [ringAnswer, { user_id: 7, id: "ring-1", accept: 1 }] as const;
  expect(ports.signAhead.mock.lastCall).toEqual(taking);
  expect(ports.request.mock.calls).toEqual([[...taking, expect.objectContaining({ ahead: signed })]]);
  expect(ports.offers.makeSpare).toHaveBeenLastCalledWith(ports.live.stream);
});

test("draws no screen between the acceptance of a ring and its call, for a limited time", () => {
  vi.useFakeTimers();
  ports.socket.isLive = true;
  takeRing();
  expect([callStore.getState().call.status, drawnStatus()]).toEqual(["ringing", "searching"]);
  vi.advanceTimersByTime(pressHeldMsMax);
  expect(drawnStatus()).toBe("ringing");
  controller.dispatch({ type: "matched", match: offered("room-1"), nowMs: 1 });
  answer();
  vi.useRealTimers();
  expect([callStore.getState().call.status, drawnStatus()]).toEqual(["connecting", "ringing"]);
});

test("fetches the credentials while a ring can be accepted; without them it can still be accepted", () => {
  ports.credentials.current.mockRejectedValue(new RequestFailure({ code: 0, reason: "timeout" }));
  controller.expectRing();
  expect(ports.credentials.current).toHaveBeenCalledOnce();
});

test.each<[string, () => void, string]>([
  ["Stop", () => controller.dispatch({ type: "stop" }), "idle"],
  [
    "the partner's departure",
    () => controller.dispatch({ type: "other-left", roomId: "room-1", why: "left", nowMs: 2 }),
    "searching",
  ],
  ["a first frame that takes long", () => vi.advanceTimersByTime(slowPictureMs), "connecting"],
])("renders %s at once all the same", (_what, happen, status) => {
  vi.useFakeTimers();
  controller.dispatch({ type: "matched", match: offered("room-1"), nowMs: 1 });
  const drawn = vi.fn<() => void>();
  const stop = renderedStore.subscribe(drawn);
  happen();
  vi.useRealTimers();
  stop();
  expect([drawn.mock.calls.length > 0, drawnStatus()]).toEqual([true, status]);
});

test("draws at once for a user who was in a call already", () => {
  controller.dispatch({ type: "matched", match: matchedPush("room-1"), nowMs: 1 });
  controller.dispatch({ type: "matched", match: offered("room-2"), nowMs: 2 });
  expect(renderedStore.getState().call).toMatchObject({ match: { roomId: "room-2" } });
});

test("joins by a request after a second without video, whose response may report low beans", () => {
  vi.useFakeTimers();
  ports.smallRequest.mockResolvedValue({ is_enough: 0 });
  controller.dispatch({ type: "matched", match: matchedPush("room-1"), nowMs: 1 });
  vi.advanceTimersByTime(slowPictureMs - 1);
  expect(ports.smallRequest).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  vi.useRealTimers();
  expect(ports.smallRequest.mock.calls.map(([endpoint]) => endpoint)).toEqual([startVideo]);
  return vi.waitFor(() => expect(callStore.getState().call).toMatchObject({ status: "connecting", low: "soon" }));
});

test("prepares the next offer when the browser is idle after the first frame, and not for a call that is over", () => {
  vi.useFakeTimers();
  const prepared = () => ports.offers.prepare.mock.calls.length;
  const meet = (roomId: string) => {
    controller.dispatch({ type: "matched", match: matchedPush(roomId), nowMs: 1 });
    controller.dispatch({ type: "first-frame", roomId, nowMs: 2 });
  };
  meet("room-1");
  expect(prepared()).toBe(0);
  controller.dispatch({ type: "stop" });
  vi.runOnlyPendingTimers();
  expect(prepared()).toBe(0);
  controller.dispatch({ type: "start", wish: { sex: 0, country: 0 }, nowMs: 3 });
  meet("room-2");
  vi.advanceTimersByTime(5_000);
  vi.useRealTimers();
  expect(prepared()).toBe(1);
});

test("[CALL-105] closes a room later on Next, since another follows, and at once on End", () => {
  controller.dispatch({ type: "matched", match: matchedPush("room-1"), nowMs: 1 });
  controller.dispatch({ type: "next", nowMs: 10_000 });
  expect(links[0]).toMatchObject({ leavings: 1, closings: 0 });
  controller.dispatch({ type: "matched", match: matchedPush("room-2"), nowMs: 10_001 });
  controller.dispatch({ type: "stop" });
  expect(links[1]).toMatchObject({ leavings: 0, closings: 1 });
});

describe("after a press whose search request leaves at once", () => {
  const meet = (roomId: string) => {
    controller.dispatch({ type: "matched", match: matchedPush(roomId), nowMs: 1 });
    controller.dispatch({ type: "first-frame", roomId, nowMs: 2 });
  };
  const next = () => controller.dispatch({ type: "next", nowMs: 10_000 });
  beforeEach(() => {
    vi.useFakeTimers();
    ports.socket.isLive = true;
    meet("room-1");
  });
  afterEach(() => void vi.useRealTimers());

  test("draws the search once the server has answered that nobody was found at once", async () => {
    let answer = (): void => undefined;
    ports.request.mockImplementationOnce(
      () => new Promise((resolve) => (answer = () => resolve({ state: "searching", price: 0, since: 0 }))),
    );
    next();
    expect([callStore.getState().call.status, drawnStatus()]).toEqual(["searching", "in-call"]);
    answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(drawnStatus()).toBe("searching");
  });

  test("draws the search if the answer takes too long", () => {
    ports.request.mockImplementationOnce(() => new Promise(() => undefined));
    next();
    vi.advanceTimersByTime(pressHeldMsMax - 1);
    expect(drawnStatus()).toBe("in-call");
    vi.advanceTimersByTime(1);
    expect(drawnStatus()).toBe("searching");
  });

  test("draws nothing between the press and the first frame of an immediate match", () => {
    const drawnRoom = () => {
      const { call } = renderedStore.getState();
      return isInRoom(call) && `${call.status} ${call.match.roomId}`;
    };
    next();
    controller.dispatch({ type: "matched", match: offered("room-2"), nowMs: 10_030 });
    const about = { roomId: "room-2", roomToken: "token" };
    links.at(-1)?.send({ type: "signal", ...about, signal: { type: "answer", generation: 0, sdp: "answer" } });
    expect(drawnRoom()).toBe("in-call room-1");
    controller.dispatch({ type: "first-frame", roomId: "room-2", nowMs: 10_200 });
    expect(drawnRoom()).toBe("in-call room-2");
  });

  test("draws at once what the user does next, and a match whose offer is still to come", async () => {
    next();
    controller.dispatch({ type: "stop" });
    expect(drawnStatus()).toBe("idle");
    // The stop request is answered.
    await vi.advanceTimersByTimeAsync(0);
    controller.dispatch({ type: "start", wish: { sex: 0, country: 0 }, nowMs: 20_000 });
    expect(drawnStatus()).toBe("idle");
    controller.dispatch({
      type: "matched",
      match: matchedPush("room-3", { media: { role: "answerer" } }),
      nowMs: 20_001,
    });
    expect(drawnStatus()).toBe("connecting");
  });

  test("draws a search at once when it has to wait for something", () => {
    ports.socket.isLive = false;
    next();
    expect(drawnStatus()).toBe("searching");
  });
});

test.each([
  ["the camera opens", "opening", 1],
  ["the browser asks for permission", "off", 0],
] as const)("prepares the search after the turn of a press on Start, if %s", (_what, status, spares) => {
  vi.useFakeTimers();
  const opened = () => ports.offers.openSpare.mock.calls.length;
  controller.expectStart({ sex: 0, country: 0 });
  ports.setMedia({ status });
  expect([ports.signAhead.mock.calls.length, opened()]).toEqual([0, 0]);
  vi.advanceTimersByTime(0);
  vi.useRealTimers();
  expect([ports.signAhead.mock.calls.length, opened()]).toEqual([1, spares]);
});
