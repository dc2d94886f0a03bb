import { freeMs as freeStartMs, mediaStallMs, payerSilenceMs, unseenPauseMs } from "@fava/wire/limits.ts";
import type { Meter } from "@fava/wire/meter.ts";
import { wireInteger } from "#lib/wire-integer.ts";

export interface Funds {
  /** Held beans included. Negative for a debt. */
  readonly balance: bigint;
  /** How many beans the next hold could take. `limit`: whether the balance or the spending cap is lower. */
  readonly have: bigint;
  readonly limit: "balance" | "cap";
}

/** Why the meter does not count. */
export interface MeterPause {
  /** `network`: the partner's page paused the video because the partner's network is too weak. */
  readonly why: "reconnecting" | "network" | "camera_off" | "blurred" | "still";
  /** The reason's limit per call; null: no limit. */
  readonly budget: PauseBudget | null;
}

/**
 * Pauses that a payer could cause, so each is limited. `own-word`: only the payer reports the reason. `own-picture`:
 * the partner gets no video from the payer, who may still see the partner.
 */
type PauseBudget = "own-word" | "own-picture";

interface Priced {
  readonly price: bigint;
  readonly pause: MeterPause | null;
  /** For how long each kind of pause may still stop this meter. */
  readonly pauseLeftMs: { readonly [Which in PauseBudget]: number };
  /** Another server had the call before and may have charged for it. */
  readonly isAdopted: boolean;
}

export interface EarlierMinutes {
  readonly paid: number;
  /** Minutes that were held and then not charged. Their numbers are used. */
  readonly given: number;
}

const noMinutes: EarlierMinutes = { paid: 0, given: 0 };

interface Opening {
  /** The first seconds of this call are free. */
  readonly isFree: boolean;
  readonly funds: Funds;
  readonly earlier?: EarlierMinutes;
}

type WaitingMeter = Priced & {
  readonly kind: "waiting";
  readonly opening: Opening | null;
  /** Since when the partner plays the payer's video, on the monotonic clock; null if not yet. */
  readonly seenAtMs: number | null;
};

interface Counted extends Priced {
  readonly countedMs: number;
  readonly pausedMs: number;
  readonly atMs: number;
  /** Counted time at the last judged frame of the payer; until there is one, at the start of counting. */
  readonly lookedMs: number;
}

type OpeningMeter = Counted & { readonly kind: "opening" };
type FreeMeter = Counted & {
  readonly kind: "free";
  readonly earlier: EarlierMinutes;
  readonly freeMs: number;
  readonly funds: Funds;
};
type PayingMeter = Counted & {
  readonly kind: "paying";
  readonly earlier: EarlierMinutes;
  readonly freeMs: number;
  readonly funds: Funds;
  /** Number of the current paid minute, from 1. */
  readonly minute: number;
  readonly hold: "asked" | "held" | "failing";
};

const minuteMs = 60_000;

function isCounting(state: OpeningMeter | FreeMeter | PayingMeter): boolean {
  return !isFailing(state) && !isPaused(state);
}

/** Nothing counts while the database fails. */
function isFailing(state: OpeningMeter | FreeMeter | PayingMeter): boolean {
  return state.kind === "paying" && state.hold === "failing";
}

function isPaused(state: Priced): boolean {
  return standsForMs(state) > 0;
}

/** For how long the meter will not count if nothing changes, in milliseconds; 0 while it counts. */
function standsForMs({ pause, pauseLeftMs }: Priced): number {
  if (pause === null) return 0;
  return pause.budget === null ? Infinity : pauseLeftMs[pause.budget];
}

/** Counted time at the end of the free seconds or of the current minute. */
function boundaryMs(state: FreeMeter | PayingMeter): number {
  return state.freeMs + (state.kind === "free" ? state.earlier.paid : state.minute) * minuteMs;
}

export function usedMs(state: PayingMeter): number {
  return minuteMs - (boundaryMs(state) - state.countedMs);
}

/** Price of `countedMs` of one minute, by full seconds, rounded up once. */
export function beansOf(price: bigint, countedMs: number): bigint {
  return (price * BigInt(Math.floor(countedMs / 1_000)) + 59n) / 60n;
}

