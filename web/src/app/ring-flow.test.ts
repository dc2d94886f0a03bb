import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RingFlow } from "#app/ring-flow.ts";
import type { CallRuntime } from "#features/call/machine/call-runtime.ts";
import { tabLock } from "#features/call/machine/tab-lock.ts";
import type { ensureMedia, isGranted } from "#features/device/ensure-media.ts";
import { publishSocial } from "#features/people/social-messages.ts";
import type { IncomingRing } from "#features/rings/friend.ts";
import { acceptRing, startRings } from "#features/rings/incoming-rings.ts";
import { closeOverlay, isOverlayOpen } from "#lib/overlays.ts";
import { clearForSignOut, writeStored } from "#lib/storage.ts";
import { ringOf } from "#testing/ring-fixtures.ts";
import { serve, type ServedWorld, signIn, stopServing } from "#testing/serve.ts";

const call = {
  expectRing: vi.fn<CallRuntime["expectRing"]>(),
  expectTake: vi.fn<CallRuntime["expectTake"]>(),
  ringFriend: vi.fn<CallRuntime["ringFriend"]>(),
  takeRing: vi.fn<CallRuntime["takeRing"]>(),
};
const device = { ensureMedia: vi.fn<typeof ensureMedia>(), isGranted: vi.fn<typeof isGranted>() };
const flow = new RingFlow({ call, device, steps: { completeProfile: async () => true } });

let server: ServedWorld;
let owner: AbortController;
let ring: IncomingRing;
/** The requests of the test, in order. */
let steps: string[];

beforeEach(async () => {
  steps = [];
  owner = new AbortController();
  server = serve({ ringAnswer: { state: "declined" } });
  await signIn(server);
  writeStored("neverShowRule", 1);
  await tabLock.take();
  device.ensureMedia.mockImplementation(async () => steps.push("camera") > 0);
  call.expectTake.mockImplementation(() => void steps.push("made ready"));
  call.takeRing.mockImplementation(async () => void steps.push(isOverlayOpen("ring") ? "taken below" : "taken"));
  startRings(owner.signal);
  const event = ringOf("Bo", "ring-1");
  publishSocial({ type: "social", sequence: 1, event });
  ring = { id: event.id, friend: event.from };
  acceptRing(ring);
});

afterEach(() => {
  owner.abort();
  tabLock.release();
  vi.resetAllMocks();
  stopServing();
  clearForSignOut();
});

const declined = () => server.asked("ringAnswer");
const isDeclined = () => vi.waitFor(() => expect(declined()).toMatchObject([{ user_id: 7, id: "ring-1", accept: 0 }]));

test("prepares the acceptance of the ring while the camera opens", async () => {
  await flow.take(ring);
  expect(steps.toSorted()).toEqual(["camera", "made ready", "taken"]);
  expect(steps.at(-1)).toBe("taken");
  expect(call.expectTake).toHaveBeenCalledWith(ring);
});

test("declines the ring when there is no camera", async () => {
  device.ensureMedia.mockResolvedValue(false);
  await flow.take(ring);
  expect(steps).toEqual(["made ready"]);
  await isDeclined();
});

test("declines in a browser without WebRTC, without asking for a camera", async () => {
  const unsupported = vi.spyOn(globalThis, "RTCPeerConnection", "get").mockReturnValue(undefined as never);
  const taking = flow.take(ring);
  unsupported.mockRestore();
  expect(isOverlayOpen("device-tips")).toBe(true);
  closeOverlay("device-tips");
  await taking;
  expect(steps).toEqual(["made ready"]);
  await isDeclined();
});

test("closes the covering dialog when the ring is accepted, and when it is over", async () => {
  expect(isOverlayOpen("ring")).toBe(true);
  await flow.take(ring);
  expect(steps.at(-1)).toBe("taken");
  publishSocial({ type: "social", sequence: 2, event: { kind: "ring_over", id: ring.id, why: "cancelled" } });
  await flow.take(ring);
  expect(steps.slice(-2).toSorted()).toEqual(["camera", "made ready"]);
  expect(declined()).toEqual([]);
});

test("prepares everything during the ring that needs no camera", () => {
  flow.readyTake();
  expect([device.isGranted.mock.calls.length, call.expectRing.mock.calls.length]).toEqual([1, 1]);
  expect(device.ensureMedia).not.toHaveBeenCalled();
});
