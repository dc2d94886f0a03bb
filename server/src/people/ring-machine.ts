import type { SocialEvent } from "@fava/wire/messages.ts";

/**
 * A ring of a friend.
 * - `ringing`: can be answered until it expires.
 * - `accepted`: the two are being connected.
 * - `declined`: the callee declined, or blocked the caller.
 * - `cancelled`: the caller cancelled, or left.
 * - `missed`: nobody answered, or the two could not be connected.
 */
export type RingState = "ringing" | "accepted" | "declined" | "cancelled" | "missed";

export interface Ring {
  readonly id: string;
  readonly callerId: bigint;
  readonly calleeId: bigint;
  readonly atMs: number;
  readonly untilMs: number;
  readonly state: RingState;
  /** The callee had no page open when the ring began, and gets a browser notification. */
  readonly isAway: boolean;
}

export type RingEvent =
  | { readonly type: "accepted"; readonly byId: bigint }
  /** The user `byId` declined, cancelled or left, or blocked the other one. */
  | { readonly type: "ended"; readonly byId: bigint }
  /** The callee signed out or was banned. */
  | { readonly type: "left"; readonly userId: bigint }
  /** The callee accepted, but the two could not be connected. */
  | { readonly type: "failed" }
  | { readonly type: "expired" };

type Why = Extract<SocialEvent, { kind: "ring_over" }>["why"];

/** What an event does to a ring. `stepRing` returns null if it does nothing. */
export interface RingStep {
  readonly state: Exclude<RingState, "ringing">;
  /** Whom to notify, and why the ring ended. After acceptance the caller receives the match instead. */
  readonly notified: readonly { readonly userId: bigint; readonly why: Why }[];
  readonly leavesLine: boolean;
}

/** Ended rings ignore events. A ring past its end becomes missed, whatever the event. */
export function stepRing(ring: Ring, event: RingEvent, nowMs: number): RingStep | null {
  const { callerId, calleeId } = ring;
  // The callee learns of the failure from the response to the request.
  if (ring.state === "accepted" && event.type === "failed")
    return { state: "missed", notified: [{ userId: callerId, why: "missed" }], leavesLine: false };
  if (ring.state !== "ringing") return null;
  if (nowMs >= ring.untilMs || event.type === "expired") return missed(ring);
  switch (event.type) {
    case "accepted":
      return event.byId === calleeId
        ? { state: "accepted", notified: [{ userId: calleeId, why: "elsewhere" }], leavesLine: false }
        : null;
    case "ended":
      if (event.byId === calleeId) return ended("declined", { by: calleeId, other: callerId });
      if (event.byId !== callerId) return null;
      // The absent callee may open the notification later, and then finds this line.
      return { ...ended("cancelled", { by: callerId, other: calleeId }), leavesLine: ring.isAway };
    case "left":
      return event.userId === calleeId ? missed(ring) : null;
    case "failed":
      return null;
  }
}

function ended(state: "declined" | "cancelled", { by, other }: { by: bigint; other: bigint }): RingStep {
  const notified = [
    { userId: other, why: state },
    { userId: by, why: "elsewhere" },
  ] as const;
  return { state, notified, leavesLine: false };
}

function missed({ callerId, calleeId }: Ring): RingStep {
  return {
    state: "missed",
    notified: [callerId, calleeId].map((userId) => ({ userId, why: "missed" })),
    leavesLine: true,
  };
}
