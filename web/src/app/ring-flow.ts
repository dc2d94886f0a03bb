import { completeProfile } from "#app/start-steps.ts";
import { expectRing, expectTake, ringFriend, takeRing } from "#features/call/machine/call.ts";
import { ensureMedia, isGranted } from "#features/device/ensure-media.ts";
import { areRulesRead } from "#features/match/safety-rules.ts";
import type { Friend, IncomingRing } from "#features/rings/friend.ts";
import { declineRing, isTaken, leaveTaken } from "#features/rings/incoming-rings.ts";
import { whyNoCalls } from "#lib/media/call-support.ts";
import { openOverlay } from "#lib/overlays.ts";
import { currentUser } from "#lib/session.ts";

/** What Call does: all that comes before a search comes before a call with a friend as well; then the friend is rung. */
export async function ringFlow(friend: Friend): Promise<void> {
  if (await mayCall()) await ringFriend(friend);
}

/** A friend rings: whatever Accept would wait for, and no camera is needed for, is made ready (rule RING-57). */
export function readyTakeRing(): void {
  if (whyNoCalls()) return;
  void isGranted();
  expectRing();
}

/**
 * What Accept does: the camera opens, and then the server hears of it (rule RING-43). Whoever gives up on the way declines;
 * that the ring is over meanwhile has been told.
 */
export async function takeRingFlow(ring: IncomingRing): Promise<void> {
  const opened = mayCall();
  expectTake(ring);
  const mayTake = await opened;
  if (!isTaken(ring)) return;
  if (!mayTake) return declineRing(ring);
  leaveTaken(ring);
  await takeRing(ring);
}

async function mayCall(): Promise<boolean> {
  if (whyNoCalls()) return (await openOverlay("device-tips")) === "done";
  // The session may end at any step; its end closes whatever dialog is open.
  if (!(await completeProfile()) || !(await ensureMedia()) || !currentUser()) return false;
  return areRulesRead(Date.now()) || (await openOverlay("rules")) === "done";
}
