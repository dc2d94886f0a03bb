import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { activateLanguage, t } from "#lib/i18n.ts";
import { acknowledgeEnd } from "#lib/session.ts";
import { clearForSignOut, readStored } from "#lib/storage.ts";
import { FakeMediaDevices, FakeStream, type FakeTrack } from "#testing/fake-media.ts";
import { dismissPassingToasts, shownToasts } from "#ui/toast-store.ts";
import { mutedAfterMs } from "./track-watch.ts";
import {
  canFlip,
  checkDevices,
  checkTracks,
  chooseDevice,
  closeMedia,
  flipCamera,
  isBackCamera,
  keepTracksWhile,
  localMedia,
  onLocalTrackEnded,
  openMedia,
  replaceMsMax,
  sentOf,
  switchCamera,
  switchMicrophone,
  watchDevices,
} from "./local-media.ts";

beforeAll(() => activateLanguage("en", { remember: false }));
let devices: FakeMediaDevices;
let owner: AbortController;

beforeEach(() => {
  devices = new FakeMediaDevices();
  owner = new AbortController();
  vi.stubGlobal("navigator", { mediaDevices: devices });
  vi.stubGlobal("MediaStream", FakeStream);
});

afterEach(async () => {
  owner.abort();
  closeMedia();
  vi.unstubAllGlobals();
});

const media = () => localMedia.getState().media;
const status = () => media().status;

async function openStream(): Promise<FakeStream> {
  const opened = await openMedia();
  if (opened.status !== "live") throw new Error(`media are ${opened.status}`);
  return opened.stream as unknown as FakeStream;
}

