import type { QualityLevel } from "@fava/wire/socket.ts";

/** How much of the picture is sent: 4 is all of it, 0 nothing. */
export type RungNumber = 0 | SentRung;
type SentRung = 1 | 2 | 3 | 4;

/** What is sent on a rung, and what has to be wrong with the way, or right, for another one. */
interface Rung {
  /** The picture is made smaller by this, in both directions; the whole one has 640 x 480 pixels. */
  readonly scale: number;
  readonly framesPerSecondMax: number;
  readonly pictureKbpsMax: number;
  /**
   * It goes down where the way is full and carries less than this, in kbit/s, loses more than this, of 1, of picture or sound,
   * or takes longer there and back.
   */
  readonly down: {
    readonly belowKbps: number;
    readonly lossAbove: number;
    readonly soundLossAbove?: number;
    readonly roundTripAboveMs?: number;
  };
  /** It comes up to this rung where the way carries more, in kbit/s. */
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

/** How well somebody gets through who sends so much. */
export function levelOf(rung: RungNumber): QualityLevel {
  return rung === 4 ? 3 : rung;
}

/** What the browser says of sending since the reading before. */
export interface SendReading {
  /** What it takes the way to carry, in kbit/s; null where it does not say. */
  readonly availableKbps: number | null;
  /** Picture and sound. */
  readonly sentKbps: number;
  /** What the other did not get, of 1: the worse of picture and sound, and of the sound alone. */
  readonly loss: number;
  readonly soundLoss: number;
  /** There and back; null where nobody knows. */
  readonly roundTripMs: number | null;
  readonly limitedBy: "nothing" | "processor" | "way";
}

/** Where the ladder stands, and what speaks for leaving it. */
export interface Ladder {
  readonly rung: RungNumber;
  /** Readings in a row that were too bad for the rung. */
  readonly bad: number;
  /** Readings in a row in which the processor was too slow for it. */
  readonly slow: number;
  /** Since when readings are good enough for the next rung, of the monotonic clock. */
  readonly goodSinceMs: number | null;
  /** When it came up last, until it has held. */
  readonly raisedAtMs: number | null;
  /** How long it has to be good to come up. */
  readonly waitMs: number;
  /** Whether it is of somebody who signs, whose picture is never paused. */
  readonly signs: boolean;
}

const badReadingsMax = 2;
/** Before the picture is paused. */
const worstReadingsMax = 3;
const slowReadingsMax = 3;
const waitMsMin = 10_000;
const waitMsMax = 60_000;
/** A rung that holds for so long after coming up was right. */
const heldMs = 30_000;
const lossGoodMax = 0.02;
/**
 * A browser believes in little more than it sends: a way that is thought to carry less than so many times as much is full,
 * and one that is thought to carry so many times as much is not, however little that is.
 */
const fullFactor = 1.2;
const spareFactor = 1.3;
/** A rung is passed over where the way carries less than so much of what it needs. */
const farFactor = 0.7;
/** A way over which sound comes so well is tried with a picture: where none is sent, nobody knows what else it carries. */
const pausedGood = { lossMax: 0.05, roundTripMsMax: 1_000 };

export function openLadder(rung: RungNumber, signs = false): Ladder {
  return { rung, bad: 0, slow: 0, goodSinceMs: null, raisedAtMs: null, waitMs: waitMsMin, signs };
}

/**
 * The ladder of what is sent: down as far as the way wants after two bad readings,
 * and up by one rung when it has been good for `waitMs`. That doubles whenever a rung did not hold, so that a way which
 * carries just too little for it is not tried all the time. The picture is paused where the lowest rung is too much, but for
 * somebody who signs: it stands on that rung.
 */
export function stepLadder(before: Ladder, reading: SendReading, nowMs: number): Ladder {
  const hasHeld = before.raisedAtMs !== null && nowMs - before.raisedAtMs >= heldMs;
  const ladder = hasHeld ? { ...before, raisedAtMs: null, waitMs: waitMsMin } : before;
  const { rung } = ladder;
  const bad = rung !== 0 && isTooBad(rung, reading) ? ladder.bad + 1 : 0;
  const slow = rung === 4 && reading.limitedBy === "processor" ? ladder.slow + 1 : 0;
  if (rung === 1 && bad >= worstReadingsMax && !ladder.signs) return lowered(ladder, 0);
  if (rung > 1 && bad >= badReadingsMax) return lowered(ladder, carriedRung(rung, reading));
  if (slow >= slowReadingsMax) return lowered(ladder, 3);
  const goodSinceMs = isGood(rung, reading) ? (ladder.goodSinceMs ?? nowMs) : null;
  if (rung === 4 || goodSinceMs === null || nowMs - goodSinceMs < ladder.waitMs)
    return { ...ladder, bad, slow, goodSinceMs };
  return { ...openLadder((rung + 1) as RungNumber, ladder.signs), raisedAtMs: nowMs, waitMs: ladder.waitMs };
}

function isTooBad(rung: SentRung, { availableKbps, sentKbps, loss, soundLoss, roundTripMs }: SendReading): boolean {
  const { belowKbps, lossAbove, soundLossAbove = lossAbove, roundTripAboveMs = Infinity } = rungs[rung].down;
  const carriedKbps = availableKbps ?? Infinity;
  const isFull = carriedKbps < sentKbps * fullFactor;
  const isLossy = loss > lossAbove || soundLoss > soundLossAbove;
  return (isFull && carriedKbps < belowKbps) || isLossy || (roundTripMs ?? 0) > roundTripAboveMs;
}

/** The next rung, or a lower one where the way is far too bad for it; with the lowest one it is seen what becomes of it. */
function carriedRung(rung: RungNumber, { availableKbps, loss }: SendReading): RungNumber {
  const lower = ([3, 2] as const).find((each) => {
    const { belowKbps, lossAbove } = rungs[each].down;
    return each < rung && (availableKbps ?? Infinity) >= belowKbps * farFactor && loss <= lossAbove;
  });
  return lower ?? 1;
}

function isGood(rung: RungNumber, { availableKbps, sentKbps, loss, roundTripMs, limitedBy }: SendReading): boolean {
  if (rung === 0) return loss < pausedGood.lossMax && (roundTripMs ?? 0) < pausedGood.roundTripMsMax;
  if (rung === 4 || loss >= lossGoodMax || limitedBy === "way") return false;
  if (availableKbps === null || availableKbps > rungs[(rung + 1) as SentRung].upAboveKbps) return true;
  return availableKbps >= sentKbps * spareFactor;
}

/** The same for somebody who says now that they sign, or do not: a paused picture of theirs comes back on the lowest rung. */
export function withSigns(ladder: Ladder, signs: boolean): Ladder {
  return signs && ladder.rung === 0 ? openLadder(1, signs) : { ...ladder, signs };
}

function lowered({ raisedAtMs, waitMs, signs }: Ladder, rung: RungNumber): Ladder {
  return { ...openLadder(rung, signs), waitMs: raisedAtMs === null ? waitMs : Math.min(waitMs * 2, waitMsMax) };
}