/**
 * The meter of one paying side of one call, in counted time: the time in which both sides have video. Pauses that the
 * payer could cause stop it for at most `pauseLeftMs` per call; otherwise a cheating payer would use filters for free.
 *
 * - `waiting`: the match is made, and the service reads the funds and whether the first seconds are free. Nothing
 *   counts until both sides report that they play the video, or the partner does and the payer is silent for
 *   `payerSilenceMs`.
 * - `opening`: the funds have not been read yet. Time counts and is free until they are.
 * - `free`: the free seconds pass.
 * - `paying`: each minute is held when it begins, and the previous one posted in full. Its hold is `asked`, then
 *   `held`. It is `failing` while the database fails: the part of the minute that passed is given away, and nothing
 *   counts until the hold succeeds.
 * - `over`: the call ended or was taken over, or a hold was refused and the call is being closed.
 *
 * A call from another server continues after the last minute charged in full: the minute in progress is given away, and
 * the free seconds are not repeated.
 */
export type MeterState = WaitingMeter | OpeningMeter | FreeMeter | PayingMeter | { readonly kind: "over" };

/**
 * Why the call ended. `failure`: we ended it. `moderated`: we ended it because of what the partner showed.
 * `other_lost`: the partner's connection was lost. `unchecked`: no frame of the partner could be judged, or our checks
 * failed. `unjudged`: no frame of the payer could be judged. `left`: any other reason.
 */
export type MeterEnd = "left" | "other_lost" | "failure" | "moderated" | "unchecked" | "unjudged";

export type MeterEvent = { readonly nowMs: number } & (
  | { readonly type: "matched" }
  | ({ readonly type: "opened" } & Opening)
  /** The partner plays the payer's video, and the pages have exchanged offer and answer. */
  | { readonly type: "seen" }
  | { readonly type: "live" }
  | { readonly type: "picture"; readonly pause: MeterPause | null }
  | { readonly type: "tick" }
  | { readonly type: "held"; readonly funds: Funds }
  | { readonly type: "refused"; readonly funds: Funds }
  | { readonly type: "failing" }
  | { readonly type: "looked" }
  /** Something other than this meter changed the balance or the spending cap. */
  | { readonly type: "funds"; readonly funds: Funds }
  /** Another server owns the call now and settles its open holds. */
  | { readonly type: "taken-over" }
  | { readonly type: "ended"; readonly why: MeterEnd }
);

interface Settlement {
  readonly minute: number;
  readonly amount: bigint;
}

export type MeterEffect =
  /** Claim the free seconds and read the funds; then dispatch `opened`. */
  | { readonly type: "open" }
  /** Settle and hold in one transaction; then dispatch `held` or `refused`, with `failing` before it if a try fails. */
  | { readonly type: "take-minute"; readonly settle: Settlement | null; readonly minute: number }
  /** Settle for good and credit beans. Skips a minute that was never held. */
  | { readonly type: "finish"; readonly settlements: readonly Settlement[]; readonly credit: FinishCredit }
  | { readonly type: "tell"; readonly pushType: 1 | 2; readonly reading: MeterReading }
  | { readonly type: "close-call" }
  | { readonly type: "measured"; readonly countedMs: number; readonly pausedMs: number };

interface CallCredit {
  readonly of: "call";
  readonly reason: "failed_call" | "moderated_call" | "unchecked_call";
}

/** What the end credits: all that the call has cost, a part of it, or nothing. */
type FinishCredit =
  | { readonly of: "none" }
  | CallCredit
  | { readonly of: "part"; readonly beans: bigint; readonly reason: "failed_call" | "unchecked_call" };

interface MeterStep {
  readonly state: MeterState;
  readonly effects: readonly MeterEffect[];
}

/** Opens a meter. `ownPauseMs`: the limit of each kind of pause that the payer could cause. */
export function openMeter(price: bigint, ownPauseMs: number, isAdopted = false): WaitingMeter {
  const pauseLeftMs = { "own-word": ownPauseMs, "own-picture": unseenPauseMs };
  const priced = { price, pause: null, pauseLeftMs, isAdopted };
  return { kind: "waiting", ...priced, opening: null, seenAtMs: null };
}

/** Returns the next state, and the effects for the service to run (rules BEANS-260 to BEANS-273). */
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

/** When the meter needs its next tick, on the monotonic clock; null if no time is pending. */
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

/** Counts until now, but not past the end of the minute, so that the delay of a late timer is free. */
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

/** The time until the database responds is free, whether or not the call has free seconds. */
function opened(state: MeterState, { isFree, funds, earlier = noMinutes }: Opening): MeterStep {
  if (state.kind === "waiting") return same({ ...state, opening: { isFree, funds, earlier } });
  if (state.kind !== "opening") return same(state);
  const freeMs = Math.max(state.countedMs, isFree ? freeStartMs : 0);
  const earlierMs = earlier.paid * minuteMs;
  const [countedMs, lookedMs] = [state.countedMs + earlierMs, state.lookedMs + earlierMs];
  return goOn({ ...state, kind: "free", countedMs, lookedMs, freeMs, earlier, funds }, { tells: true });
}

