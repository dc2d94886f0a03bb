import type { SocialEvent } from "@fava/wire/messages.ts";

/**
 * A ring of a friend.
 *
 * - `ringing`: it can be answered, until it ends by itself.
 * - `accepted`: the two are being connected.
 * - `declined`: whoever was rung did not want it, or blocked the other.
 * - `cancelled`: whoever rang did not want it any more, or went away.
 * - `missed`: nobody took it, or the two could not be connected.
 */
export type RingState = "ringing" | "accepted" | "declined" | "cancelled" | "missed";

export interface Ring {
  readonly id: string;
  readonly ringerId: bigint;
  readonly rungId: bigint;
  readonly atMs: number;
  /** When it ends by itself. */
  readonly untilMs: number;
  readonly state: RingState;
  /** Whoever is rung had no page open when it began, and is told by a notification. */
  readonly isAway: boolean;
}

export type RingEvent =
  | { readonly type: "accepted"; readonly byId: bigint }
  /** One of the two wants it no more, by a press, a block or going away. */
  | { readonly type: "ended"; readonly byId: bigint }
  /** Nobody can take it any more: whoever is rung has signed out, or was banned. */
  | { readonly type: "left"; readonly userId: bigint }
  /** It is accepted, and the two could not be connected. */
  | { readonly type: "failed" }
  /** Its time is over. */
  | { readonly type: "expired" };

type Why = Extract<SocialEvent, { kind: "ring_over" }>["why"];

/** What becomes of a ring: null where nothing does. */
export interface RingStep {
  readonly state: Exclude<RingState, "ringing">;
  /** Who hears of it, and as what; where it was accepted whoever rang hears of the match. */
  readonly told: readonly { readonly userId: bigint; readonly why: Why }[];
  /** Their conversation says that it was missed. */
  readonly leavesLine: boolean;
}

/** Of whoever is over nothing comes any more; whatever comes too late finds it missed. */
export function stepRing(ring: Ring, event: RingEvent, nowMs: number): RingStep | null {
  const { ringerId, rungId } = ring;
  // Who has accepted is answered so.
  if (ring.state === "accepted" && event.type === "failed")
    return { state: "missed", told: [{ userId: ringerId, why: "missed" }], leavesLine: false };
  if (ring.state !== "ringing") return null;
  if (nowMs >= ring.untilMs || event.type === "expired") return missed(ring);
  switch (event.type) {
    case "accepted":
      return event.byId === rungId
        ? { state: "accepted", told: [{ userId: rungId, why: "elsewhere" }], leavesLine: false }
        : null;
    case "ended":
      if (event.byId === rungId) return ended("declined", { by: rungId, other: ringerId });
      if (event.byId !== ringerId) return null;
      // Whoever opens what they were told of finds what happened.
      return { ...ended("cancelled", { by: ringerId, other: rungId }), leavesLine: ring.isAway };
    case "left":
      return event.userId === rungId ? missed(ring) : null;
    case "failed":
      return null;
  }
}

function ended(state: "declined" | "cancelled", { by, other }: { by: bigint; other: bigint }): RingStep {
  const told = [
    { userId: other, why: state },
    { userId: by, why: "elsewhere" },
  ] as const;
  return { state, told, leavesLine: false };
}

function missed({ ringerId, rungId }: Ring): RingStep {
  return { state: "missed", told: [ringerId, rungId].map((userId) => ({ userId, why: "missed" })), leavesLine: true };
}
