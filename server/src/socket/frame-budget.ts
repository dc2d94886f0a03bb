import { socketFrameBytesCounted, socketFramesBurstMax, socketFramesPerSecondMax } from "@fava/wire/limits.ts";

/** What a socket may still send: a token bucket that refills with time. */
export interface FrameBudget {
  readonly tokens: number;
  readonly atMs: number;
}

export function fullBudget(nowMs: number): FrameBudget {
  return { tokens: socketFramesBurstMax, atMs: nowMs };
}

/** The budget after one more frame of so many bytes, or null where it was one too many (rule SOCKET-68). */
export function spendFrame(budget: FrameBudget, nowMs: number, bytes: number): FrameBudget | null {
  const elapsedMs = Math.max(0, nowMs - budget.atMs);
  const refilled = budget.tokens + (elapsedMs * socketFramesPerSecondMax) / 1_000;
  const tokens = Math.min(socketFramesBurstMax, refilled) - 1 - Math.floor(bytes / socketFrameBytesCounted);
  return tokens < 0 ? null : { tokens, atMs: Math.max(nowMs, budget.atMs) };
}