function picture(state: MeterState, pause: MeterPause | null, { tells }: { tells: boolean }): MeterStep {
  if (state.kind === "over") return same(state);
  const changed = { ...state, pause };
  const isNew = state.pause?.why !== pause?.why || isPaused(state) !== isPaused(changed);
  return isRunning(changed) ? goOn(changed, { tells: tells || isNew }) : same(changed);
}

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

/** Number under which the minute is held. Uncharged minutes use up numbers too. */
function numberOf({ minute, earlier }: PayingMeter): number {
  return minute + earlier.given;
}

/** Computes the funds as after the hold, for pushes that do not wait for its response. */
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

/** Gives away the part of the minute that passed without a hold. */
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
  // The hold was not confirmed, and the previous minute was to be posted together with it.
  const isFirst = minute === earlier.paid + 1;
  const before = hold === "held" || isFirst ? [] : [{ minute: numberOf(state) - 1, amount: price }];
  const settlements = [...before, { minute: numberOf(state), amount: used }];
  const finish: MeterEffect = { type: "finish", settlements, credit: creditOf(state, why, used) };
  return { state: { kind: "over" }, effects: [finish, measured(state)] };
}

/**
 * Beans to charge for the current minute. 0 after a failure or an end by moderation, and for an unconfirmed minute of a
 * call that ended because frames were not checked.
 */
function usedAtEnd(state: PayingMeter, why: MeterEnd): bigint {
  if (why === "failure" || why === "moderated" || state.hold === "failing") return 0n;
  if ((why === "unchecked" || why === "unjudged") && state.hold === "asked") return 0n;
  return beansOf(state.price, usedMs(state));
}

/** Ends a meter that has no open minute at this server. Another server may have charged for some. */
function endUnpaid(state: WaitingMeter | OpeningMeter | FreeMeter, why: MeterEnd): MeterEffect[] {
  const finish: MeterEffect[] =
    state.isAdopted && isForNothing(why) ? [{ type: "finish", settlements: [], credit: callCredit(why) }] : [];
  return state.kind === "waiting" ? finish : [...finish, measured(state)];
}

function measured({ countedMs, pausedMs }: OpeningMeter | Running): MeterEffect {
  return { type: "measured", countedMs, pausedMs };
}

/** A stall is reported `mediaStallMs` late. If the minute has just begun, the video stopped in the previous one. */
function creditOf(state: PayingMeter, why: MeterEnd, used: bigint): FinishCredit {
  if (isForNothing(why)) return callCredit(why);
  if (why === "unjudged") return partCredit(unjudgedBeans(state, used), "unchecked_call");
  if (why === "left" || state.hold === "failing") return { of: "none" };
  const wasBefore = state.minute > state.earlier.paid + 1 && usedMs(state) < mediaStallMs;
  return partCredit(used + (wasBefore ? state.price : 0n), "failed_call");
}

function partCredit(beans: bigint, reason: "failed_call" | "unchecked_call"): FinishCredit {
  return beans === 0n ? { of: "none" } : { of: "part", beans, reason };
}

/** Price of the time since the payer's last judged frame, rounded up, but not more than the whole call cost. */
function unjudgedBeans(state: PayingMeter, used: bigint): bigint {
  const { price, lookedMs, freeMs, minute } = state;
  const cost = price * BigInt(minute - 1) + used;
  const paidMs = Math.max(0, lookedMs - freeMs);
  const before = (price * BigInt(Math.floor(paidMs / 1_000))) / 60n;
  return before < cost ? cost - before : 0n;
}

/** Beans that the end of the call returns, as the payer is told. Computed from the meter, without the ledger. */
export function returnedAtEnd(state: MeterState, why: "unchecked" | "unjudged"): bigint {
  switch (state.kind) {
    case "over":
      return 0n;
    case "paying": {
      const used = usedAtEnd(state, why);
      return why === "unjudged" ? unjudgedBeans(state, used) : state.price * BigInt(state.minute - 1) + used;
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

interface MeterReading {
  /** 0 if the user cannot pay for the next minute. */
  readonly isEnough: 0 | 1;
  readonly meter: Meter;
}

function readMeter(state: FreeMeter | PayingMeter): MeterReading {
  const { price, funds, countedMs } = state;
  const paying = state.kind === "paying" ? state : null;
  const used = paying ? beansOf(price, usedMs(paying)) : 0n;
  const posted = paying ? price * BigInt(paying.minute - 1) : 0n;
  const balance = funds.balance - used;
  const minutesAhead = wireInteger(funds.have / price);
  return {
    // Before the first minute, the user is warned if the second one is not covered.
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
