import { active } from "@fava/wire/endpoints/profile.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { smallRequest } from "#lib/api/request.ts";
import { type LocalMedia, localMedia, onLocalTrackEnded } from "#lib/media/local-media.ts";
import { currentUser, session } from "#lib/session.ts";
import type { CallState } from "./call-state.ts";

const { parts, socketDouble, holdDouble } = vi.hoisted(() => ({
  parts: {
    loseHold: (): void => undefined,
    dispatch: vi.fn<(event: unknown) => void>(),
    tellOther: vi.fn<(state: string) => void>(),
    followStream: vi.fn<(stream: MediaStream | null) => void>(),
    end: vi.fn<() => void>(),
  },
  holdDouble: {
    tryTake: vi.fn<() => Promise<boolean>>(),
    take: () => Promise.resolve(),
    waitInLine: vi.fn<(onTaken: () => void) => Promise<void>>(),
    release: vi.fn<() => void>(),
  },
  socketDouble: {
    isOpen: false,
    open: vi.fn<() => void>(),
    close: vi.fn<() => void>(),
    leavePage: vi.fn<() => void>(),
  },
}));

vi.mock("#lib/api/request.ts");
vi.mock("#lib/session.ts");
vi.mock("#lib/media/local-media.ts");
vi.mock("./tab-lock.ts", () => ({
  tabLock: holdDouble,
  onHoldLost: (listener: () => void) => {
    parts.loseHold = listener;
    return () => undefined;
  },
}));
vi.mock("./chat-socket.ts", () => ({
  ChatSocket: function () {
    return socketDouble;
  },
}));
vi.mock("./call-controller.ts", () => ({
  CallController: function () {
    const { dispatch, tellOther, followStream, end } = parts;
    return { dispatch, tellOther, followStream, dispose: end };
  },
}));

const call = await import("./call.ts");
const { callStore } = await import("./call-store.ts");
const me = { user_id: 7 } as NonNullable<ReturnType<typeof currentUser>>;
const picture = { status: "live", stream: {} as MediaStream, cameraOn: true, microphoneOn: true } as const;

let page: EventTarget & { hidden: boolean; pictureInPictureElement: object | null };
let owner: AbortController;
let isPhone: boolean;

beforeEach(() => {
  owner = new AbortController();
  isPhone = false;
  page = Object.assign(new EventTarget(), { hidden: false, pictureInPictureElement: null });
  vi.stubGlobal("document", page);
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("window", Object.assign(new EventTarget(), { matchMedia: () => ({ matches: isPhone }) }));
  vi.mocked(currentUser).mockReturnValue(me);
  vi.mocked(smallRequest).mockResolvedValue({});
  holdDouble.tryTake.mockResolvedValue(true);
  vi.mocked(session.getState).mockReturnValue({ status: "signed-in", token: "t", user: me });
});

afterEach(() => {
  owner.abort();
  vi.clearAllMocks();
  vi.unstubAllGlobals();
});

const searching: CallState = {
  status: "searching",
  wish: { sex: 0, country: 0 },
  attempt: 1,
  sinceMs: 0,
  widen: false,
  told: 0,
  previous: null,
};

function hide(hidden: boolean): void {
  page.hidden = hidden;
  page.dispatchEvent(new Event("visibilitychange"));
}

let mediaIs: (media: LocalMedia) => void;

async function runtime(): Promise<void> {
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
  expect(vi.mocked(smallRequest).mock.calls[0]?.slice(0, 2)).toEqual([active, { user_id: 7, type: 2 }]);
});

test("[CALL-12] the tab whose preview is opened has the chat login too, and loses both to another one", async () => {
  await runtime();
  mediaIs(picture);
  await vi.waitFor(() => expect(socketDouble.open).toHaveBeenCalledOnce());
  parts.loseHold();
  expect(socketDouble.leavePage).toHaveBeenCalledOnce();
  expect(parts.dispatch.mock.calls).toEqual([[{ type: "hold-lost" }]]);
});

test("[CALL-8] the connection that was prepared for a picture goes with it", async () => {
  await runtime();
  mediaIs(picture);
  mediaIs({ status: "off" });
  mediaIs({ status: "failed", failure: { reason: "busy" } });
  expect(parts.followStream.mock.calls).toEqual([[picture.stream], [null], [null]]);
});

test("[CALL-84] a page that goes says so, and that it may come back; one that the browser keeps was left for another", async () => {
  await runtime();
  window.dispatchEvent(new Event("pagehide"));
  expect([socketDouble.leavePage.mock.calls.length, parts.dispatch.mock.calls]).toEqual([1, []]);
  window.dispatchEvent(Object.assign(new Event("pagehide"), { persisted: true }));
  expect(socketDouble.leavePage).toHaveBeenCalledTimes(2);
  expect(parts.dispatch.mock.calls).toEqual([[{ type: "stop" }]]);
  expect(socketDouble.close).not.toHaveBeenCalled();
});