describe("camera and microphone", () => {
  test("open together, once, and stay open when requested again", async () => {
    const stream = await openStream();
    const running = { camera: "running", microphone: "running" };
    expect(media()).toEqual({ status: "live", stream, cameraOn: true, microphoneOn: true, ...running });
    expect(await openStream()).toBe(stream);
    expect(devices.asked).toHaveLength(1);
    expect(devices.asked[0]).toMatchObject({
      video: { width: { ideal: 640 }, height: { ideal: 480 }, frameRate: { ideal: 24 } },
      audio: { echoCancellation: true, noiseSuppression: true },
    });
  });

  test("are ready before the list of devices, which follows", async () => {
    const all = await devices.enumerateDevices();
    let answer: () => void = () => undefined;
    vi.spyOn(devices, "enumerateDevices").mockReturnValue(new Promise((resolve) => (answer = () => resolve(all))));
    await openStream();
    answer();
    await vi.waitFor(() => expect(localMedia.getState().devices.videoinput).toHaveLength(1));
  });

  test("open once for two requests while the browser asks for permission", async () => {
    const answer = devices.holdNext();
    const opened = [openMedia(), openMedia()];
    expect(status()).toBe("opening");
    answer();
    const [first, second] = await Promise.all(opened);
    expect(first?.status).toBe("live");
    expect(second).toBe(first);
    expect(devices.opened).toHaveLength(1);
  });

  test("stop at once when they open after they were closed", async () => {
    const answer = devices.holdNext();
    const opened = openMedia();
    closeMedia();
    answer();
    expect(await opened).toEqual({ status: "off" });
    expect(status()).toBe("off");
    expect(devices.opened[0]?.isRunning).toBe(false);
  });

  test("belong to the newer request when they were closed and requested again", async () => {
    const answer = devices.holdNext();
    const older = openMedia();
    closeMedia();
    const newer = await openStream();
    answer();
    await older;
    expect(media()).toMatchObject({ status: "live", stream: newer });
    expect(newer.isRunning).toBe(true);
    expect(devices.opened.filter((stream) => stream.isRunning)).toEqual([newer]);
  });

  test("are switched without ending their tracks", async () => {
    const stream = await openStream();
    switchCamera(false);
    switchMicrophone(false);
    expect(media()).toMatchObject({ cameraOn: false, microphoneOn: false });
    expect(stream.tracks.map((track) => track.enabled)).toEqual([false, false]);
    expect(stream.isRunning).toBe(true);
    switchCamera(true);
    expect(media()).toMatchObject({ cameraOn: true, microphoneOn: false });
    expect(stream.getVideoTracks()[0]?.enabled).toBe(true);
    expect(stream.getAudioTracks()[0]?.enabled).toBe(false);
  });

  test("stop both tracks when they are closed", async () => {
    const stream = await openStream();
    closeMedia();
    expect(media()).toEqual({ status: "off" });
    expect(stream.tracks.map((track) => track.readyState)).toEqual(["ended", "ended"]);
    switchCamera(true);
    switchMicrophone(true);
    expect(media()).toEqual({ status: "off" });
  });

  test("replace only the track of a device that is chosen, and none for another loudspeaker", async () => {
    const before = await openStream();
    const [sound, picture] = before.tracks;
    await chooseDevice("cameraId", "camera-2");
    expect(devices.asked.at(-1)).toEqual({ video: expect.objectContaining({ deviceId: { ideal: "camera-2" } }) });
    const after = await openStream();
    expect(after).not.toBe(before);
    expect([picture?.readyState, after.getAudioTracks(), after.isRunning]).toEqual(["ended", [sound], true]);
    await chooseDevice("speakerId", "speaker-2");
    expect(await openStream()).toBe(after);
    // A microphone that is off stays off when another one is chosen.
    switchMicrophone(false);
    await Promise.all([chooseDevice("cameraId", "camera-3"), chooseDevice("microphoneId", "microphone-3")]);
    const last = await openStream();
    const facts = ({ wished, enabled }: FakeTrack) => [wished.deviceId, enabled];
    expect(last.getAudioTracks().map(facts)).toEqual([[{ ideal: "microphone-3" }, false]]);
    expect(last.getVideoTracks().map(facts)).toEqual([[{ ideal: "camera-3" }, true]]);
    expect(media()).toMatchObject({ status: "live", cameraOn: true, microphoneOn: false });
    closeMedia();
    await chooseDevice("microphoneId", "microphone-2");
    expect(status()).toBe("off");
  });

  test("keep the newest of two choices of one device, whichever opens first", async () => {
    await openStream();
    const answer = devices.holdNext();
    const first = chooseDevice("cameraId", "camera-2");
    await vi.waitFor(() => expect(devices.asked).toHaveLength(2));
    const second = chooseDevice("cameraId", "camera-3");
    answer();
    await Promise.all([first, second]);
    const stream = await openStream();
    expect(stream.getVideoTracks()[0]?.wished.deviceId).toEqual({ ideal: "camera-3" });
    expect(devices.opened.flatMap(({ tracks }) => tracks).filter(isLive)).toHaveLength(2);
  });

  test("keep running when the browser asks for permission to open another device and the user refuses", async () => {
    const before = await openStream();
    await chooseDevice("cameraId", "camera-1");
    const running = await openStream();
    const answer = devices.holdNext();
    const chosen = chooseDevice("cameraId", "camera-2");
    await vi.waitFor(() => expect(devices.asked).toHaveLength(3));
    expect([running.isRunning, sentOf(media(), "camera")]).toEqual([true, "on"]);
    devices.failure = new DOMException("no", "NotAllowedError");
    answer();
    await chosen;
    expect(before.getVideoTracks()[0]?.readyState).toBe("ended");
    expect([await openStream(), running.isRunning]).toEqual([running, true]);
    expect(localMedia.getState().chosen.cameraId).toBe("camera-1");
  });
});

const isLive = ({ readyState }: FakeTrack) => readyState === "live";

