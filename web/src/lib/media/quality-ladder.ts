import type { QualityLevel } from "@fava/wire/socket.ts";

/** The amount of video that is sent: 4 is full quality, 0 is none. */
export type RungNumber = 0 | SentRung;
type SentRung = 1 | 2 | 3 | 4;

/** What is sent on a rung, and when to leave it. */
interface Rung {
  /** Divides width and height; the full frame has 640 x 480 pixels. */
  readonly scale: number;
  readonly framesPerSecondMax: number;
  readonly pictureKbpsMax: number;
  /**
   * Goes down when the network is full and carries less than this (kbit/s), loses a larger share of video or sound than
   * this (0 to 1), or has a longer round trip.
   */
  readonly down: {
    readonly belowKbps: number;
    readonly lossAbove: number;
    readonly soundLossAbove?: number;
    readonly roundTripAboveMs?: number;
  };
  /** Goes up to this rung when the network carries more than this, in kbit/s. */
  readonly upAboveKbps: number;
}

export const rungs: Readonly<Record<SentRung, Rung>> = {
  4: {
    scale: 1,
    framesPerSecondMax: 24,
    pictureKbpsMax: 1_200,
    down: { belowKbps: 500, lossAbove: 0.08 },
    upAboveKbps: 900,
  },
  3: {
    scale: 1.5,
    framesPerSecondMax: 20,
    pictureKbpsMax: 500,
    down: { belowKbps: 250, lossAbove: 0.1 },
    upAboveKbps: 450,
  },
  2: {
    scale: 2,
    framesPerSecondMax: 15,
    pictureKbpsMax: 250,
    down: { belowKbps: 120, lossAbove: 0.12 },
    upAboveKbps: 220,
  },
  1: {
    scale: 4,
    framesPerSecondMax: 8,
    pictureKbpsMax: 100,
    down: { belowKbps: 60, lossAbove: 0.2, soundLossAbove: 0.12, roundTripAboveMs: 1_500 },
    upAboveKbps: 150,
  },
};

/** The quality level of a sender on this rung. */
export function levelOf(rung: RungNumber): QualityLevel {
  return rung === 4 ? 3 : rung;
}

/** The sending statistics of the browser since the previous reading. */
export interface SendReading {
  /** Estimated capacity of the network, in kbit/s; null if the browser gives none. */
  readonly availableKbps: number | null;
  /** Sent rate of video and sound together, in kbit/s. */
  readonly sentKbps: number;
  /** Shares that were lost, 0 to 1: `loss` is the worse of video and sound. */
  readonly loss: number;
  readonly soundLoss: number;
  /** The share of the sent bytes that repeats lost packets, 0 to 1. */
  readonly resentShare: number;
  /** The longer round trip of video and sound, and the one of sound; null if unknown. */
  readonly roundTripMs: number | null;
  readonly soundRoundTripMs: number | null;
  /**
   * How much the video's round trip exceeds the shortest of the last minute, while packets wait in a buffer; null if
   * unknown, or if the browser estimates the capacity.
   */
  readonly delayGrowthMs: number | null;
  readonly limitedBy: "nothing" | "processor" | "way";
}

/** The current rung, and what counts for leaving it. */
export interface Ladder {
  readonly rung: RungNumber;
  /** Bad readings in a row for the current rung. */
  readonly bad: number;
  /** Readings in a row in which the processor was too slow. */
  readonly slow: number;
  /** Since when the readings suffice for the next rung, by the monotonic clock. */
  readonly goodSinceMs: number | null;
  /** When the ladder last went up; null once that rung has held for `heldMs`. */
  readonly raisedAtMs: number | null;
  /** For how long readings must be good before the ladder goes up. */
  readonly waitMs: number;
  /** Whether the user signs; their video is never paused. */
  readonly signs: boolean;
}

const badReadingsMax = 2;
/** Bad readings in a row on the lowest rung before the video is paused. */
const worstReadingsMax = 3;
const slowReadingsMax = 3;
const waitMsMin = 10_000;
const waitMsMax = 60_000;
/** A rung that holds this long after the ladder went up to it counts as right. */
const heldMs = 30_000;
const lossGoodMax = 0.02;
/** A network whose round trip grows by more carries less than is sent. */
const delayGrowthMsMax = 200;
const delayGrowthGoodMsMax = 100;
/** A buffer with so much in it drains only on the lowest rung. */
const farDelayGrowthMs = 1_000;
/**
 * Firefox repeats lost packets without any limit, also above the capacity, so that each repetition is lost as well. Only
 * a pause ends that.
 */
const resentShareMax = 0.4;
/**
 * Browsers estimate little more than they send. A network is full if its estimate is less than `fullFactor` times the
 * sent rate, and has room if it is more than `spareFactor` times as much, however low that is.
 */
