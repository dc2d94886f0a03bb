import { freeMs as freeStartMs, mediaStallMs, payerSilenceMs, unseenPauseMs } from "@fava/wire/limits.ts";
import type { Meter } from "@fava/wire/meter.ts";
import { wireInteger } from "#lib/wire-integer.ts";

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
  /** `network`: the other's picture is paused, because their network is too weak for it. */
  readonly why: "reconnecting" | "network" | "camera_off" | "blurred";
  /** Of which there is only so much in a call; null: the clock stands for as long as the reason lasts. */
  readonly budget: PauseBudget | null;
}

/**
 * What a payer could bring about by themself, and so stops the clock for so long in a call and no longer. `own-word`:
 * nobody but the payer says so. `own-picture`: the other gets none of the payer's, who may have stopped to send it and
 * see the other all the same.
 */
type PauseBudget = "own-word" | "own-picture";

/** What every meter of a call knows. */
interface Priced {
  /** Beans a minute, more than zero. */
  readonly price: bigint;
  readonly pause: Pause | null;
  /** How long each may still stop the clock of this call. */
  readonly pauseLeftMs: { readonly [Which in PauseBudget]: number };
  /** The call has been at another process, which may have charged for it. */
  readonly isAdopted: boolean;
}

/** Minutes that another process had before this one. */
export interface EarlierMinutes {
  /** Which were charged whole. */
  readonly paid: number;
  /** Which were held and given away: their numbers are used up. */
  readonly given: number;
}

const noMinutes: EarlierMinutes = { paid: 0, given: 0 };

/** The answer of the database at the beginning of a call. */
interface Opening {
  /** The first seconds of this call cost nothing. */
  readonly isFree: boolean;
  readonly funds: Funds;
  /** Left out where there are none. */
  readonly earlier?: EarlierMinutes;
}

type WaitingMeter = Priced & {
  readonly kind: "waiting";
  readonly opening: Opening | null;
  /** Since when the other plays the payer's picture, of the monotonic clock. */
  readonly seenAtMs: number | null;
};

/** What every meter knows whose call has begun to count. */
interface Counted extends Priced {
  readonly countedMs: number;
  /** Time in which the clock stood. */
  readonly pausedMs: number;
  /** The moment up to which time was counted, of the monotonic clock. */
  readonly atMs: number;
  /** Counted time when a frame of the payer was judged last; that of the beginning before the first one. */
  readonly lookedMs: number;
}

type OpeningMeter = Counted & { readonly kind: "opening" };
type FreeMeter = Counted & {
  readonly kind: "free";
  readonly earlier: EarlierMinutes;
  /** Counted time that costs nothing, until now. */
  readonly freeMs: number;
  readonly funds: Funds;
};
type PayingMeter = Counted & {
  readonly kind: "paying";
  readonly earlier: EarlierMinutes;
  readonly freeMs: number;
  readonly funds: Funds;
  /** Number of the current minute among those that cost; the first one is 1. */
  readonly minute: number;
  readonly hold: "asked" | "held" | "failing";
};

const minuteMs = 60_000;

/** Whether time counts in this state. */
function isCounting(state: OpeningMeter | FreeMeter | PayingMeter): boolean {
  return !isFailing(state) && !isPaused(state);
}

/** Whether nothing counts because the database fails. */
function isFailing(state: OpeningMeter | FreeMeter | PayingMeter): boolean {
  return state.kind === "paying" && state.hold === "failing";
}

/** Whether the clock stands because of the pictures. */
function isPaused(state: Priced): boolean {
  return standsForMs(state) > 0;
}

/** How long the clock stands from now on if nothing changes: 0 where it runs. */
function standsForMs({ pause, pauseLeftMs }: Priced): number {
  if (pause === null) return 0;
  return pause.budget === null ? Infinity : pauseLeftMs[pause.budget];
}

/** Where the current stretch ends, in counted time: the free seconds, or a minute. */
function boundaryMs(state: FreeMeter | PayingMeter): number {
  return state.freeMs + (state.kind === "free" ? state.earlier.paid : state.minute) * minuteMs;
}

