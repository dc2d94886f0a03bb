import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { active } from "@fava/wire/endpoints/profile.ts";
import type { BanFacts } from "@fava/wire/moderation.ts";
import { pushCodes, type Push } from "@fava/wire/pushes.ts";
import { smallCall } from "#lib/api/call.ts";
import type { LocalMedia } from "#lib/media/local-media.ts";
import { banSession, currentUser, refreshUser, session } from "#lib/session.ts";
import { matchedPush } from "#testing/matched-push.ts";
import { meterWord } from "#testing/meter-word.ts";
import { showToast } from "#ui/toast-store.ts";
import type { CallState } from "./call-state.ts";
import type { ChatSocketListener } from "./chat-socket.ts";

const { parts, socketDouble, holdDouble } = vi.hoisted(() => ({
  parts: {
    listener: null as unknown,
    loseHold: (): void => undefined,
    dispatch: vi.fn<(event: unknown) => void>(),
    tellOther: vi.fn<(state: string) => void>(),
    followStream: vi.fn<(stream: MediaStream | null) => void>(),
    resumed: vi.fn<() => void>(),
    end: vi.fn<() => void>(),
  },
  holdDouble: {
    tryTake: vi.fn<() => Promise<boolean>>(),
    take: () => Promise.resolve(),
    waitInLine: vi.fn<(onTaken: () => void) => Promise<void>>(),
    release: vi.fn<() => void>(),
  },
  socketDouble: { isOpen: false, open: vi.fn<() => void>(), close: vi.fn<() => void>() },
}));

vi.mock("#lib/api/call.ts");
vi.mock("#lib/i18n.ts", async (original) => ({ ...(await original<object>()), t: (key: string) => key }));
vi.mock("#lib/session.ts");
vi.mock("#lib/media/local-media.ts");
vi.mock("#ui/toast-store.ts");
vi.mock("#lib/tab-hold.ts", () => ({
  tabHold: holdDouble,
  onHoldLost: (listener: () => void) => {
    parts.loseHold = listener;
    return () => undefined;
  },
}));
vi.mock("./chat-socket.ts", () => ({
  ChatSocket: function (listener: unknown) {
    parts.listener = listener;
    return socketDouble;
  },
}));
vi.mock("./call-controller.ts", () => ({
  CallController: function () {
    const { dispatch, tellOther, followStream, resumed, end } = parts;
    return { dispatch, tellOther, followStream, resumed, dispose: end };
  },
}));

const call = await import("./call.ts");
const { callStore } = await import("./call-store.ts");
const me = { user_id: 7 } as NonNullable<ReturnType<typeof currentUser>>;

let page: EventTarget & { hidden: boolean; pictureInPictureElement: object | null };
let owner: AbortController;
let isPhone: boolean;

const push = (sent: Push) => (parts.listener as ChatSocketListener).frame({ type: "push", sequence: 1, push: sent });

beforeEach(() => {
  owner = new AbortController();
  isPhone = false;
  page = Object.assign(new EventTarget(), { hidden: false, pictureInPictureElement: null });
  vi.stubGlobal("document", page);
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("window", Object.assign(new EventTarget(), { matchMedia: () => ({ matches: isPhone }) }));
  vi.mocked(currentUser).mockReturnValue(me);
  vi.mocked(refreshUser).mockResolvedValue(me);
  vi.mocked(smallCall).mockResolvedValue({});
  holdDouble.tryTake.mockResolvedValue(true);
  vi.mocked(session.getState).mockReturnValue({ status: "signed-in", token: "t", user: me });
});

afterEach(() => {
  owner.abort();
  vi.clearAllMocks();
  vi.unstubAllGlobals();
});

test("[PUSH-1] 100001 is a match", () => {
  const match = matchedPush("room-1");
  push(match);
  expect(parts.dispatch).toHaveBeenCalledWith(expect.objectContaining({ type: "matched", match }));
});

test.each([
  ["left", "left"],
  ["not_joined", "not-joined"],
  ["restart", "left"],
  ["cut", "cut"],
] as const)("[PUSH-5] 100002 with the reason %s: the other is gone", (reason, why) => {
  push({ code: pushCodes.otherLeft, roomId: "room-1", reason });
  expect(parts.dispatch).toHaveBeenCalledWith(expect.objectContaining({ type: "other-left", roomId: "room-1", why }));
});

test("[PUSH-9] 100003 refreshes the user", () => {
  push({ code: pushCodes.systemNotice });
  expect(refreshUser).toHaveBeenCalledOnce();
});

