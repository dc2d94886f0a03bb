import { freeMs as freeStartMs, mediaStallMs } from "@fava/wire/limits.ts";
import { type MeterReading, readMeter } from "./meter-reading.ts";
import {
  beansOf,
  boundaryMs,
  type Counted,
  type FreeMeter,
  type Funds,
  isCounting,
  type OpeningMeter,
  type PayingMeter,
  type Stop,
  usedMs,
} from "./meter-state.ts";

/**
 * The meter of one paying side of one call, in counted time: the time in which both sides have video.
 *
 * - `waiting`: the match is made and the call not live. Nothing counts.
 * - `opening`: live. Whether the first seconds are free, and what the person has, is being asked. Time counts and costs
 *   nothing until the answer.
 * - `free`: the free seconds pass.
 * - `paying`: minute after minute is held when it begins, and the one before posted in full. Its hold is `asked`, then
 *   `held`. Where the database fails it is `failing`: what of the minute had passed is given away, and nothing counts
 *   until the hold is there.
 * - `over`: the call ended, or a hold was refused and the call is being closed.
 */
export type MeterState =
  | { readonly kind: "waiting"; readonly price: bigint }
  | OpeningMeter
  | FreeMeter
  | PayingMeter
  | { readonly kind: "over" };

/**
 * `failure`: we ended the call; `moderated`: we ended it because of what the other showed; `other_lost`: the other side
 * vanished; `left`: anything else.
 */
export type MeterEnd = "left" | "other_lost" | "failure" | "moderated";

export type MeterEvent = { readonly nowMs: number } & (
  | { readonly type: "live"; readonly stopped: Stop | null }
  | { readonly type: "opened"; readonly isFree: boolean; readonly funds: Funds }
  | { readonly type: "picture"; readonly stopped: Stop | null }
  | { readonly type: "tick" }
  | { readonly type: "held"; readonly funds: Funds }
  | { readonly type: "refused"; readonly funds: Funds }
  | { readonly type: "failing" }
  /** Balance or cap changed from outside. */
  | { readonly type: "funds"; readonly funds: Funds }
  | { readonly type: "ended"; readonly why: MeterEnd }
);

/** What a minute that was held has cost. */
export interface Settlement {
  readonly minute: number;
  readonly amount: bigint;
}

export type MeterEffect =
  /** Claim the free seconds and read the funds; answered by `opened`. */
  | { readonly type: "open" }
  /** Settle and hold in one transaction; answered by `held`, `refused` or `failing` and then one of these. */
  | { readonly type: "take-minute"; readonly settle: Settlement | null; readonly minute: number }
  /** Settle for good, and give beans back; a minute whose hold never came about is passed over. */
  | { readonly type: "finish"; readonly settlements: readonly Settlement[]; readonly credit: FinishCredit }
  | { readonly type: "tell"; readonly pushType: 1 | 2; readonly reading: MeterReading }
  | { readonly type: "close-call" };

export interface CallCredit {
  readonly of: "call";
  readonly reason: "failed_call" | "moderated_call";
}

/** Beans of the minute in which the picture stopped, everything that the call has cost, or none. */
export type FinishCredit = { readonly of: "none" } | CallCredit | { readonly of: "minute"; beans: bigint };

export interface MeterStep {
  readonly state: MeterState;
  readonly effects: readonly MeterEffect[];
}

/** What becomes of a meter, and what the service must do (rules BEANS-260 to BEANS-272). */
export function stepMeter(before: MeterState, event: MeterEvent): MeterStep {
  const state = elapse(before, event.nowMs);
  switch (event.type) {
    case "live":
      return state.kind === "waiting" ? begin(state.price, event) : same(state);
    case "opened":
      return state.kind === "opening" ? opened(state, event) : same(state);
    case "picture":
      return picture(state, event.stopped);
    case "tick":
      return goOn(state, { tells: false });
    case "held":
      if (state.kind !== "paying" || state.hold === "held") return same(state);
      return goOn({ ...state, hold: "held", funds: event.funds }, { tells: true });
    case "refused":
      return state.kind === "paying" && state.hold !== "held" ? refused({ ...state, funds: event.funds }) : same(state);
    case "failing":
      return state.kind === "paying" && state.hold === "asked" ? failing(state) : same(state);
    case "funds":
      if (state.kind !== "free" && state.kind !== "paying") return same(state);
      return goOn({ ...state, funds: event.funds }, { tells: !isSame(state.funds, event.funds) });
    case "ended":
      return end(state, event.why);
  }
}

/** When the meter wants its next tick, of the monotonic clock; null while nothing can fall due. */
export function meterDueMs(state: MeterState): number | null {
  if (state.kind !== "free" && state.kind !== "paying") return null;
  return isCounting(state) ? state.atMs + boundaryMs(state) - state.countedMs : null;
}

type Running = FreeMeter | PayingMeter;

function same(state: MeterState): MeterStep {
  return { state, effects: [] };
}