/** Counted milliseconds of the current minute. */
export function usedMs(state: PayingMeter): number {
  return minuteMs - (boundaryMs(state) - state.countedMs);
}

/** Beans that so many counted milliseconds of one minute cost: by the full second, rounded up once. */
export function beansOf(price: bigint, countedMs: number): bigint {
  return (price * BigInt(Math.floor(countedMs / 1_000)) + 59n) / 60n;
}

/**
 * The meter of one paying side of one call, in counted time: the time in which both sides have video. What the payer
 * could bring about against that stops it for `pauseLeftMs` of the call and no longer, or filters would be free for
 * whoever does so all the time.
 *
 * - `waiting`: the match is made. Whether the first seconds are free, and what the person has, is being asked. Nothing
 *   counts before both sides say that they play the other's picture, or the other does and the payer has been silent
 *   for `payerSilenceMs`.
 * - `opening`: that question has no answer yet. Time counts and costs nothing until it has.
 * - `free`: the free seconds pass.
 * - `paying`: minute after minute is held when it begins, and the one before posted in full. Its hold is `asked`, then
 *   `held`. Where the database fails it is `failing`: what of the minute had passed is given away, and nothing counts
 *   until the hold is there.
 * - `over`: the call ended or was taken over, or a hold was refused and the call is being closed.
 *
 * In a call that was at another process it goes on behind the last minute that was charged whole: the one that ran is given
 * away, and free seconds come no second time.
 */
export type MeterState = WaitingMeter | OpeningMeter | FreeMeter | PayingMeter | { readonly kind: "over" };

/**
 * `failure`: we ended the call; `moderated`: we ended it because of what the other showed; `other_lost`: the other side
 * vanished; `unchecked`: we ended it because no frame of the other could be checked, or of anybody by our own fault;
 * `unlooked`: we ended it because no frame of the payer could be checked; `left`: anything else.
 */
export type MeterEnd = "left" | "other_lost" | "failure" | "moderated" | "unchecked" | "unlooked";

export type MeterEvent = { readonly nowMs: number } & (
  | { readonly type: "matched" }
  | ({ readonly type: "opened" } & Opening)
  /** The other plays the payer's picture, and the browsers have agreed. */
  | { readonly type: "seen" }
  | { readonly type: "live" }
  | { readonly type: "picture"; readonly pause: Pause | null }
  | { readonly type: "tick" }
  | { readonly type: "held"; readonly funds: Funds }
  | { readonly type: "refused"; readonly funds: Funds }
  | { readonly type: "failing" }
  /** A frame of the payer was judged. */
  | { readonly type: "looked" }
  /** Balance or cap changed from outside. */
  | { readonly type: "funds"; readonly funds: Funds }
  /** The call is another process's, which settles what is open of it. */
  | { readonly type: "taken-over" }
  | { readonly type: "ended"; readonly why: MeterEnd }
);

