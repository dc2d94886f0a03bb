import { active } from "@fava/wire/endpoints/profile.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hidePerson } from "#features/people/relations.ts";
import { removeStored } from "#lib/storage.ts";
import { type FakeCallPorts, fakeCallPorts } from "#testing/call-ports.ts";
import { FakeStream } from "#testing/fake-media.ts";
import { matchedPush } from "#testing/matched-push.ts";
import { idle, stepCall } from "./call-machine.ts";
import { CallRuntime } from "./call-runtime.ts";
import { callStore } from "./call-store.ts";

let ports: FakeCallPorts;
let page: EventTarget & { hidden: boolean; pictureInPictureElement: object | null };
let owner: AbortController;
let isPhone: boolean;
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

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
  removeStored("searchChecksTold");
  vi.unstubAllGlobals();
});

const searching = stepCall(idle, { type: "start", wish: { sex: 0, country: 0 }, nowMs: 0 }).state;

function hide(hidden: boolean): void {
  page.hidden = hidden;
  page.dispatchEvent(new Event("visibilitychange"));
}

/** Starts a runtime whose chat socket is open. */
async function follow(): Promise<CallRuntime> {
  const runtime = new CallRuntime(ports);
  runtime.follow(owner.signal);
  await vi.waitFor(() => expect(ports.socket.open).toHaveBeenCalled());
  ports.socket.open.mockClear();
  return runtime;
}

/** Starts a page in a call; `told` records what its room sends to the partner from then on. */
async function followInRoom() {
  const runtime = await follow();
  ports.setMedia(ports.live);
  callStore.setState({ call: searching });
  ports.socket.listener.frame({ type: "push", sequence: 1, push: matchedPush("room-1") });
  return { runtime, told: ports.links[0]?.told };
}

test("[CALL-13] closes the chat session when a phone hides the page, and opens it when the page is shown", async () => {
  isPhone = true;
  await follow();
  hide(true);
  expect(ports.socket.close).toHaveBeenCalledOnce();
  hide(false);
  await vi.waitFor(() => expect(ports.socket.open).toHaveBeenCalledOnce());
});

test("leaves the chat session to a visible tab when a phone hides the page, unless its camera is on", async () => {
  isPhone = true;
  await follow();
  hide(true);
  expect(ports.tabLock.release).toHaveBeenCalledOnce();
  ports.setMedia(ports.live);
  hide(true);
  expect(ports.tabLock.release).toHaveBeenCalledOnce();
});

test("opens the chat session of a waiting tab as soon as the tab before it closes", async () => {
  await follow();
  ports.tabLock.tryTake.mockResolvedValue(false);
  ports.loseHold();
  await vi.waitFor(() => expect(ports.tabLock.waitInLine).toHaveBeenCalledOnce());
  expect(ports.socket.open).not.toHaveBeenCalled();
  ports.tabLock.tryTake.mockResolvedValue(true);
  ports.tabLock.waitInLine.mock.calls[0]?.[0]();
  await vi.waitFor(() => expect(ports.socket.open).toHaveBeenCalledOnce());
});

test("[CALL-13] keeps the socket during a search or call, and tells the partner away and back", async () => {
  isPhone = true;
  const { told } = await followInRoom();
  hide(true);
  hide(false);
  expect(ports.socket.close).not.toHaveBeenCalled();
  expect(told).toEqual(["away", "back"]);
});

test("tells the partner on a desktop too, unless a picture-in-picture window shows the call", async () => {
  const { told } = await followInRoom();
  hide(true);
  page.pictureInPictureElement = {};
  page.dispatchEvent(new Event("enterpictureinpicture"));
  page.pictureInPictureElement = null;
  page.dispatchEvent(new Event("leavepictureinpicture"));
  hide(false);
  expect(told).toEqual(["away", "back", "away", "back"]);
});

test("[CALL-13] keeps the chat session of a hidden page on a desktop", async () => {
  await follow();
  hide(true);
  expect(ports.socket.close).not.toHaveBeenCalled();
});

