import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { activateLanguage, t } from "#lib/i18n.ts";
import { FakeMediaDevices, FakeStream, FakeTrack } from "#testing/fake-media.ts";
import { dismissToast, shownToasts } from "#ui/toast-store.ts";
import type { MessageFromBlur, MessageToBlur } from "./blur/blur-messages.ts";
import { isFast, isFastEnough } from "./blur/blurred-camera.ts";
import { applyBlur, closeMedia, isBackCamera, localMedia, openMedia, switchCamera } from "./local-media.ts";
import { blursBackground, setMediaOption } from "./media-options.ts";

/** The worker that blurs: responds only as the test says. */
class FakeWorker extends EventTarget {
  static readonly made: FakeWorker[] = [];
  readonly received: MessageToBlur["type"][] = [];
  isRunning = true;

  constructor() {
    super();
    FakeWorker.made.push(this);
  }

  postMessage({ type }: MessageToBlur): void {
    this.received.push(type);
  }

  terminate(): void {
    this.isRunning = false;
  }

  tell(message: MessageFromBlur): void {
    this.dispatchEvent(new MessageEvent("message", { data: message }));
  }
}

class FakeGenerator extends FakeTrack {
  readonly writable = {};
  constructor() {
    super("video");
  }
}

class FakeProcessor {
  readonly readable = {};
}

let devices: FakeMediaDevices;

beforeAll(() => activateLanguage("en", { remember: false }));

beforeEach(() => {
  vi.useFakeTimers();
  FakeWorker.made.length = 0;
  devices = new FakeMediaDevices();
  vi.stubGlobal("navigator", { mediaDevices: devices });
  vi.stubGlobal("MediaStream", FakeStream);
  vi.stubGlobal("Worker", FakeWorker);
  vi.stubGlobal("MediaStreamTrackGenerator", FakeGenerator);
  vi.stubGlobal("MediaStreamTrackProcessor", FakeProcessor);
  setMediaOption("blursBackground", true);
});

afterEach(() => {
  closeMedia();
  setMediaOption("blursBackground", false);
  for (const { id } of shownToasts()) dismissToast(id);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function live() {
  const { media } = localMedia.getState();
  if (media.status !== "live") throw new Error(`media are ${media.status}`);
  const [sent] = (media.stream as unknown as FakeStream).getVideoTracks();
  if (!sent) throw new Error("no picture is sent");
  return { ...media, sent };
}

const camera = () => devices.opened[0]?.getVideoTracks()[0];
const worker = () => FakeWorker.made.at(-1);
const texts = () => shownToasts().map(({ text }) => text);

describe("a camera with a blurred background", () => {
  test("sends the blurred track from the first moment, if the user chose so before", async () => {
    await openMedia();
    expect(live().sent).toBeInstanceOf(FakeGenerator);
    expect(worker()?.received).toEqual(["run"]);
    expect(isBackCamera(live().stream)).toBe(false);
    closeMedia();
    expect([camera()?.readyState, worker()?.isRunning]).toEqual(["ended", false]);
  });

  test("keeps the same camera when the user turns the blur on and off", async () => {
    setMediaOption("blursBackground", false);
    await openMedia();
    expect(live().sent).toBe(camera());
    expect(FakeWorker.made).toEqual([]);
    setMediaOption("blursBackground", true);
    await applyBlur();
    const blurred = live().sent;
    expect(blurred).toBeInstanceOf(FakeGenerator);
    setMediaOption("blursBackground", false);
    await applyBlur();
    expect([live().sent, camera()?.readyState, devices.opened.length]).toEqual([camera(), "live", 1]);
    expect([blurred.readyState, worker()?.isRunning]).toEqual(["ended", false]);
  });

  test("stays off when the user turns the blur on or off", async () => {
    await openMedia();
    switchCamera(false);
    setMediaOption("blursBackground", false);
    await applyBlur();
    expect([live().cameraOn, live().sent.enabled]).toEqual([false, false]);
    setMediaOption("blursBackground", true);
    await applyBlur();
    expect([live().cameraOn, live().sent.enabled]).toEqual([false, false]);
  });

  test("turns off, and says so, when the worker fails", async () => {
    await openMedia();
    worker()?.tell({ type: "failed", why: "no memory" });
    await vi.advanceTimersByTimeAsync(0);
    expect([live().cameraOn, live().sent, camera()?.enabled, blursBackground()]).toEqual([
      false,
      camera(),
      false,
      false,
    ]);
    expect(texts()).toEqual([t("options.blurStopped")]);
    shownToasts()[0]?.action?.run();
    expect([live().cameraOn, camera()?.enabled]).toEqual([true, true]);
  });

  test("turns off when the worker does not respond, and not while it does", async () => {
    await openMedia();
    const present = worker();
    for (let seconds = 0; seconds < 20; seconds += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      present?.tell({ type: "pong" });
    }
    expect(live().cameraOn).toBe(true);
    await vi.advanceTimersByTimeAsync(8_000);
    expect([live().cameraOn, present?.isRunning]).toEqual([false, false]);
    expect(texts()).toEqual([t("options.blurStopped")]);
  });

  test("opens switched off in a browser that cannot blur", async () => {
    vi.stubGlobal("MediaStreamTrackGenerator", undefined);
    await openMedia();
    expect([live().cameraOn, live().sent, camera()?.enabled]).toEqual([false, camera(), false]);
    expect(texts()).toEqual([t("options.blurStopped")]);
  });

  test("is replaced like any camera that is unplugged", async () => {
    await openMedia();
    camera()?.unplug();
    await vi.advanceTimersByTimeAsync(0);
    expect(localMedia.getState().media.status).toBe("off");
    expect(worker()?.isRunning).toBe(false);
  });
});

describe("the speed of a device", () => {
  test.each([
    ["14 ms", 14, true],
    ["15 ms", 15, true],
    ["16 ms", 16, false],
  ])("%s a frame", (_name, frameMs, expected) => {
    expect(isFast(Array.from({ length: 15 }, () => frameMs))).toBe(expected);
  });

  test("is the median: a few slow frames do not count", () => {
    expect(isFast([...Array.from({ length: 8 }, () => 10), ...Array.from({ length: 7 }, () => 90)])).toBe(true);
  });

  test("is unknown if the worker fails or does not respond", async () => {
    const failed = isFastEnough();
    worker()?.tell({ type: "failed", why: "no model" });
    await expect(failed).rejects.toThrow("no model");
    const silent = isFastEnough().catch(String);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await silent).toContain("not measured in time");
    expect(FakeWorker.made.every(({ isRunning }) => !isRunning)).toBe(true);
  });
});
