import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeLocks } from "#testing/fake-locks.ts";
import { FakeMediaDevices } from "#testing/fake-media.ts";

let locks: FakeLocks;
let devices: FakeMediaDevices;

beforeEach(() => {
  locks = new FakeLocks();
  devices = new FakeMediaDevices();
  vi.stubGlobal("navigator", { locks: locks.manager, mediaDevices: devices });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Each tab loads its own copy of the modules. */
async function newTab() {
  vi.resetModules();
  const { localMedia } = await import("#lib/media/local-media.ts");
  const hold = await import("./tab-lock.ts");
  return { ...hold, media: () => localMedia.getState().media.status };
}

test("takes the lock when the camera opens, before sign-in and without a call", async () => {
  const tab = await newTab();
  expect(tab.tabLock.isHeld).toBe(false);
  await tab.openMediaWithTabLock();
  expect([tab.tabLock.isHeld, tab.media()]).toEqual([true, "live"]);
  expect(locks.isHeld("fava-page")).toBe(true);
});

test("turns the camera of the first tab off and tells it when another tab opens one", async () => {
  const first = await newTab();
  const second = await newTab();
  const lost = vi.fn<() => void>();
  first.onTabLockLost(lost);
  await first.openMediaWithTabLock();
  await second.openMediaWithTabLock();
  await vi.waitFor(() => expect(lost).toHaveBeenCalledTimes(1));
  expect([first.media(), second.media()]).toEqual(["off", "live"]);
  expect(devices.opened.map((stream) => stream.isRunning)).toEqual([false, true]);
  expect([first.tabLock.isHeld, second.tabLock.isHeld]).toEqual([false, true]);
});

test("takes the lock before it requests the camera", async () => {
  const tab = await newTab();
  const ask = devices.getUserMedia.bind(devices);
  const heldWhenAsked: boolean[] = [];
  devices.getUserMedia = (constraints) => {
    heldWhenAsked.push(tab.tabLock.isHeld);
    return ask(constraints);
  };
  await tab.openMediaWithTabLock();
  expect(heldWhenAsked).toEqual([true]);
});

test("does not call an unsubscribed listener", async () => {
  const first = await newTab();
  const lost = vi.fn<() => void>();
  first.onTabLockLost(lost)();
  await first.openMediaWithTabLock();
  await (await newTab()).openMediaWithTabLock();
  await vi.waitFor(() => expect(first.media()).toBe("off"));
  expect(lost).not.toHaveBeenCalled();
});