test("[PUSH-8] reports a hidden page with type 2", async () => {
  await follow();
  hide(true);
  expect(ports.smallRequest.mock.calls[0]?.slice(0, 2)).toEqual([active, { user_id: 7, type: 2 }]);
});

test("has the chat session in the tab that opens the preview, and loses both to another tab", async () => {
  await follow();
  ports.setMedia(ports.live);
  await vi.waitFor(() => expect(ports.socket.open).toHaveBeenCalledOnce());
  callStore.setState({ call: searching });
  ports.loseHold();
  expect(ports.socket.leavePage).toHaveBeenCalledOnce();
  expect(callStore.getState().call).toMatchObject({ status: "idle", notice: "other-tab" });
});

test("[CALL-8] drops the prepared offer with the local stream", async () => {
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

test("reports a page that closes and may return; a page that the browser keeps was left for another", async () => {
  await followInRoom();
  window.dispatchEvent(new Event("pagehide"));
  expect([ports.socket.leavePage.mock.calls.length, callStore.getState().call.status]).toEqual([1, "connecting"]);
  window.dispatchEvent(Object.assign(new Event("pagehide"), { persisted: true }));
  expect([ports.socket.leavePage.mock.calls.length, callStore.getState().call.status]).toEqual([2, "idle"]);
  expect(ports.socket.close).not.toHaveBeenCalled();
});

test.each([
  ["kicked", "kicked"],
  ["signed-out", "signed_out"],
] as const)("ends the session when the server closes the socket as %s", async (end, because) => {
  await follow();
  ports.socket.listener.end(end);
  expect(ports.endSession.mock.calls).toEqual([[because]]);
});

test("loads the user again when the server closes the socket because of a ban", async () => {
  await follow();
  ports.socket.listener.end("banned");
  await vi.waitFor(() => expect(ports.refreshUser).toHaveBeenCalledOnce());
  expect(ports.endSession).not.toHaveBeenCalled();
});

test("ends the search when the browser ends the local track", async () => {
  await follow();
  callStore.setState({ call: searching });
  ports.endLocalTrack();
  expect(callStore.getState().call).toMatchObject({ status: "idle", notice: "device-lost" });
});

test("reports the camera preview to the server only when the socket is live and no search runs", async () => {
  await follow();
  ports.setMedia(ports.live);
  await nextTask();
  expect(ports.socket.send).not.toHaveBeenCalled();
  ports.socket.isLive = true;
  callStore.setState({ call: searching });
  ports.setMedia({ ...ports.live });
  await nextTask();
  expect(ports.socket.send).not.toHaveBeenCalled();
  callStore.setState({ call: idle });
  ports.setMedia({ ...ports.live });
  await nextTask();
  expect(ports.socket.send.mock.calls).toEqual([[{ type: "preview" }]]);
});

test("tells the partner when the camera and the microphone are switched", async () => {
  const { runtime, told } = await followInRoom();
  runtime.toggleCamera();
  runtime.toggleMicrophone();
  expect(ports.switchCamera.mock.calls).toEqual([[false]]);
  expect(ports.switchMicrophone.mock.calls).toEqual([[false]]);
  expect(told).toEqual(["camera_off", "mic_off"]);
});

test("[CALL-135] sends the new tracks of a replaced device, and tells the partner that it is switched", async () => {
  const { told } = await followInRoom();
  ports.setMedia({ ...ports.live, camera: "switching" });
  expect(told).toEqual(["camera_off", "camera_switching"]);
  const after = new FakeStream().asStream;
  ports.setMedia({ ...ports.live, stream: after });
  expect(told?.splice(0)).toEqual(["camera_off", "camera_switching", "camera_on"]);
  expect(ports.links[0]?.streams).toEqual([after]);
  expect(ports.offers.useStream.mock.calls).toEqual([[ports.live.stream, after]]);
  ports.setMedia({ ...ports.live, stream: after, microphone: "switching" });
  ports.setMedia({ ...ports.live, stream: after });
  expect(told).toEqual(["mic_off", "mic_switching", "mic_on"]);
});

test("[CALL-136] tells the partner that a device which the system took away is off", async () => {
  const { told } = await followInRoom();
  ports.setMedia({ ...ports.live, camera: "muted", microphone: "muted" });
  ports.setMedia({ ...ports.live, camera: "muted", cameraOn: false });
  ports.setMedia({ ...ports.live, cameraOn: false });
  ports.setMedia(ports.live);
  expect(told).toEqual(["camera_off", "mic_off", "mic_on", "camera_on"]);
});

test("keeps tracks that end only while there is a search or a call", async () => {
  await follow();
  const isInUse = ports.keepTracksWhile.mock.calls[0]?.[0];
  expect(isInUse?.()).toBe(false);
  callStore.setState({ call: searching });
  expect(isInUse?.()).toBe(true);
});

test("checks socket and tracks when the user returns to the page, on phones that report only the focus too", async () => {
  await follow();
  hide(true);
  expect([ports.socket.wake.mock.calls.length, ports.checkTracks.mock.calls.length]).toEqual([0, 0]);
  hide(false);
  window.dispatchEvent(new Event("focus"));
  window.dispatchEvent(new Event("pageshow"));
  expect([ports.socket.wake.mock.calls.length, ports.checkTracks.mock.calls.length]).toEqual([3, 3]);
});

test("leaves the room of a partner whom the user blocks, and waits for the server to store the block", async () => {
  await followInRoom();
  const { remote } = matchedPush("room-1");
  hidePerson(remote.user_id, new Promise(() => undefined));
  expect(callStore.getState().call.status).toBe("searching");
  expect(ports.links[0]?.leavings).toBe(1);
  expect(ports.request).not.toHaveBeenCalled();
});

test("opens the socket again when the browser shows a page that it had kept", async () => {
  await follow();
  window.dispatchEvent(new Event("pageshow"));
  await vi.waitFor(() => expect(ports.socket.open).toHaveBeenCalledOnce());
});

test("sends an unacknowledged chat message again when the socket resumes its session", async () => {
  const { runtime } = await followInRoom();
  runtime.sendChatMessage("hello", "line-1");
  ports.socket.listener.live(true);
  expect(ports.links[0]?.said).toEqual(["line-1", "line-1"]);
});

test("ends the search when another page takes over the chat session", async () => {
  await follow();
  callStore.setState({ call: searching });
  ports.socket.listener.end("replaced");
  expect(callStore.getState().call).toMatchObject({ status: "idle", notice: "other-tab" });
});

test("ends the search and closes the socket when the user signs out", async () => {
  await follow();
  callStore.setState({ call: searching });
  ports.session.setState({ status: "anonymous", because: "signed_out" }, true);
  expect(callStore.getState().call.status).toBe("idle");
  expect(ports.socket.close).toHaveBeenCalledOnce();
});

test("searches only once this tab has taken the call from another tab", async () => {
  const runtime = await follow();
  let take: () => void = () => undefined;
  ports.takeTabLock.mockReturnValue(new Promise((resolve) => (take = resolve)));
  const started = runtime.startCall({ sex: 0, country: 0 });
  await Promise.resolve();
  expect(ports.socket.open).not.toHaveBeenCalled();
  expect(callStore.getState().call.status).toBe("idle");
  take();
  await started;
  expect(ports.socket.open).toHaveBeenCalledOnce();
  expect(callStore.getState().call.status).toBe("searching");
});

test("shows the call once the partner's first frame is on the screen", async () => {
  const { runtime } = await followInRoom();
  expect(callStore.getState().call.status).toBe("connecting");
  runtime.remoteFrameShown("room-1");
  expect(callStore.getState().call.status).toBe("in-call");
});

test("reports a camera that is switched off during a search to the server", async () => {
  const runtime = await follow();
  runtime.searchChecksTold();
  ports.setMedia(ports.live);
  callStore.setState({ call: searching });
  ports.socket.isOpen = true;
  ports.setMedia({ ...ports.live, cameraOn: false });
  expect(ports.socket.send.mock.calls).toEqual([[{ type: "search-media", state: "camera_off" }]]);
});
