import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { closeMedia, localMedia, openMedia, switchCamera } from "#lib/media/local-media.ts";
import { FakeMediaDevices } from "#testing/fake-media.ts";
import { drawnMedia, holdScreens } from "./call-store.ts";

let devices: FakeMediaDevices;

beforeEach(() => {
  vi.useFakeTimers();
  devices = new FakeMediaDevices();
  vi.stubGlobal("navigator", { mediaDevices: devices });
});
afterEach(() => {
  closeMedia();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const drawn = () => drawnMedia().status;
const status = () => localMedia.getState().media.status;

test("a camera that has opened is drawn a turn later, where no search begins with it", async () => {
  await openMedia();
  expect([status(), drawn()]).toEqual(["live", "off"]);
  vi.advanceTimersByTime(0);
  expect(drawn()).toBe("live");
  switchCamera(false);
  expect(drawnMedia()).toMatchObject({ cameraOn: false });
});

test("where one does, it is drawn with the search", async () => {
  await openMedia();
  const draw = holdScreens();
  vi.advanceTimersByTime(1_000);
  expect(drawn()).toBe("off");
  draw();
  expect(drawn()).toBe("live");
});

test("that a camera opens is said where it takes its time, that it is closed or missing at once", async () => {
  const answer = devices.holdNext();
  const opened = openMedia();
  vi.advanceTimersByTime(99);
  expect([status(), drawn()]).toEqual(["opening", "off"]);
  vi.advanceTimersByTime(1);
  expect(drawn()).toBe("opening");
  answer();
  await opened;
  expect(drawn()).toBe("opening");
  closeMedia();
  expect(drawn()).toBe("off");
  devices.failure = new DOMException("", "NotAllowedError");
  await openMedia();
  expect(drawn()).toBe("failed");
});
