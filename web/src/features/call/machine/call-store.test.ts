import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { closeMedia, localMedia, openMedia, switchCamera } from "#lib/media/local-media.ts";
import { FakeMediaDevices } from "#testing/fake-media.ts";
import { renderedMedia, freezeScreens } from "./call-store.ts";

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

const drawn = () => renderedMedia().status;
const status = () => localMedia.getState().media.status;

test("draws an opened camera one turn later when no search starts with it", async () => {
  await openMedia();
  expect([status(), drawn()]).toEqual(["live", "off"]);
  vi.advanceTimersByTime(0);
  expect(drawn()).toBe("live");
  switchCamera(false);
  expect(renderedMedia()).toMatchObject({ cameraOn: false });
});

test("draws an opened camera together with the search that starts with it", async () => {
  await openMedia();
  const draw = freezeScreens();
  vi.advanceTimersByTime(1_000);
  expect(drawn()).toBe("off");
  draw();
  expect(drawn()).toBe("live");
});

test("draws a camera as opening only when that takes long, and as closed or missing at once", async () => {
  const answer = devices.holdNext();
  const opened = openMedia();
  vi.advanceTimersByTime(299);
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
