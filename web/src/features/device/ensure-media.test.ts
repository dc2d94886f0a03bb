import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { tabLock } from "#features/call/machine/tab-lock.ts";
import { closeMedia, watchDevices } from "#lib/media/local-media.ts";
import { closeAllOverlays, closeOverlay, isOverlayOpen, type OverlayName } from "#lib/overlays.ts";
import { clearForSignOut, writeStored } from "#lib/storage.ts";
import { FakeMediaDevices } from "#testing/fake-media.ts";
import { heldAnswer } from "#testing/held-answer.ts";
import { matchedPush } from "#testing/matched-push.ts";
import { serve, type ServedWorld, signIn, stopServing } from "#testing/serve.ts";
import { ensureMedia, isGranted } from "./ensure-media.ts";

const noCall = { status: 0, match: null, return_ms: null, prices: { gender: 0, country: 0, both: 0 } } as const;
let server: ServedWorld;
let devices: FakeMediaDevices;

beforeEach(async () => {
  server = serve({ matchInfo: noCall });
  await signIn(server);
  devices = new FakeMediaDevices();
});

afterEach(() => {
  takeBack();
  closeMedia();
  closeAllOverlays();
  tabLock.release();
  stopServing();
  clearForSignOut();
});

interface Answer {
  state: PermissionState;
  onchange?: () => void;
}

const answers: Answer[] = [];

/** The browser reports that its last answer no longer applies. */
function takeBack(): void {
  for (const { onchange } of answers.splice(0)) onchange?.();
}

/** The browser's answer for both permissions. */
function permissions(state: PermissionState) {
  const query = vi.fn<() => Promise<Answer>>(async () => {
    const answer: Answer = { state };
    answers.push(answer);
    return answer;
  });
  vi.stubGlobal("navigator", { permissions: { query }, mediaDevices: devices });
  return query;
}

async function close(name: OverlayName): Promise<void> {
  await vi.waitFor(() => expect(isOverlayOpen(name)).toBe(true));
  closeOverlay(name);
}

test("asks in parallel before the camera opens: both permissions, and whether another tab has it", async () => {
  const query = permissions("granted");
  const info = heldAnswer<typeof noCall>();
  server.answer({ matchInfo: () => info.answer });
  writeStored("roomId", "r1");
  const ensured = ensureMedia();
  expect(query).toHaveBeenCalledTimes(2);
  await vi.waitFor(() => expect(server.asked("matchInfo")).toHaveLength(1));
  expect(devices.asked).toEqual([]);
  info.give(noCall);
  expect(await ensured).toBe(true);
  expect([server.asked("matchInfo").length, devices.asked.length]).toEqual([1, 1]);
});

test("knows at the press what was granted before it, until the browser reports a change", async () => {
  const query = permissions("granted");
  await isGranted();
  query.mockClear();
  expect(await ensureMedia()).toBe(true);
  expect(query).not.toHaveBeenCalled();
  closeMedia();
  takeBack();
  permissions("prompt");
  const ensured = ensureMedia();
  await close("permission");
  expect(await ensured).toBe(false);
});

test("opens nothing when the question about another tab's call was answered", async () => {
  permissions("granted");
  server.answer({ matchInfo: { ...noCall, status: 3, match: matchedPush("r1") } });
  writeStored("roomId", "r1");
  const ensured = ensureMedia();
  await close("take-over");
  expect(await ensured).toBe(false);
  expect([devices.asked, isOverlayOpen("permission")]).toEqual([[], false]);
});

test("does not report a camera as failed that was closed while it was opening", async () => {
  permissions("granted");
  const answer = devices.holdNext();
  const ensured = ensureMedia();
  await vi.waitFor(() => expect(devices.asked).toHaveLength(1));
  closeMedia();
  answer();
  expect(await ensured).toBe(false);
  expect(isOverlayOpen("device-tips")).toBe(false);
});

test("resolves to false at once in a browser that cannot have calls", async () => {
  const query = permissions("granted");
  vi.stubGlobal("navigator", { permissions: { query } });
  watchDevices(new AbortController().signal);
  const ensured = ensureMedia();
  expect(isOverlayOpen("device-tips")).toBe(true);
  closeOverlay("device-tips");
  expect(await ensured).toBe(false);
  expect([query.mock.calls, devices.asked, server.asked("matchInfo")]).toEqual([[], [], []]);
});
