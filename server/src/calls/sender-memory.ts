import { hashDistance } from "@fava/wire/picture-hash.ts";
import { boundedCache } from "#lib/cache.ts";
import type { Clock } from "#ports/clock.ts";
import type { FaceEstimate, FrameVerdict } from "#ports/frame-classifier.ts";
import { factsOf } from "./frame-facts.ts";
import type { InspectionSettings } from "./inspection-settings.ts";

/** What hashes of a user's frames say together: a recording that repeats. */
interface Sender {
  /** The last hashes, oldest first, and when their frames came, on the monotonic clock. */
  readonly hashes: readonly SeenHash[];
  readonly hasLooped: boolean;
}

interface SeenHash {
  readonly phash: string;
  readonly atMs: number;
}

/** The estimate from several frames. `young`: it counts only together with a report. */
export interface AgeFinding {
  readonly found: "minor" | "young" | "adult";
  readonly years: number;
}

interface Findings {
  readonly age: AgeFinding | null;
  readonly isLoop: boolean;
}

const facesTogether = 3;
const minorBelow = 18;
/** The probability of an age below 18 that counts as much as such an estimate. */
const minorShare = 0.5;
const youngBelow = 25;

/** Estimates an age from three good faces, and then waits for the next three. A single face may be wrong. */
export function stepFaces(
  before: readonly FaceEstimate[],
  verdict: FrameVerdict,
  settings: InspectionSettings,
): { faces: readonly FaceEstimate[]; age: AgeFinding | null } {
  const face = verdict.faces?.face;
  const isGood = face && face.luma >= settings.darkLuma && factsOf(verdict, settings).isUsable;
  const faces = isGood ? [...before, face] : before;
  if (faces.length < facesTogether) return { faces, age: null };
  const years = median(faces.map((one) => one.years));
  const isMinor = years < minorBelow || median(faces.map((one) => one.under18)) > minorShare;
  return { faces: [], age: { found: isMinor ? "minor" : years < youngBelow ? "young" : "adult", years } };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

const hashesKept = 24;
const loopBits = 2;
/** A hash of another scene differs by more than this. */
const otherBits = 8;
const loopMsMin = 30_000;

/**
 * Whether the last two frames repeat two frames in a row from before, with another scene between. People who sit still
 * in front of a wall show no other scene.
 */
export function isLoop(hashes: readonly SeenHash[]): boolean {
  const [former, last] = hashes.slice(-2);
  if (!former || !last) return false;
  return hashes.some((earlier, index) => {
    const next = hashes[index + 1];
    if (!next || last.atMs - next.atMs < loopMsMin || isFar(earlier, former, loopBits)) return false;
    const between = hashes.slice(index + 2, -2);
    return !isFar(next, last, loopBits) && between.some((one) => isFar(one, last, otherBits));
  });
}

function isFar(one: SeenHash, other: SeenHash, bits: number): boolean {
  return hashDistance(one.phash, other.phash) > bits;
}

const peopleMax = 50_000;
const keptMs = 3_600_000;
const unknown: Sender = { hashes: [], hasLooped: false };

/** Keeps faces and hashes of users across searches and calls, in the memory of one server. */
export class SenderMemory {
  /** Estimates from several frames since the server started, by what they found. */
  readonly ages = { minor: 0, young: 0, adult: 0 };
  readonly #clock: Clock;
  readonly #settings: InspectionSettings;
  /** Good faces since the last estimate, fewer than `facesTogether`. Kept for an hour from the first one. */
  readonly #faces: ReturnType<typeof boundedCache<bigint, readonly FaceEstimate[]>>;
  /** Kept for an hour from the last frame. */
  readonly #senders: ReturnType<typeof boundedCache<bigint, Sender>>;

  constructor({ clock, settings }: { clock: Clock; settings: InspectionSettings }) {
    this.#clock = clock;
    this.#settings = settings;
    const bounds = { entriesMax: peopleMax, expiry: { clock, ttlMs: keptMs } };
    this.#faces = boundedCache(bounds);
    this.#senders = boundedCache(bounds);
  }

  /** Remembers a frame from the user's own camera. A loop is found once. */
  add(userId: bigint, verdict: FrameVerdict): Findings {
    const { faces, age } = stepFaces(this.#faces.get(userId) ?? [], verdict, this.#settings);
    if (faces.length === 0) this.#faces.delete(userId);
    else this.#faces.set(userId, faces, { noUpdateTTL: true });
    const before = this.#senders.get(userId) ?? unknown;
    const seen = { phash: verdict.phash, atMs: this.#clock.monotonicMs() };
    const isKept = factsOf(verdict, this.#settings).isUsable;
    const hashes = isKept ? [...before.hashes, seen].slice(-hashesKept) : before.hashes;
    const found = !before.hasLooped && isKept && isLoop(hashes);
    this.#senders.set(userId, { hashes, hasLooped: before.hasLooped || found });
    if (age) this.ages[age.found] += 1;
    return { age, isLoop: found };
  }
}