describe("the camera of a phone", () => {
  const asked = () => devices.asked.map(({ video }) => (video as MediaTrackConstraints).facingMode);

  beforeEach(() => {
    clearForSignOut();
    acknowledgeEnd();
    devices.present = ["videoinput", "videoinput", "audioinput"];
  });

  test("is the front one at first, and turns to the back and to the front again", async () => {
    await openStream();
    expect(asked()).toEqual([{ ideal: "user" }]);
    expect([isBackCamera((await openStream()).asStream)]).toEqual([false]);
    await flipCamera();
    expect(isBackCamera((await openStream()).asStream)).toBe(true);
    await flipCamera();
    expect(isBackCamera((await openStream()).asStream)).toBe(false);
    expect(asked()).toEqual([{ ideal: "user" }, { ideal: "environment" }, { ideal: "user" }]);
  });

  test("can be turned if there are two cameras that face in a direction", async () => {
    expect(canFlip(media(), localMedia.getState().devices)).toBe(false);
    await openStream();
    await vi.waitFor(() => expect(canFlip(media(), localMedia.getState().devices)).toBe(true));
    devices.change(["videoinput", "audioinput"]);
    await checkDevices();
    expect(canFlip(media(), localMedia.getState().devices)).toBe(false);
  });

  test("that opens no second camera beside the running one is turned after that has stopped", async () => {
    const front = await openStream();
    devices.isSingle = true;
    await flipCamera();
    expect(front.getVideoTracks()[0]?.readyState).toBe("ended");
    expect(isBackCamera((await openStream()).asStream)).toBe(true);
  });

  test("stays the front one if the user does not allow the back one", async () => {
    const front = await openStream();
    devices.failure = new DOMException("no", "NotAllowedError");
    await flipCamera();
    expect(await openStream()).toBe(front);
    devices.failure = null;
    await flipCamera();
    expect(isBackCamera((await openStream()).asStream)).toBe(true);
  });
});

test("remembers chosen devices until sign-out, and no turned camera", async () => {
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
    key: (index: number) => [...stored.keys()][index] ?? null,
    get length() {
      return stored.size;
    },
  });
  await openStream();
  for (const [kind, id] of [
    ["cameraId", "camera-2"],
    ["microphoneId", "microphone-2"],
    ["speakerId", "speaker-2"],
  ] as const)
    await chooseDevice(kind, id);
  await flipCamera();
  const ids = { cameraId: "camera-2", microphoneId: "microphone-2", speakerId: "speaker-2" };
  expect(readStored("devices")).toEqual(ids);
  vi.resetModules();
  const fresh = await import("./local-media.ts");
  expect(fresh.localMedia.getState().chosen).toEqual({ ...ids, facing: "user" });
  clearForSignOut();
  acknowledgeEnd();
  expect(readStored("devices")).toBeNull();
  expect(localMedia.getState().chosen.cameraId).toBeNull();
});

describe("a chosen device that another program uses", () => {
  const cameras = () =>
    devices.asked.map(({ video }) => (video as { deviceId?: { ideal: string } }).deviceId?.ideal ?? "any");
  const told = () => shownToasts().map(({ text }) => text);
  const chosen = () => localMedia.getState().chosen;

  beforeEach(async () => {
    await chooseDevice("cameraId", "camera-1");
    await chooseDevice("microphoneId", "microphone-1");
    await openStream();
    devices.asked.length = 0;
  });
  afterEach(() => dismissPassingToasts());

  test("is replaced by the one that ran before, with a message", async () => {
    switchMicrophone(false);
    devices.held = ["camera-2"];
    await chooseDevice("cameraId", "camera-2");
    // The second attempt is without the running camera, beside which some phones open no other.
    expect(cameras()).toEqual(["camera-2", "camera-2", "camera-1"]);
    expect(media()).toMatchObject({ status: "live", cameraOn: true, microphoneOn: false });
    expect(chosen()).toMatchObject({ cameraId: "camera-1", microphoneId: "microphone-1" });
    expect(told()).toEqual([t("device.busyText")]);
    devices.held = [];
    await chooseDevice("cameraId", "camera-2");
    expect([cameras().at(-1), chosen().cameraId, told().length]).toEqual(["camera-2", "camera-2", 1]);
  });

  test("is replaced by any device when it is the one that ran before", async () => {
    closeMedia();
    devices.held = ["camera-1"];
    await openStream();
    expect(cameras()).toEqual(["camera-1", "any"]);
    expect(chosen()).toMatchObject({ cameraId: null, microphoneId: null });
    expect(told()).toEqual([t("device.busyText")]);
    closeMedia();
    await openStream();
    expect(cameras()).toEqual(["camera-1", "any", "any"]);
  });

  test("does not replace a device that was chosen meanwhile", async () => {
    devices.held = ["camera-2"];
    const answer = devices.holdNext();
    const first = chooseDevice("cameraId", "camera-2");
    await vi.waitFor(() => expect(devices.asked).toHaveLength(1));
    const second = chooseDevice("microphoneId", "microphone-2");
    answer();
    await Promise.all([first, second]);
    expect(chosen()).toMatchObject({ cameraId: "camera-1", microphoneId: "microphone-2" });
    expect((await openStream()).getAudioTracks()[0]?.wished.deviceId).toEqual({ ideal: "microphone-2" });
  });

  test("opens no other device after the camera was closed", async () => {
    closeMedia();
    devices.held = ["camera-1"];
    const answer = devices.holdNext();
    const opened = openMedia();
    closeMedia();
    answer();
    await opened;
    expect([cameras(), status(), told()]).toEqual([["camera-1"], "off", []]);
  });

  test("stays chosen when no other device opens, with the usual failure; another one can be chosen and tried", async () => {
    closeMedia();
    devices.held = ["camera-1", "any"];
    expect(await openMedia()).toEqual({ status: "failed", failure: { reason: "busy" } });
    expect([chosen().cameraId, told()]).toEqual(["camera-1", []]);
    await chooseDevice("cameraId", "camera-2");
    expect((await openMedia()).status).toBe("live");
    expect([cameras().at(-1), chosen().cameraId]).toEqual(["camera-2", "camera-2"]);
  });
});

