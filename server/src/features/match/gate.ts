import { codes } from "@fava/wire/codes.ts";
import { CallError, forbidden } from "#http/call-error.ts";
import type { Allowances } from "#ports/balances.ts";
import type { Clock } from "#ports/clock.ts";
import { type Standing, untilDecidedMs } from "#ports/moderation.ts";
import { wireInteger } from "#wire-integer.ts";
import type { MatchGate, MeetWishes } from "./search.ts";

/** When somebody may ask again whether pictures are looked at. */
const uncheckedRetrySeconds = 30;

/**
 * Nobody is matched before a person has looked at what was reported, and nobody new while nothing looks at pictures.
 *
 * @throws CallError 403 `paused` with `until` (`pauseEnd`); 403 `unchecked`.
 */
export async function requireStanding(
  userId: bigint,
  { gate, clock }: { gate: MatchGate; clock: Clock },
): Promise<void> {
  const standing = await gate.standing(userId);
  if (isPaused(standing, clock.nowMs())) throw forbidden("paused", { until: pauseEnd(standing) });
  if (standing.isNew && !gate.isChecking()) throw forbidden("unchecked", { retry_after: uncheckedRetrySeconds });
}

/** @throws CallError 402 `{need, have, limit}` where the first minute cannot be paid. */
export async function requireBeans(userId: bigint, need: number, allowances: Allowances): Promise<void> {
  const { have, limit } = await allowances.spendable(userId);
  if (have < BigInt(need)) {
    throw new CallError(codes.notEnoughBeans, "not enough beans", { need, have: wireInteger(have), limit });
  }
}

export function isPaused({ pausedUntil }: Pick<Standing, "pausedUntil">, nowMs: number): boolean {
  return pausedUntil !== null && pausedUntil > nowMs;
}

/** Until when somebody is paused at the latest, milliseconds since the epoch; null: until a person has decided. */
export function pauseEnd({ pausedUntil }: Pick<Standing, "pausedUntil">): number | null {
  return pausedUntil === untilDecidedMs ? null : pausedUntil;
}

/** Somebody who is not matched at present meets nobody again either. */
export function gatedWishes({
  gate,
  wishes,
  clock,
}: {
  gate: MatchGate;
  wishes: MeetWishes;
  clock: Clock;
}): MeetWishes {
  const isAllowed = async (userId: bigint) => !isPaused(await gate.standing(userId), clock.nowMs());
  return {
    wishEachOther: async (one, other) =>
      (await isAllowed(one)) && (await isAllowed(other)) && wishes.wishEachOther(one, other),
    wishFulfilled: (one, other) => wishes.wishFulfilled(one, other),
  };
}
