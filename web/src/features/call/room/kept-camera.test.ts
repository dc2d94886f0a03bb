import { cameraKeptMs } from "@fava/wire/limits.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CallController } from "#features/call/machine/call-controller.ts";
import { callStore } from "#features/call/machine/call-store.ts";
import { closeMedia, localMedia, openMedia, switchCamera } from "#lib/media/local-media.ts";
import { clearForSignOut, writeStored } from "#lib/storage.ts";
import { fakeCallPorts } from "#testing/call-ports.ts";
import { FakeMediaDevices } from "#testing/fake-media.ts";
import { matchedPush } from "#testing/matched-push.ts";
import { closeUnseen, followKeptCamera, setCameraKept, showPreview, wantsCameraKept } from "./kept-camera.ts";

const isOn = () => localMedia.getState().media.status === "live";
let page: EventTarget & { hidden: boolean };
let owner: AbortController;
let leaveHome: () => void;
let controller: CallController;

beforeEach(async () => {
  vi.useFakeTimers();
  page = Object.assign(new EventTarget(), { hidden: false });
  vi.stubGlobal("navigator", { mediaDevices: new FakeMediaDevices() });
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", { matchMedia: () => ({ matches: false }) });
  owner = new AbortController();
  const ports = { ...fakeCallPorts(), localMedia, openMedia, closeMedia };
  ports.socket.whenLive.mockReturnValue(new Promise(() => undefined));
  controller = new CallController(ports, ports.socket);
  followKeptCamera(owner.signal);
  leaveHome = showPreview();
  await openMedia();
});

afterEach(() => {
  owner.abort();
  leaveHome();
  controller.dispatch({ type: "session-ended" });
  controller.dispose();
  closeMedia();
  clearForSignOut();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function search(): void {
  controller.dispatch({ type: "start", wish: { sex: 0, country: 0 }, nowMs: 0 });
}

/** Starts a search and stops it. */
function end(): void {
  search();
  controller.dispatch({ type: "stop" });
}

test("closes the camera on End for users who chose nothing or chose against keeping it", () => {
  expect(wantsCameraKept()).toBe(false);
  end();
  expect(isOn()).toBe(false);
});

test("forgets the choice at sign-out", () => {
  setCameraKept(true);
  expect(wantsCameraKept()).toBe(true);
  clearForSignOut();
  expect(wantsCameraKept()).toBe(false);
});

describe("a kept camera", () => {
  beforeEach(() => writeStored("keepCamera", 1));

  test("stays open for 30 s after End, then closes", () => {
    expect(cameraKeptMs).toBe(30_000);
    end();
    vi.advanceTimersByTime(cameraKeptMs - 1);
    expect(isOn()).toBe(true);
    vi.advanceTimersByTime(1);
    expect(isOn()).toBe(false);
  });

  test("belongs to the next search, which no timer ends", () => {
    end();
    vi.advanceTimersByTime(10_000);
    search();
    vi.advanceTimersByTime(cameraKeptMs);
    expect(isOn()).toBe(true);
  });

  test("restarts its timer with the newest End", () => {
    end();
    vi.advanceTimersByTime(20_000);
    end();
    vi.advanceTimersByTime(20_000);
    expect(isOn()).toBe(true);
  });

  test.each<[string, () => void]>([
    [
      "the page is hidden",
      () => {
        page.hidden = true;
        page.dispatchEvent(new Event("visibilitychange"));
      },
    ],
    ["the user signs out", () => controller.dispatch({ type: "session-ended" })],
    ["another tab takes over", () => controller.dispatch({ type: "lock-lost" })],
    ["the user turns the option off", () => setCameraKept(false)],
    ["the camera is switched off", () => switchCamera(false)],
    ["the call's layer unmounts", () => owner.abort()],
  ])("closes at once when %s", (_what, happen) => {
    end();
    expect(isOn()).toBe(true);
    happen();
    expect(isOn()).toBe(false);
  });

  test("is not kept when the page is hidden at End", () => {
    page.hidden = true;
    end();
    expect(isOn()).toBe(false);
  });

  test("is not kept when it was switched off before End", () => {
    switchCamera(false);
    end();
    expect(isOn()).toBe(false);
  });
});

test("keeps no camera after an emergency exit", () => {
  writeStored("keepCamera", 1);
  search();
  callStore.setState({
    call: {
      status: "in-call",
      wish: { sex: 0, country: 0 },
      attempt: 1,
      match: matchedPush("room-1"),
      matchedAtMs: 0,
      startedAtMs: 0,
      connection: { count: 1, times: 1, timestampMs: 0 },
      media: "playing",
      peer: "here",
      fromRing: false,
      meter: null,
      low: "no",
      shield: { other: "clear", own: "clear" },
      ends: null,
    },
  });
  controller.dispatch({ type: "panic" });
  expect([callStore.getState().call.status, isOn()]).toEqual(["idle", false]);
});

describe("camera and microphone", () => {
  const aTurn = () => vi.advanceTimersByTimeAsync(0);

  test("turn off when the user leaves home for another page", async () => {
    leaveHome();
    await aTurn();
    expect(isOn()).toBe(false);
  });

  test("turn off then even while they are kept", async () => {
    writeStored("keepCamera", 1);
    end();
    leaveHome();
    await aTurn();
    expect(isOn()).toBe(false);
    await openMedia();
    vi.advanceTimersByTime(cameraKeptMs);
    expect(isOn()).toBe(true);
  });

  test("stay on when home is mounted again", async () => {
    leaveHome();
    leaveHome = showPreview();
    await aTurn();
    expect(isOn()).toBe(true);
  });

  test("stay on in a call, and are not kept after one that ends outside of home", async () => {
    writeStored("keepCamera", 1);
    search();
    leaveHome();
    await aTurn();
    expect(isOn()).toBe(true);
    controller.dispatch({ type: "stop" });
    expect(isOn()).toBe(false);
  });

  test("turn off when they open for a home page that was left meanwhile", async () => {
    closeMedia();
    leaveHome();
    await aTurn();
    await openMedia();
    closeUnseen();
    expect(isOn()).toBe(false);
  });
});