describe("a failure to open camera and microphone", () => {
  test.each([
    ["denied", "NotAllowedError", { reason: "denied" }],
    ["busy", "NotReadableError", { reason: "busy" }],
  ])("is reported as %s", async (_name, error, failure) => {
    devices.failure = new DOMException("no", error);
    expect(await openMedia()).toEqual({ status: "failed", failure });
    expect(media()).toEqual({ status: "failed", failure });
    devices.failure = null;
    expect((await openMedia()).status).toBe("live");
  });

  test("names the missing device", async () => {
    devices.present = ["audioinput"];
    devices.failure = new DOMException("no", "NotFoundError");
    const failure = { reason: "missing", camera: false, microphone: true };
    expect(await openMedia()).toEqual({ status: "failed", failure });
  });

  test.each([
    ["has no WebRTC", "RTCPeerConnection", false],
    ["is too old", "HTMLVideoElement", true],
  ])("is reported from the start, without a request for devices, if the browser %s", async (_why, part, isOld) => {
    vi.stubGlobal(part, isOld ? class {} : undefined);
    vi.resetModules();
    const fresh = await import("./local-media.ts");
    const unsupported = { status: "failed", failure: { reason: "unsupported", isOld } };
    expect(fresh.localMedia.getState().media).toEqual(unsupported);
    expect(await fresh.openMedia()).toEqual(unsupported);
    expect(await fresh.checkDevices()).toBe(false);
    fresh.closeMedia();
    expect(fresh.localMedia.getState().media).toEqual(unsupported);
    expect(devices.asked).toEqual([]);
  });

  test("reports unsupported when the page may not access devices", async () => {
    vi.stubGlobal("navigator", {});
    expect(await openMedia()).toEqual({ status: "failed", failure: { reason: "unsupported", isOld: false } });
    closeMedia();
    watchDevices(owner.signal);
    expect(media()).toEqual({ status: "failed", failure: { reason: "unsupported", isOld: false } });
  });
});

describe("[CALL-8] a track that ends by itself", () => {
  test.each([
    ["audio", 0],
    ["video", 1],
  ] as const)("closes both tracks and is reported when no call needs it: %s", async (_kind, index) => {
    const told = vi.fn<() => void>();
    const stop = onLocalTrackEnded(told);
    const stream = await openStream();
    stream.tracks[index]?.unplug();
    expect(told).toHaveBeenCalledOnce();
    expect(status()).toBe("off");
    expect(stream.tracks.map((track) => track.readyState)).toEqual(["ended", "ended"]);
    stop();
    (await openStream()).tracks[index]?.unplug();
    expect(told).toHaveBeenCalledOnce();
  });

  test("is not reported when its stream was closed already", async () => {
    const told = vi.fn<() => void>();
    const stop = onLocalTrackEnded(told);
    const stream = await openStream();
    closeMedia();
    const next = await openStream();
    stream.tracks[0]?.unplug();
    expect(told).not.toHaveBeenCalled();
    expect(next.isRunning).toBe(true);
    stop();
  });

  test("makes the page list the devices again", async () => {
    const stream = await openStream();
    expect(localMedia.getState().devices.videoinput).toHaveLength(1);
    devices.present = ["audioinput"];
    stream.tracks[1]?.unplug();
    await vi.waitFor(() => expect(localMedia.getState().devices.videoinput).toHaveLength(0));
  });
});

