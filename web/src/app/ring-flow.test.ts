import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readyTakeRing, takeRingFlow } from "#app/ring-flow.ts";
import { completeProfile } from "#app/start-steps.ts";
import { expectRing, expectTake, takeRing } from "#features/call/machine/call.ts";
import { ensureMedia, isGranted } from "#features/device/ensure-media.ts";
import { declineRing, isTaken, leaveTaken } from "#features/rings/incoming-rings.ts";
import { closeOverlay, isOverlayOpen } from "#lib/overlays.ts";
import { currentUser } from "#lib/session.ts";
import { removeStored, writeStored } from "#lib/storage.ts";
import { ownUser } from "#testing/own-user.ts";

vi.mock("#app/start-steps.ts", () => ({ completeProfile: vi.fn<typeof completeProfile>() }));
vi.mock("#features/call/machine/call.ts", () => ({
  expectRing: vi.fn<typeof expectRing>(),
  expectTake: vi.fn<typeof expectTake>(),
  takeRing: vi.fn<typeof takeRing>(),
}));
vi.mock("#features/device/ensure-media.ts", () => ({
  ensureMedia: vi.fn<typeof ensureMedia>(),
  isGranted: vi.fn<typeof isGranted>(),
}));
vi.mock("#features/rings/incoming-rings.ts", () => ({
  declineRing: vi.fn<typeof declineRing>(),
  isTaken: vi.fn<typeof isTaken>(),
  leaveTaken: vi.fn<typeof leaveTaken>(),
}));
vi.mock("#lib/session.ts");

const ring = { id: "ring-1", friend: { userId: 2, externalId: "bo-1", nickname: "Bo", avatar: "" } };
/** What was asked for, in order. */
let steps: string[];

beforeEach(() => {
  steps = [];
  writeStored("neverShowRule", 1);
  vi.mocked(currentUser).mockReturnValue(ownUser());
  vi.mocked(completeProfile).mockResolvedValue(true);
  vi.mocked(isTaken).mockReturnValue(true);
  vi.mocked(ensureMedia).mockImplementation(async () => steps.push("camera") > 0);
  vi.mocked(expectTake).mockImplementation(() => void steps.push("made ready"));
  vi.mocked(takeRing).mockImplementation(async () => void steps.push("taken"));
});

afterEach(() => {
  removeStored("neverShowRule");
  vi.resetAllMocks();
});

test("[RING-56] [RING-43] what takes the ring is made ready while the camera opens, before it is taken", async () => {
  await takeRingFlow(ring);
  expect(steps.toSorted()).toEqual(["camera", "made ready", "taken"]);
  expect(steps.at(-1)).toBe("taken");
  expect(expectTake).toHaveBeenCalledWith(ring);
});

test("[RING-43] whoever has no camera declines", async () => {
  vi.mocked(ensureMedia).mockResolvedValue(false);
  await takeRingFlow(ring);
  expect([steps, vi.mocked(declineRing).mock.calls]).toEqual([["made ready"], [[ring]]]);
});

test("[MEDIA-620] declines where the browser has no WebRTC, and asks for no camera", async () => {
  vi.stubGlobal("RTCPeerConnection", undefined);
  const flow = takeRingFlow(ring);
  vi.unstubAllGlobals();
  expect(isOverlayOpen("device-tips")).toBe(true);
  closeOverlay("device-tips");
  await flow;
  expect([steps, vi.mocked(declineRing).mock.calls]).toEqual([["made ready"], [[ring]]]);
});

test("[RING-59] what stands over the page while the camera opens goes as the ring is taken, and with a ring that is over it has gone", async () => {
  vi.mocked(leaveTaken).mockImplementation(() => void steps.push("left"));
  await takeRingFlow(ring);
  expect(steps.slice(-2)).toEqual(["left", "taken"]);
  vi.mocked(isTaken).mockReturnValue(false);
  await takeRingFlow(ring);
  expect(steps.slice(-2).toSorted()).toEqual(["camera", "made ready"]);
  expect(declineRing).not.toHaveBeenCalled();
});

test("[RING-57] while it rings all is made ready that takes no camera", () => {
  readyTakeRing();
  expect([vi.mocked(isGranted).mock.calls.length, vi.mocked(expectRing).mock.calls.length]).toEqual([1, 1]);
  expect(ensureMedia).not.toHaveBeenCalled();
});
