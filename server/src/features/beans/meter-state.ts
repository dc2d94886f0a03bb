/** What a person has, in beans. */
export interface Funds {
  /** Held beans among them; negative for a debt. */
  readonly balance: bigint;
  /** What the next hold could take, and whether balance or spending cap says so. */
  readonly have: bigint;
  readonly limit: "balance" | "cap";
}

/** Why time does not count. */
export type Stop = "reconnecting" | "camera_off" | "blurred";

/** What every meter of a live call knows. */
export interface Counted {
  /** Beans a minute, more than zero. */
  readonly price: bigint;
  readonly stopped: Stop | null;
  readonly countedMs: number;
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
  return state.stopped === null && !(state.kind === "paying" && state.hold === "failing");
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