/** Counts up to now, and never past a boundary: a timer that comes late gives the difference away. */
function elapse(state: MeterState, nowMs: number): MeterState {
  if (state.kind === "waiting" || state.kind === "over") return state;
  const atMs = Math.max(nowMs, state.atMs);
  if (!isCounting(state)) return { ...state, atMs };
  const passed = state.countedMs + atMs - state.atMs;
  const countedMs = state.kind === "opening" ? passed : Math.min(passed, boundaryMs(state));
  return { ...state, atMs, countedMs };
}

function begin(price: bigint, { stopped, nowMs }: { stopped: Stop | null; nowMs: number }): MeterStep {
  return { state: { kind: "opening", price, stopped, countedMs: 0, atMs: nowMs }, effects: [{ type: "open" }] };
}

/** What had passed before the answer costs nothing either way. */
function opened(
  { price, stopped, countedMs, atMs }: Counted,
  { isFree, funds }: { isFree: boolean; funds: Funds },
): MeterStep {
  const freeMs = Math.max(countedMs, isFree ? freeStartMs : 0);
  return goOn({ kind: "free", price, stopped, countedMs, atMs, freeMs, funds }, { tells: true });
}

function picture(state: MeterState, stopped: Stop | null): MeterStep {
  if (state.kind === "waiting" || state.kind === "over" || state.stopped === stopped) return same(state);
  const changed = { ...state, stopped };
  return changed.kind === "opening" ? same(changed) : goOn(changed, { tells: true });
}

/** Where the stretch is used up and time goes on, the next minute begins. */
function goOn(state: MeterState, { tells }: { tells: boolean }): MeterStep {
  if (state.kind !== "free" && state.kind !== "paying") return same(state);
  const isDue = isCounting(state) && state.countedMs >= boundaryMs(state);
  if (isDue && state.kind === "paying" && state.hold === "asked") return failing(state);
  if (!isDue) return { state, effects: tells ? [tell(state)] : [] };
  const settle = state.kind === "paying" ? { minute: state.minute, amount: state.price } : null;
  const next = nextMinute(state);
  const ask: MeterEffect = { type: "take-minute", settle, minute: next.minute };
  return { state: next, effects: tells ? [ask, tell(next)] : [ask] };
}

/** The funds are reckoned ahead, for readings that go out before the hold's answer. */
function nextMinute(state: Running): PayingMeter {
  const { price, stopped, countedMs, atMs, freeMs, funds } = state;
  const posted = state.kind === "paying" ? price : 0n;
  const have = funds.have > price ? funds.have - price : 0n;
  return {
    kind: "paying",
    price,
    stopped,
    countedMs,
    atMs,
    freeMs,
    funds: { ...funds, balance: funds.balance - posted, have },
    minute: state.kind === "paying" ? state.minute + 1 : 1,
    hold: "asked",
  };
}

function failing(state: PayingMeter): MeterStep {
  const given = giveAway(state);
  return { state: given, effects: [tell(given)] };
}

/** What of the minute has passed without a hold costs nothing. */
function giveAway(state: PayingMeter): PayingMeter {
  return { ...state, hold: "failing", freeMs: state.freeMs + usedMs(state) };
}

function refused(state: PayingMeter): MeterStep {
  const { meter } = readMeter(giveAway(state));
  const reading: MeterReading = { isEnough: 0, meter: { ...meter, left_ms: 0 } };
  return { state: { kind: "over" }, effects: [{ type: "tell", pushType: 2, reading }, { type: "close-call" }] };
}

function end(state: MeterState, why: MeterEnd): MeterStep {
  if (state.kind !== "paying") return { state: { kind: "over" }, effects: [] };
  const { price, minute, hold } = state;
  const used = isForNothing(why) || hold === "failing" ? 0n : beansOf(price, usedMs(state));
  // The minute before was to be posted together with the hold that has not been confirmed.
  const before = hold === "held" || minute === 1 ? [] : [{ minute: minute - 1, amount: price }];
  const settlements = [...before, { minute, amount: used }];
  return { state: { kind: "over" }, effects: [{ type: "finish", settlements, credit: creditOf(state, why, used) }] };
}

/** A stall is noticed `mediaStallMs` late: the picture of a minute that has only just begun stopped in the one before. */
function creditOf(state: PayingMeter, why: MeterEnd, used: bigint): FinishCredit {
  if (isForNothing(why)) return { of: "call", reason: why === "failure" ? "failed_call" : "moderated_call" };
  if (why === "left" || state.hold === "failing") return { of: "none" };
  const wasBefore = state.minute > 1 && usedMs(state) < mediaStallMs;
  const beans = used + (wasBefore ? state.price : 0n);
  return beans === 0n ? { of: "none" } : { of: "minute", beans };
}

function isForNothing(why: MeterEnd): why is "failure" | "moderated" {
  return why === "failure" || why === "moderated";
}

function tell(state: Running): MeterEffect {
  return { type: "tell", pushType: 1, reading: readMeter(state) };
}

function isSame(one: Funds, other: Funds): boolean {
  return one.balance === other.balance && one.have === other.have && one.limit === other.limit;
}
