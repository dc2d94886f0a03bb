import type { RetryDelayMs } from "./matcher-due.ts";

/** How many people of each list a first search looks at, and the first retry. */
export const looksAtFirst = 16;
const looksAtRetry = 64;
/** After this many deepenings, each by four, a search looks at 4,096 people of each list. */
const deepeningsMax = 3;

/** How long balanced people look near only: ordinarily, and where few people wait (performance.md section 2). */
export const holdShortMs = 300;
export const holdThinMs = 1_000;
export const thinPoolMax = 32;

/** After a first search that was cut short. */
export const retryFirstMs = 125;
const deepenedDelaysMs = [125, 250, 500] as const satisfies readonly RetryDelayMs[];
/** A retry made only because something that bars a pair may have ended by itself. */
const lapseDelayMs = 1_000;
/** Plain retries come 1, 2, 4, 8, 16 and 32 s after the start, then every 32 s. */
const plainDelaysMs = [1_000, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000] as const satisfies readonly RetryDelayMs[];

/** What an unsuccessful search says about the next one. */
export interface SearchEnd {
  /** Barred people filled the looks of a list, so somebody suitable may stand behind them. */
  readonly wasCut: boolean;
  /** Somebody was passed over for a reason that ends by itself. */
  readonly metTimedBar: boolean;
}

/**
 * Which retries a person had, in one byte: plain ones in three bits, deepenings in two, and the reason of the next in
 * two.
 */
export const retryNone = 0;
const plainMask = 7;
const deepeningsShift = 3;
const deepeningsMask = 3;
const reasonShift = 5;
const reasons = { plain: 0, deepened: 1, lapse: 2 } as const;

export function looksOfRetry(retry: number): number {
  return looksAtRetry * 4 ** ((retry >>> deepeningsShift) & deepeningsMask);
}

/** Counts the retry that follows an unsuccessful one; `retryDelayMs` says when it comes. */
export function retryAfter(retry: number, end: SearchEnd): number {
  const plain = retry & plainMask;
  const deepenings = (retry >>> deepeningsShift) & deepeningsMask;
  if (end.wasCut && deepenings < deepeningsMax) return pack(plain, deepenings + 1, reasons.deepened);
  if (end.metTimedBar) return pack(plain, deepenings, reasons.lapse);
  return pack(Math.min(plain + 1, plainDelaysMs.length), deepenings, reasons.plain);
}

export function retryDelayMs(retry: number): RetryDelayMs {
  const reason = retry >>> reasonShift;
  if (reason === reasons.deepened) return deepenedDelaysMs[((retry >>> deepeningsShift) & deepeningsMask) - 1]!;
  return reason === reasons.lapse ? lapseDelayMs : plainDelaysMs[(retry & plainMask) - 1]!;
}

function pack(plain: number, deepenings: number, reason: number): number {
  return plain | (deepenings << deepeningsShift) | (reason << reasonShift);
}