describe("[CALL-135] in a call, a track that ends by itself", () => {
  let lost: ReturnType<typeof vi.fn<() => void>>;
  let stops: readonly (() => void)[];

  beforeEach(() => {
    vi.useFakeTimers();
    lost = vi.fn<() => void>();
    stops = [keepTracksWhile(() => true), onLocalTrackEnded(lost)];
  });
  afterEach(() => {
    for (const stop of stops) stop();
    vi.useRealTimers();
  });

  test.each([
    ["camera", "microphone", 1],
    ["microphone", "camera", 0],
  ] as const)("is replaced by one of any device, and the other one runs on: %s", async (device, other, index) => {
    const stream = await openStream();
    stream.tracks[index]?.unplug();
    expect([sentOf(media(), device), sentOf(media(), other)]).toEqual(["switching", "on"]);
    await vi.advanceTimersByTimeAsync(0);
    const after = await openStream();
    expect([sentOf(media(), device), after.isRunning, after.tracks.length]).toEqual(["on", true, 2]);
    expect(after.tracks).toContain(stream.tracks[1 - index]);
    expect(lost).not.toHaveBeenCalled();
  });

  test("stays off if the user had switched it off", async () => {
    const stream = await openStream();
    switchCamera(false);
    stream.getVideoTracks()[0]?.unplug();
    expect(sentOf(media(), "camera")).toBe("off");
    await vi.advanceTimersByTimeAsync(0);
    expect((await openStream()).getVideoTracks().map(({ enabled }) => enabled)).toEqual([false]);
  });

  test("is replaced as soon as a device is plugged in", async () => {
    const stream = await openStream();
    devices.failure = new DOMException("none", "NotFoundError");
    stream.getVideoTracks()[0]?.unplug();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(sentOf(media(), "camera")).toBe("switching");
    devices.failure = null;
    devices.change(["videoinput", "audioinput"]);
    await vi.advanceTimersByTimeAsync(0);
    expect(sentOf(media(), "camera")).toBe("on");
  });

  test("closes both after five seconds without another device, also if the browser still asks", async () => {
    for (const isAsked of [false, true]) {
      lost.mockClear();
      devices.failure = null;
      const stream = await openStream();
      const answer = isAsked ? devices.holdNext() : () => undefined;
      if (!isAsked) devices.failure = new DOMException("none", "NotFoundError");
      stream.getVideoTracks()[0]?.unplug();
      await vi.advanceTimersByTimeAsync(replaceMsMax - 1);
      expect([status(), lost.mock.calls.length]).toEqual(["live", 0]);
      await vi.advanceTimersByTimeAsync(1);
      expect([status(), lost.mock.calls.length]).toEqual(["off", 1]);
      answer();
      await vi.advanceTimersByTimeAsync(0);
      expect(devices.opened.flatMap(({ tracks }) => tracks).filter(isLive)).toEqual([]);
    }
  });

  test("closes both at once if the permission was revoked", async () => {
    const stream = await openStream();
    devices.failure = new DOMException("no", "NotAllowedError");
    stream.getVideoTracks()[0]?.unplug();
    await vi.advanceTimersByTimeAsync(0);
    expect([status(), lost.mock.calls.length]).toEqual(["off", 1]);
  });

  test("is not replaced after the media were closed", async () => {
    const stream = await openStream();
    const answer = devices.holdNext();
    stream.getVideoTracks()[0]?.unplug();
    closeMedia();
    answer();
    await vi.advanceTimersByTimeAsync(replaceMsMax);
    expect([status(), lost.mock.calls.length]).toEqual(["off", 0]);
    expect(devices.opened.flatMap(({ tracks }) => tracks).filter(isLive)).toEqual([]);
  });
});