/** What a minute that was held has cost; `minute` counts those that were given away, too. */
interface Settlement {
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
  | { readonly type: "close-call" }
  /** How long the clock ran and stood, at the end. */
  | { readonly type: "measured"; readonly countedMs: number; readonly pausedMs: number };

interface CallCredit {
  readonly of: "call";
  readonly reason: "failed_call" | "moderated_call" | "unchecked_call";
}

/** Everything that the call has cost, a part of it at its end, or none. */
type FinishCredit =
  | { readonly of: "none" }
  | CallCredit
  | { readonly of: "part"; readonly beans: bigint; readonly reason: "failed_call" | "unchecked_call" };

interface MeterStep {
  readonly state: MeterState;
  readonly effects: readonly MeterEffect[];
}

/** A meter at the match, or of a call that was adopted; the person's own word may stop it for `ownPauseMs` in all. */
export function openMeter(price: bigint, ownPauseMs: number, isAdopted = false): WaitingMeter {
  const pauseLeftMs = { "own-word": ownPauseMs, "own-picture": unseenPauseMs };
  const priced = { price, pause: null, pauseLeftMs, isAdopted };
  return { kind: "waiting", ...priced, opening: null, seenAtMs: null };
}

/** What becomes of a meter, and what the service must do (rules BEANS-260 to BEANS-273). */
export function stepMeter(before: MeterState, event: MeterEvent): MeterStep {
  const state = elapse(before, event.nowMs);
  const goesOnAgain = isRunning(before) && isRunning(state) && isPaused(before) && !isPaused(state);
  switch (event.type) {
    case "matched":
      return { state, effects: [{ type: "open" }] };
    case "opened":
      return opened(state, event);
    case "seen":
      return same(state.kind === "waiting" ? { ...state, seenAtMs: state.seenAtMs ?? event.nowMs } : state);
    case "live":
      return state.kind === "waiting" ? begin(state, event.nowMs) : same(state);
    case "picture":
      return picture(state, event.pause, { tells: goesOnAgain });
    case "tick":
      if (state.kind !== "waiting") return goOn(state, { tells: goesOnAgain });
      return event.nowMs >= (meterDueMs(state) ?? Infinity) ? begin(state, event.nowMs) : same(state);
    case "held":
      if (state.kind !== "paying" || state.hold === "held") return same(state);
      return goOn({ ...state, hold: "held", funds: event.funds }, { tells: true });
    case "refused":
      return state.kind === "paying" && state.hold !== "held" ? refused({ ...state, funds: event.funds }) : same(state);
    case "failing":
      return state.kind === "paying" && state.hold === "asked" ? failing(state) : same(state);
    case "looked":
      return same("lookedMs" in state ? { ...state, lookedMs: state.countedMs } : state);
    case "funds":
      if (!isRunning(state)) return same(state);
      return goOn({ ...state, funds: event.funds }, { tells: goesOnAgain || !isSame(state.funds, event.funds) });
    case "taken-over":
      return same({ kind: "over" });
    case "ended":
      return end(state, event.why);
  }
}

/** When the meter wants its next tick, of the monotonic clock; null while nothing can fall due. */
export function meterDueMs(state: MeterState): number | null {
  if (state.kind === "waiting") return state.seenAtMs === null ? null : state.seenAtMs + payerSilenceMs;
  if (!isRunning(state) || isFailing(state)) return null;
  if (!isPaused(state)) return state.atMs + boundaryMs(state) - state.countedMs;
  const standsMs = standsForMs(state);
  return standsMs === Infinity ? null : state.atMs + standsMs;
}

type Running = FreeMeter | PayingMeter;

function isRunning(state: MeterState): state is Running {
  return state.kind === "free" || state.kind === "paying";
}

function same(state: MeterState): MeterStep {
  return { state, effects: [] };
}

/** Counts up to now, and never past a boundary: a timer that comes late gives the difference away. */
function elapse(state: MeterState, nowMs: number): MeterState {
  if (state.kind === "waiting" || state.kind === "over") return state;
  const atMs = Math.max(nowMs, state.atMs);
  const passedMs = atMs - state.atMs;
  if (isFailing(state)) return { ...state, atMs, pausedMs: state.pausedMs + passedMs };
  const stoodMs = Math.min(passedMs, standsForMs(state));
  const countedMs = state.countedMs + passedMs - stoodMs;
  return {
    ...state,
    atMs,
    countedMs: state.kind === "opening" ? countedMs : Math.min(countedMs, boundaryMs(state)),
    pausedMs: state.pausedMs + stoodMs,
    pauseLeftMs: spent(state, stoodMs),
  };
}

function spent({ pause, pauseLeftMs }: Priced, stoodMs: number): Priced["pauseLeftMs"] {
  if (!pause?.budget) return pauseLeftMs;
  return { ...pauseLeftMs, [pause.budget]: pauseLeftMs[pause.budget] - stoodMs };
}

function begin({ price, pause, pauseLeftMs, isAdopted, opening }: WaitingMeter, nowMs: number): MeterStep {
  const counted = { price, pause, pauseLeftMs, isAdopted, countedMs: 0, pausedMs: 0, atMs: nowMs, lookedMs: 0 };
  const state: OpeningMeter = { kind: "opening", ...counted };
  return opening ? opened(state, opening) : same(state);
}

/** What had passed before the answer costs nothing either way. */
function opened(state: MeterState, { isFree, funds, earlier = noMinutes }: Opening): MeterStep {
  if (state.kind === "waiting") return same({ ...state, opening: { isFree, funds, earlier } });
  if (state.kind !== "opening") return same(state);
  const freeMs = Math.max(state.countedMs, isFree ? freeStartMs : 0);
  const earlierMs = earlier.paid * minuteMs;
  const [countedMs, lookedMs] = [state.countedMs + earlierMs, state.lookedMs + earlierMs];
  return goOn({ ...state, kind: "free", countedMs, lookedMs, freeMs, earlier, funds }, { tells: true });
}

function picture(state: MeterState, pause: Pause | null, { tells }: { tells: boolean }): MeterStep {
  if (state.kind === "over") return same(state);
  const changed = { ...state, pause };
  const isNew = state.pause?.why !== pause?.why || isPaused(state) !== isPaused(changed);
  return isRunning(changed) ? goOn(changed, { tells: tells || isNew }) : same(changed);
}

/** Where the stretch is used up and time goes on, the next minute begins. */
function goOn(state: MeterState, { tells }: { tells: boolean }): MeterStep {
  if (!isRunning(state)) return same(state);
  const isDue = isCounting(state) && state.countedMs >= boundaryMs(state);
  if (isDue && state.kind === "paying" && state.hold === "asked") return failing(state);
  if (!isDue) return { state, effects: tells ? [tell(state)] : [] };
  const settle = state.kind === "paying" ? { minute: numberOf(state), amount: state.price } : null;
  const next = nextMinute(state);
  const ask: MeterEffect = { type: "take-minute", settle, minute: numberOf(next) };
  return { state: next, effects: tells ? [ask, tell(next)] : [ask] };
}

/** Under which its minute is held: those that were given away have a number, too. */
function numberOf({ minute, earlier }: PayingMeter): number {
  return minute + earlier.given;
}

/** The funds are reckoned ahead, for readings that go out before the hold's answer. */
function nextMinute(state: Running): PayingMeter {
  const { price, funds } = state;
  const posted = state.kind === "paying" ? price : 0n;
  const have = funds.have > price ? funds.have - price : 0n;
  return {
    ...state,
    kind: "paying",
    funds: { ...funds, balance: funds.balance - posted, have },
    minute: (state.kind === "paying" ? state.minute : state.earlier.paid) + 1,
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
  return {
    state: { kind: "over" },
    effects: [{ type: "tell", pushType: 2, reading }, { type: "close-call" }, measured(state)],
  };
}

function end(state: MeterState, why: MeterEnd): MeterStep {
  if (state.kind === "over") return same(state);
  if (state.kind !== "paying") return { state: { kind: "over" }, effects: endUnpaid(state, why) };
  const { price, minute, hold, earlier } = state;
  const used = usedAtEnd(state, why);
  // The minute before was to be posted together with the hold that has not been confirmed.
  const isFirst = minute === earlier.paid + 1;
  const before = hold === "held" || isFirst ? [] : [{ minute: numberOf(state) - 1, amount: price }];
  const settlements = [...before, { minute: numberOf(state), amount: used }];
  const finish: MeterEffect = { type: "finish", settlements, credit: creditOf(state, why, used) };
  return { state: { kind: "over" }, effects: [finish, measured(state)] };
}

/** What the current minute costs. One whose hold is not confirmed is not charged where beans are given back and said to be. */
function usedAtEnd(state: PayingMeter, why: MeterEnd): bigint {
  if (why === "failure" || why === "moderated" || state.hold === "failing") return 0n;
  if ((why === "unchecked" || why === "unlooked") && state.hold === "asked") return 0n;
  return beansOf(state.price, usedMs(state));
}

/** No minute is open here; another process may have charged for some. */
function endUnpaid(state: WaitingMeter | OpeningMeter | FreeMeter, why: MeterEnd): MeterEffect[] {
  const finish: MeterEffect[] =
    state.isAdopted && isForNothing(why) ? [{ type: "finish", settlements: [], credit: callCredit(why) }] : [];
  return state.kind === "waiting" ? finish : [...finish, measured(state)];
}

function measured({ countedMs, pausedMs }: OpeningMeter | Running): MeterEffect {
  return { type: "measured", countedMs, pausedMs };
}

/** A stall is noticed `mediaStallMs` late: the picture of a minute that has only just begun stopped in the one before. */
function creditOf(state: PayingMeter, why: MeterEnd, used: bigint): FinishCredit {
  if (isForNothing(why)) return callCredit(why);
  if (why === "unlooked") return partCredit(unlookedBeans(state, used), "unchecked_call");
  if (why === "left" || state.hold === "failing") return { of: "none" };
  const wasBefore = state.minute > state.earlier.paid + 1 && usedMs(state) < mediaStallMs;
  return partCredit(used + (wasBefore ? state.price : 0n), "failed_call");
}

function partCredit(beans: bigint, reason: "failed_call" | "unchecked_call"): FinishCredit {
  return beans === 0n ? { of: "none" } : { of: "part", beans, reason };
}

/** What the time since the payer's last judged frame has cost, rounded up; never more than the whole call. */
function unlookedBeans(state: PayingMeter, used: bigint): bigint {
  const { price, lookedMs, freeMs, minute } = state;
  const cost = price * BigInt(minute - 1) + used;
  const paidMs = Math.max(0, lookedMs - freeMs);
  const before = (price * BigInt(Math.floor(paidMs / 1_000))) / 60n;
  return before < cost ? cost - before : 0n;
}

/** Beans that an end gives back, and says so to the payer; what was posted is read off the meter. */
export function returnedAtEnd(state: MeterState, why: "unchecked" | "unlooked"): bigint {
  switch (state.kind) {
    case "over":
      return 0n;
    case "paying": {
      const used = usedAtEnd(state, why);
      return why === "unlooked" ? unlookedBeans(state, used) : state.price * BigInt(state.minute - 1) + used;
    }
    case "free":
      return why === "unchecked" ? state.price * BigInt(state.earlier.paid) : 0n;
    case "waiting":
      return why === "unchecked" ? state.price * BigInt(state.opening?.earlier?.paid ?? 0) : 0n;
    case "opening":
      return 0n;
  }
}

type ForNothing = "failure" | "moderated" | "unchecked";

function callCredit(why: ForNothing): CallCredit {
  return { of: "call", reason: callCredits[why] };
}

const callCredits = { failure: "failed_call", moderated: "moderated_call", unchecked: "unchecked_call" } as const;

function isForNothing(why: MeterEnd): why is ForNothing {
  return why in callCredits;
}

function tell(state: Running): MeterEffect {
  return { type: "tell", pushType: 1, reading: readMeter(state) };
}

function isSame(one: Funds, other: Funds): boolean {
  return one.balance === other.balance && one.have === other.have && one.limit === other.limit;
}

function stopOf(state: Running): Meter["stopped"] {
  if (state.pause && isPaused(state)) return state.pause.why;
  return isCounting(state) ? null : "connecting";
}

/** What a push 100_006 says of the meter. */
interface MeterReading {
  /** 0: the next minute that begins is not covered. */
  readonly isEnough: 0 | 1;
  readonly meter: Meter;
}

/** The meter as the browser reads it, at the moment up to which it has counted. */
function readMeter(state: FreeMeter | PayingMeter): MeterReading {
  const { price, funds, countedMs } = state;
  const paying = state.kind === "paying" ? state : null;
  const used = paying ? beansOf(price, usedMs(paying)) : 0n;
  const posted = paying ? price * BigInt(paying.minute - 1) : 0n;
  const balance = funds.balance - used;
  const minutesAhead = wireInteger(funds.have / price);
  return {
    // Before the first minute begins, the one after it is the next that may not be covered.
    isEnough: minutesAhead >= (paying ? 1 : 2) ? 1 : 0,
    meter: {
      price: wireInteger(price),
      clock: !isCounting(state) ? "stopped" : paying ? "running" : "free",
      stopped: stopOf(state),
      counted_ms: Math.round(countedMs),
      free_ms: Math.round(state.freeMs),
      spent: wireInteger(posted + used),
      balance: balance > 0n ? wireInteger(balance) : 0,
      left_ms: Math.round(boundaryMs(state) - countedMs) + minutesAhead * minuteMs,
      limit: funds.limit,
    },
  };
}
