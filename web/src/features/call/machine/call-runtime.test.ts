import { active } from "@fava/wire/endpoints/profile.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type FakeCallPorts, fakeCallPorts } from "#testing/call-ports.ts";
import { matchedPush } from "#testing/matched-push.ts";
import { idle, stepCall } from "./call-machine.ts";
import { CallRuntime } from "./call-runtime.ts";
import { callStore } from "./call-store.ts";

let ports: FakeCallPorts;
let page: EventTarget & { hidden: boolean; pictureInPictureElement: object | null };
let owner: AbortController;
let isPhone: boolean;

beforeEach(() => {
  owner = new AbortController();
  isPhone = false;
  ports = fakeCallPorts();
  ports.smallRequest.mockResolvedValue({});
  ports.setMedia({ status: "off" });
  page = Object.assign(new EventTarget(), { hidden: false, pictureInPictureElement: null });
  vi.stubGlobal("document", page);
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("window", Object.assign(new EventTarget(), { matchMedia: () => ({ matches: isPhone }) }));
});

afterEach(() => {
  owner.abort();
  callStore.setState({ call: idle });
  vi.unstubAllGlobals();
});

const searching = stepCall(idle, { type: "start", wish: { sex: 0, country: 0 }, nowMs: 0 }).state;

function hide(hidden: boolean): void {
  page.hidden = hidden;
  page.dispatchEvent(new Event("visibilitychange"));
}

/** A page whose chat socket is open. */
async function follow(): Promise<CallRuntime> {
  const runtime = new CallRuntime(ports);
  runtime.follow(owner.signal);
  await vi.waitFor(() => expect(ports.socket.open).toHaveBeenCalled());
  ports.socket.open.mockClear();
  return runtime;
}

/** The page is in a call; answers what its room tells the other from now on. */
async function followInRoom(): Promise<string[]> {
  await follow();
  ports.setMedia(ports.live);
  callStore.setState({ call: searching });
  ports.socket.listener.frame({ type: "push", sequence: 1, push: matchedPush("room-1") });
  const [link] = ports.links;
  return link?.told ?? [];
}

test("[CALL-13] on a phone the chat login is dropped when the page is hidden, and restored when it is shown", async () => {
  isPhone = true;
  await follow();
  hide(true);
  expect(ports.socket.close).toHaveBeenCalledOnce();
  hide(false);
  await vi.waitFor(() => expect(ports.socket.open).toHaveBeenCalledOnce());
});

test("[MSG-82] a hidden page of a phone leaves the chat login to a tab that is looked at, unless its camera is on", async () => {
  isPhone = true;
  await follow();
  hide(true);
  expect(ports.tabLock.release).toHaveBeenCalledOnce();
  ports.setMedia(ports.live);
  hide(true);
  expect(ports.tabLock.release).toHaveBeenCalledOnce();
});

test("[MSG-82] a tab that waits behind another has the chat login as soon as that one is closed", async () => {
  await follow();
  ports.tabLock.tryTake.mockResolvedValue(false);
  ports.loseHold();
  await vi.waitFor(() => expect(ports.tabLock.waitInLine).toHaveBeenCalledOnce());
  expect(ports.socket.open).not.toHaveBeenCalled();
  ports.tabLock.tryTake.mockResolvedValue(true);
  ports.tabLock.waitInLine.mock.calls[0]?.[0]();
  await vi.waitFor(() => expect(ports.socket.open).toHaveBeenCalledOnce());
});

test("[CALL-13] in a search or a call the socket stays, and the other is told away and back", async () => {
  isPhone = true;
  const told = await followInRoom();
  hide(true);
  hide(false);
  expect(ports.socket.close).not.toHaveBeenCalled();
  expect(told).toEqual(["away", "back"]);
});

test("[DEVICE-11] on a desktop too the other is told, unless a small window still shows the call", async () => {
  const told = await followInRoom();
  hide(true);
  page.pictureInPictureElement = {};
  page.dispatchEvent(new Event("enterpictureinpicture"));
  page.pictureInPictureElement = null;
  page.dispatchEvent(new Event("leavepictureinpicture"));
  hide(false);
  expect(told).toEqual(["away", "back", "away", "back"]);
});

test("[CALL-13] on a desktop a hidden page keeps its chat login", async () => {
  await follow();
  hide(true);
  expect(ports.socket.close).not.toHaveBeenCalled();
});

test("[PUSH-8] a page that is hidden is reported with type 2", async () => {
  await follow();
  hide(true);
  expect(ports.smallRequest.mock.calls[0]?.slice(0, 2)).toEqual([active, { user_id: 7, type: 2 }]);
});

test("[CALL-12] the tab whose preview is opened has the chat login too, and loses both to another one", async () => {
  await follow();
  ports.setMedia(ports.live);
  await vi.waitFor(() => expect(ports.socket.open).toHaveBeenCalledOnce());
  callStore.setState({ call: searching });
  ports.loseHold();
  expect(ports.socket.leavePage).toHaveBeenCalledOnce();
  expect(callStore.getState().call).toMatchObject({ status: "idle", notice: "other-tab" });
});

test("[CALL-8] the connection that was prepared for a picture goes with it", async () => {
  await follow();
  vi.useFakeTimers();
  ports.setMedia(ports.live);
  vi.advanceTimersByTime(300);
  vi.useRealTimers();
  expect(ports.offers.prepare.mock.calls).toEqual([[ports.live.stream]]);
  expect(ports.offers.drop).not.toHaveBeenCalled();
  ports.setMedia({ status: "off" });
  ports.setMedia({ status: "failed", failure: { reason: "busy" } });
  expect(ports.offers.drop).toHaveBeenCalledTimes(2);
});

test("[CALL-84] a page that goes says so, and that it may come back; one that the browser keeps was left for another", async () => {
  await followInRoom();
  window.dispatchEvent(new Event("pagehide"));
  expect([ports.socket.leavePage.mock.calls.length, callStore.getState().call.status]).toEqual([1, "connecting"]);
  window.dispatchEvent(Object.assign(new Event("pagehide"), { persisted: true }));
  expect([ports.socket.leavePage.mock.calls.length, callStore.getState().call.status]).toEqual([2, "idle"]);
  expect(ports.socket.close).not.toHaveBeenCalled();
});