test.each([
  ["acted", "info"],
  ["nothing_found", "info"],
  ["warned", "warning"],
] as const)("[PUSH-10] 100004 with the outcome %s is told as a notice, in the page's own words", (outcome, type) => {
  push({ code: pushCodes.reportNotice, text: "", outcome, reason_id: 5 });
  expect(showToast).toHaveBeenCalledWith(expect.objectContaining({ type, text: `report.outcome.${outcome}` }));
});

test("[PUSH-11] 100005 ends the session with the ban notice", () => {
  const facts: BanFacts = {
    at: 1,
    until: null,
    reason_id: 1,
    by: "software",
    is_provisional: true,
    rule: "explicit_picture_sure",
    call_at: 1,
    reports: 0,
    strike: 0,
    strike_until: null,
  };
  const notice = { id: "1048", reason_id: 1, reason: "pornography", time: null, appeal_token: "a", facts };
  push({ code: pushCodes.banned, ...notice });
  expect(banSession).toHaveBeenCalledWith(notice, { endedCall: false });
});

test.each([
  [
    "type 1 with too few beans announces it",
    { type: 1, is_enough: 0, roomId: "r" },
    { type: "low-beans", roomId: "r" },
  ],
  [
    "type 2 closes the match",
    { type: 2, is_enough: 0, roomId: "r" },
    { type: "closed-by-server", roomId: "r", notice: "closed" },
  ],
  [
    "type 2 because of pictures that could not be checked",
    { type: 2, is_enough: 1, roomId: "r", why: "unchecked" },
    { type: "closed-by-server", roomId: "r", notice: "unchecked" },
  ],
  ["type 2 without a room closes the search", { type: 2, is_enough: 0, roomId: "" }, { type: "search-closed" }],
  [
    "type 2 during a pause closes the search and says until when it lasts",
    { type: 2, is_enough: 0, roomId: "", why: "paused", until: 5_000 },
    { type: "search-closed", notice: { why: "paused", untilMs: 5_000 } },
  ],
] as const)("[PUSH-6] 100006 of %s", (_what, content, event) => {
  push({ code: pushCodes.callMessage, meter: null, ...content });
  expect(parts.dispatch.mock.calls).toEqual([[event]]);
});

test("[PUSH-6] 100006 of type 1 with enough beans changes nothing", () => {
  push({ code: pushCodes.callMessage, type: 1, is_enough: 1, roomId: "r", meter: null });
  expect(parts.dispatch).not.toHaveBeenCalled();
});

test("[BEANS-350] 100006 of type 1 with a meter is its newest word, enough beans or not", () => {
  const meter = meterWord();
  push({ code: pushCodes.callMessage, type: 1, is_enough: 1, roomId: "r", meter });
  push({ code: pushCodes.callMessage, type: 1, is_enough: 0, roomId: "r", meter });
  const told = { type: "meter", roomId: "r", meter, nowMs: expect.any(Number) as number };
  expect(parts.dispatch.mock.calls).toEqual([[{ ...told, isEnough: true }], [{ ...told, isEnough: false }]]);
});

test("[BEANS-358] 100006 of type 2 with a meter says that the beans ran out", () => {
  const meter = meterWord({ left_ms: 0 });
  push({ code: pushCodes.callMessage, type: 2, is_enough: 0, roomId: "r", meter });
  expect(parts.dispatch.mock.calls).toEqual([[{ type: "ran-out", roomId: "r", meter }]]);
});

test("[PUSH-12] 100007 refreshes the user and answers with a report of type 1", async () => {
  push({ code: pushCodes.dataReport });
  await vi.waitFor(() => expect(smallCall).toHaveBeenCalled());
  expect(refreshUser).toHaveBeenCalledOnce();
  expect(vi.mocked(smallCall).mock.calls[0]?.slice(0, 2)).toEqual([active, { user_id: 7, type: 1 }]);
});

const searching: CallState = {
  status: "searching",
  wish: { sex: 0, country: 0 },
  attempt: 1,
  sinceMs: 0,
  widen: false,
  previous: null,
};

function hide(hidden: boolean): void {
  page.hidden = hidden;
  page.dispatchEvent(new Event("visibilitychange"));
}

let mediaIs: (media: LocalMedia) => void;

async function runtime(): Promise<void> {
  const { localMedia, onLocalTrackEnded } = await import("#lib/media/local-media.ts");
  vi.mocked(localMedia.getState).mockReturnValue({ media: { status: "off" } } as ReturnType<
    typeof localMedia.getState
  >);
  type Listener = Parameters<typeof localMedia.subscribe>[0];
  const listeners: Listener[] = [];
  vi.mocked(localMedia.subscribe).mockImplementation((listener) => {
    listeners.push(listener);
    return () => undefined;
  });
  mediaIs = (media) => {
    for (const listener of listeners) listener({ media } as Parameters<Listener>[0], {} as Parameters<Listener>[1]);
  };
  vi.mocked(onLocalTrackEnded).mockReturnValue(() => undefined);
  vi.mocked(session.subscribe).mockReturnValue(() => undefined);
  call.startCallRuntime(owner.signal);
  await vi.waitFor(() => expect(socketDouble.open).toHaveBeenCalled());
  socketDouble.open.mockClear();
}