describe("[CALL-136] a track that the system mutes", () => {
  const camera = async () => {
    const track = (await openStream()).getVideoTracks()[0];
    if (!track) throw new Error("there is no camera");
    return track;
  };
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("counts as off after a second, and not before", async () => {
    const track = await camera();
    track.setMuted(true);
    await vi.advanceTimersByTimeAsync(mutedAfterMs - 1);
    expect(sentOf(media(), "camera")).toBe("on");
    track.setMuted(false);
    await vi.advanceTimersByTimeAsync(mutedAfterMs);
    expect([sentOf(media(), "camera"), await camera()]).toEqual(["on", track]);
    track.setMuted(true);
    await vi.advanceTimersByTimeAsync(mutedAfterMs);
    expect(media()).toMatchObject({ cameraOn: true, camera: "muted", microphone: "running" });
    expect(sentOf(media(), "camera")).toBe("off");
  });

  test.each([
    ["the system returns it", (track: FakeTrack) => track.setMuted(false)],
    ["the user returns to the page, though it is still muted", () => checkTracks()],
  ])("is opened again when %s", async (_when, comeBack) => {
    const track = await camera();
    track.setMuted(true);
    await vi.advanceTimersByTimeAsync(mutedAfterMs);
    comeBack(track);
    comeBack(track);
    expect(sentOf(media(), "camera")).toBe("off");
    await vi.advanceTimersByTimeAsync(0);
    expect(sentOf(media(), "camera")).toBe("on");
    expect(await camera()).not.toBe(track);
    expect([track.readyState, devices.asked.length]).toEqual(["ended", 2]);
  });

  test("stays as it is if it cannot be opened again, and runs on once it is returned", async () => {
    const track = await camera();
    track.setMuted(true);
    await vi.advanceTimersByTimeAsync(mutedAfterMs);
    devices.failure = new DOMException("in use", "NotReadableError");
    checkTracks();
    await vi.advanceTimersByTimeAsync(replaceMsMax);
    expect([status(), sentOf(media(), "camera"), await camera()]).toEqual(["live", "off", track]);
    track.setMuted(false);
    await vi.advanceTimersByTimeAsync(replaceMsMax);
    expect([sentOf(media(), "camera"), await camera()]).toEqual(["on", track]);
  });

  test("is not opened again when it was muted from the start and begins to run", async () => {
    devices.opensMuted = true;
    const track = await camera();
    await vi.advanceTimersByTimeAsync(mutedAfterMs);
    expect(sentOf(media(), "camera")).toBe("off");
    track.setMuted(false);
    await vi.advanceTimersByTimeAsync(0);
    expect([sentOf(media(), "camera"), devices.asked.length]).toEqual(["on", 1]);
  });

  test("is found on the return to the page even if its end was not reported", async () => {
    const lost = vi.fn<() => void>();
    const stops = [keepTracksWhile(() => true), onLocalTrackEnded(lost)];
    (await camera()).stop();
    checkTracks();
    expect(sentOf(media(), "camera")).toBe("switching");
    await vi.advanceTimersByTimeAsync(0);
    expect([sentOf(media(), "camera"), lost.mock.calls.length]).toEqual(["on", 0]);
    for (const stop of stops) stop();
  });
});

describe("[CALL-10] the device check", () => {
  test("requires one camera and one microphone, and asks for no permission", async () => {
    expect(await checkDevices()).toBe(true);
    devices.present = ["videoinput", "audiooutput"];
    expect(await checkDevices()).toBe(false);
    expect(media()).toEqual({ status: "failed", failure: { reason: "missing", camera: true, microphone: false } });
    expect(devices.asked).toEqual([]);
  });

  test("does not touch a running stream", async () => {
    const stream = await openStream();
    devices.present = [];
    expect(await checkDevices()).toBe(false);
    expect(media()).toMatchObject({ status: "live", stream });
  });

  test("runs again when devices come and go, and clears its failure", async () => {
    watchDevices(owner.signal);
    devices.present = ["audioinput"];
    await checkDevices();
    devices.change([]);
    const nothing = { reason: "missing", camera: false, microphone: false };
    await vi.waitFor(() => expect(media()).toEqual({ status: "failed", failure: nothing }));
    devices.change(["videoinput", "audioinput"]);
    await vi.waitFor(() => expect(status()).toBe("off"));
    owner.abort();
    devices.change([]);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(localMedia.getState().devices.videoinput).toHaveLength(1);
  });
});
