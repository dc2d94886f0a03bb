import { callRuntime } from "#app/call-runtime.ts";
import { type StartSteps, startSteps } from "#app/start-steps.ts";
import type { CallRuntime } from "#features/call/machine/call-runtime.ts";
import { ensureMedia, isGranted } from "#features/device/ensure-media.ts";
import { areRulesRead } from "#features/match/safety-rules.ts";
import type { Friend, IncomingRing } from "#features/rings/friend.ts";
import { declineRing, isRingAccepted, leaveAcceptedRing } from "#features/rings/incoming-rings.ts";
import { missingCallSupport } from "#lib/media/call-support.ts";
import { openOverlay } from "#lib/overlays.ts";
import { currentUser } from "#lib/session.ts";

interface RingParts {
  readonly call: Pick<CallRuntime, "expectRing" | "expectTake" | "ringFriend" | "takeRing">;
  readonly device: { ensureMedia: typeof ensureMedia; isGranted: typeof isGranted };
  readonly steps: Pick<StartSteps, "completeProfile">;
}

export class RingFlow {
  readonly #parts: RingParts;

  constructor(parts: RingParts) {
    this.#parts = parts;
  }

  /** Rings a friend, after the same steps that come before a search. */
  async ring(friend: Friend): Promise<void> {
    if (await this.#mayCall()) await this.#parts.call.ringFriend(friend);
  }

  /** Prepares what Accept would wait for, without opening the camera. */
  readyTake(): void {
    if (missingCallSupport()) return;
    void this.#parts.device.isGranted();
    this.#parts.call.expectRing();
  }

  /**
   * Accepts a ring: opens the camera, then tells the server. A user who gives up a step declines the ring.
   * A ring that ended meanwhile was reported by another part of the page.
   */
  async take(ring: IncomingRing): Promise<void> {
    const { call } = this.#parts;
    const opened = this.#mayCall();
    call.expectTake(ring);
    const mayTake = await opened;
    if (!isRingAccepted(ring)) return;
    if (!mayTake) return declineRing(ring);
    leaveAcceptedRing(ring);
    await call.takeRing(ring);
  }

  async #mayCall(): Promise<boolean> {
    const { device, steps } = this.#parts;
    if (missingCallSupport()) return (await openOverlay("device-tips")) === "done";
    // The session may end at any step, which closes the open dialog.
    if (!(await steps.completeProfile()) || !(await device.ensureMedia()) || !currentUser()) return false;
    return areRulesRead(Date.now()) || (await openOverlay("rules")) === "done";
  }
}

export const ringFlow = new RingFlow({ call: callRuntime, device: { ensureMedia, isGranted }, steps: startSteps });