test("[CALL-13] on a phone the chat login is dropped when the page is hidden, and restored when it is shown", async () => {
  isPhone = true;
  await runtime();
  hide(true);
  expect(socketDouble.close).toHaveBeenCalledOnce();
  hide(false);
  await vi.waitFor(() => expect(socketDouble.open).toHaveBeenCalledOnce());
});

test("[MSG-82] a hidden page of a phone leaves the chat login to a tab that is looked at, unless its camera is on", async () => {
  isPhone = true;
  await runtime();
  hide(true);
  expect(holdDouble.release).toHaveBeenCalledOnce();
  const { localMedia } = await import("#lib/media/local-media.ts");
  const live = { media: picture } as ReturnType<typeof localMedia.getState>;
  vi.mocked(localMedia.getState).mockReturnValue(live);
  hide(true);
  expect(holdDouble.release).toHaveBeenCalledOnce();
});

test("[MSG-82] a tab that waits behind another has the chat login as soon as that one is closed", async () => {
  await runtime();
  holdDouble.tryTake.mockResolvedValue(false);
  parts.loseHold();
  await vi.waitFor(() => expect(holdDouble.waitInLine).toHaveBeenCalledOnce());
  expect(socketDouble.open).not.toHaveBeenCalled();
  holdDouble.tryTake.mockResolvedValue(true);
  holdDouble.waitInLine.mock.calls[0]?.[0]();
  await vi.waitFor(() => expect(socketDouble.open).toHaveBeenCalledOnce());
});

test("[CALL-13] in a search or a call the socket stays, and the other is told away and back", async () => {
  isPhone = true;
  await runtime();
  const idle = callStore.getState().call;
  callStore.setState({ call: searching });
  hide(true);
  hide(false);
  callStore.setState({ call: idle });
  expect(socketDouble.close).not.toHaveBeenCalled();
  expect(parts.tellOther.mock.calls).toEqual([["away"], ["back"]]);
});

test("[DEVICE-11] on a desktop too the other is told, unless a small window still shows the call", async () => {
  await runtime();
  const idle = callStore.getState().call;
  callStore.setState({ call: searching });
  hide(true);
  page.pictureInPictureElement = {};
  page.dispatchEvent(new Event("enterpictureinpicture"));
  page.pictureInPictureElement = null;
  page.dispatchEvent(new Event("leavepictureinpicture"));
  hide(false);
  callStore.setState({ call: idle });
  expect(parts.tellOther.mock.calls).toEqual([["away"], ["back"], ["away"], ["back"]]);
});

test("[CALL-13] on a desktop a hidden page keeps its chat login", async () => {
  await runtime();
  hide(true);
  expect(socketDouble.close).not.toHaveBeenCalled();
});

test("[PUSH-8] a page that is hidden is reported with type 2", async () => {
  await runtime();
  hide(true);
  expect(vi.mocked(smallCall).mock.calls[0]?.slice(0, 2)).toEqual([active, { user_id: 7, type: 2 }]);
});

const picture = { status: "live", stream: {} as MediaStream, cameraOn: true, microphoneOn: true } as const;

test("[CALL-12] the tab whose preview is opened has the chat login too, and loses both to another one", async () => {
  await runtime();
  mediaIs(picture);
  await vi.waitFor(() => expect(socketDouble.open).toHaveBeenCalledOnce());
  parts.loseHold();
  expect(socketDouble.close).toHaveBeenCalledOnce();
  expect(parts.dispatch.mock.calls).toEqual([[{ type: "hold-lost" }]]);
});

test("[CALL-8] the connection that was prepared for a picture goes with it", async () => {
  await runtime();
  mediaIs(picture);
  mediaIs({ status: "off" });
  mediaIs({ status: "failed", failure: { reason: "busy" } });
  expect(parts.followStream.mock.calls).toEqual([[picture.stream], [null], [null]]);
});

test("[BEANS-115] a chat session that begins anew has the person fetched: what was pushed before it reached nobody", () => {
  const listener = parts.listener as ChatSocketListener;
  listener.live(true);
  expect(parts.resumed).toHaveBeenCalledOnce();
  expect(refreshUser).not.toHaveBeenCalled();
  listener.live(false);
  expect(refreshUser).toHaveBeenCalledOnce();
});