const fullFactor = 1.2;
const spareFactor = 1.3;
/** A rung is skipped if the network carries less than this share of what it needs. */
const farFactor = 0.7;
/** A network that carries sound this well is tried with video: while no video is sent, its capacity is unknown. */
const pausedGood = { lossMax: 0.05, roundTripMsMax: 1_000 };

export function openLadder(rung: RungNumber, signs = false): Ladder {
  return { rung, bad: 0, slow: 0, goodSinceMs: null, raisedAtMs: null, waitMs: waitMsMin, signs };
}

/**
 * The ladder of the sent quality: down as far as needed after two bad readings, and up one rung after good readings for
 * `waitMs`. That time doubles whenever a rung did not hold, so that a network just below a rung is not tried all the
 * time. The video is paused when the lowest rung is too much, except for users who sign.
 */
export function stepLadder(before: Ladder, reading: SendReading, nowMs: number): Ladder {
  const hasHeld = before.raisedAtMs !== null && nowMs - before.raisedAtMs >= heldMs;
  const ladder = hasHeld ? { ...before, raisedAtMs: null, waitMs: waitMsMin } : before;
  const { rung } = ladder;
  const bad = rung !== 0 && isTooBad(rung, reading) ? ladder.bad + 1 : 0;
  const slow = rung === 4 && reading.limitedBy === "processor" ? ladder.slow + 1 : 0;
  const isFlooded = reading.resentShare > resentShareMax && bad >= badReadingsMax;
  if ((isFlooded || (rung === 1 && bad >= worstReadingsMax)) && !ladder.signs) return lowered(ladder, 0);
  if (rung > 1 && bad >= badReadingsMax) return lowered(ladder, carriedRung(rung, reading));
  if (slow >= slowReadingsMax) return lowered(ladder, 3);
  const goodSinceMs = isGood(rung, reading) ? (ladder.goodSinceMs ?? nowMs) : null;
  if (rung === 4 || goodSinceMs === null || nowMs - goodSinceMs < ladder.waitMs)
    return { ...ladder, bad, slow, goodSinceMs };
  return { ...openLadder((rung + 1) as RungNumber, ladder.signs), raisedAtMs: nowMs, waitMs: ladder.waitMs };
}

function isTooBad(rung: SentRung, reading: SendReading): boolean {
  const { availableKbps, sentKbps, loss, soundLoss, resentShare, roundTripMs, delayGrowthMs } = reading;
  const { belowKbps, lossAbove, soundLossAbove = lossAbove, roundTripAboveMs = Infinity } = rungs[rung].down;
  const carriedKbps = availableKbps ?? Infinity;
  const isFull = carriedKbps < sentKbps * fullFactor;
  const isLossy = loss > lossAbove || soundLoss > soundLossAbove || resentShare > resentShareMax;
  // Growth alone does not pause the video: others may fill the same buffer.
  const isQueued = rung > 1 && (delayGrowthMs ?? 0) > delayGrowthMsMax;
  return (isFull && carriedKbps < belowKbps) || isLossy || isQueued || (roundTripMs ?? 0) > roundTripAboveMs;
}

/** The next rung, or a lower one if the network is far too bad for it; the lowest one is always tried. */
function carriedRung(rung: RungNumber, { availableKbps, loss, delayGrowthMs }: SendReading): RungNumber {
  if ((delayGrowthMs ?? 0) > farDelayGrowthMs) return 1;
  const lower = ([3, 2] as const).find((each) => {
    const { belowKbps, lossAbove } = rungs[each].down;
    return each < rung && (availableKbps ?? Infinity) >= belowKbps * farFactor && loss <= lossAbove;
  });
  return lower ?? 1;
}

function isGood(rung: RungNumber, reading: SendReading): boolean {
  const { availableKbps, sentKbps, loss, delayGrowthMs, limitedBy } = reading;
  // Nobody reports on a paused video: the browser repeats its last report.
  if (rung === 0)
    return reading.soundLoss < pausedGood.lossMax && (reading.soundRoundTripMs ?? 0) < pausedGood.roundTripMsMax;
  if (rung === 4 || loss >= lossGoodMax || limitedBy === "way" || (delayGrowthMs ?? 0) > delayGrowthGoodMsMax)
    return false;
  if (availableKbps === null || availableKbps > rungs[(rung + 1) as SentRung].upAboveKbps) return true;
  return availableKbps >= sentKbps * spareFactor;
}

/** The ladder after the user changed whether they sign: their paused video returns on the lowest rung. */
export function withSignLanguage(ladder: Ladder, signs: boolean): Ladder {
  return signs && ladder.rung === 0 ? openLadder(1, signs) : { ...ladder, signs };
}

function lowered({ raisedAtMs, waitMs, signs }: Ladder, rung: RungNumber): Ladder {
  return { ...openLadder(rung, signs), waitMs: raisedAtMs === null ? waitMs : Math.min(waitMs * 2, waitMsMax) };
}
