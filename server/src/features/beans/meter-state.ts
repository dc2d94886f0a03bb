/** What a person has, in beans. */
export interface Funds {
  /** Held beans among them; negative for a debt. */
  readonly balance: bigint;
  /** What the next hold could take, and whether balance or spending cap says so. */
  readonly have: bigint;
  readonly limit: "balance" | "cap";
}

/** Why time does not count. */
export interface Pause {
  readonly why: "reconnecting" | "camera_off" | "blurred";
  /** Nobody but the payer says so: it stops the clock for so long in a call, and no longer. */
  readonly byPayer: boolean;
}

/** What every meter of a call knows. */
interface Priced {
  /** Beans a minute, more than zero. */
  readonly price: bigint;
  readonly pause: Pause | null;
  /** How long the payer's own word may still stop the clock of this call. */
  readonly ownPauseLeftMs: number;
}

/** The answer of the database at the beginning of a call. */
export interface Opening {
  /** The first seconds of this call cost nothing. */
  readonly isFree: boolean;
  readonly funds: Funds;
}

export type WaitingMeter = Priced & {
  readonly kind: "waiting";
  readonly opening: Opening | null;
  /** Since when the other plays the payer's picture, of the monotonic clock. */
  readonly seenAtMs: number | null;
};

/** What every meter knows whose call has begun to count. */
export interface Counted extends Priced {
  readonly countedMs: number;
  /** Time in which the clock stood. */
  readonly pausedMs: number;
  /** The moment up to which time was counted, of the monotonic clock. */
  readonly atMs: number;
}

export type OpeningMeter = Counted & { readonly kind: "opening" };
export type FreeMeter = Counted & {
  readonly kind: "free";
  /** Counted time that costs nothing, until now. */
  readonly freeMs: number;
  readonly funds: Funds;
};
export type PayingMeter = Counted & {
  readonly kind: "paying";
  readonly freeMs: number;
  readonly funds: Funds;
  /** Number of the current minute; the first one that costs is 1. */
  readonly minute: number;
  readonly hold: "asked" | "held" | "failing";
};

export const minuteMs = 60_000;

/** Whether time counts in this state. */
export function isCounting(state: OpeningMeter | FreeMeter | PayingMeter): boolean {
  return !isFailing(state) && !isPaused(state);
}

/** Whether nothing counts because the database fails. */
export function isFailing(state: OpeningMeter | FreeMeter | PayingMeter): boolean {
  return state.kind === "paying" && state.hold === "failing";
}

/** Whether the clock stands because of the pictures. */
export function isPaused({ pause, ownPauseLeftMs }: Priced): boolean {
  return pause !== null && (!pause.byPayer || ownPauseLeftMs > 0);
}

/** Where the current stretch ends, in counted time: the free seconds, or a minute. */
export function boundaryMs(state: FreeMeter | PayingMeter): number {
  return state.kind === "free" ? state.freeMs : state.freeMs + state.minute * minuteMs;
}

/** Counted milliseconds of the current minute. */
export function usedMs(state: PayingMeter): number {
  return minuteMs - (boundaryMs(state) - state.countedMs);
}

/** Beans that so many counted milliseconds of one minute cost: by the full second, rounded up once. */
export function beansOf(price: bigint, countedMs: number): bigint {
  return (price * BigInt(Math.floor(countedMs / 1_000)) + 59n) / 60n;
}
