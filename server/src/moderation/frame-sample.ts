import type { FrameSampler, UnflaggedFrame } from "#ports/moderation.ts";
import type { Random } from "#ports/random.ts";
import { dayMs, type DrawnFrame, type SampledFrames } from "./sampled-frames.ts";

interface FrameSampleOptions {
  store: Pick<SampledFrames, "keep">;
  random: Random;
  /** How many frames a week are kept; 0: none. */
  weekly: number;
}

/** Frames of one day that this server has drawn and not stored. */
interface DrawnDay {
  /** A further frame must have a lower number: the highest of the site's sample, once that is full. */
  below: number;
  frames: readonly DrawnFrame[];
}

const drawMax = 2_147_483_647;
const weekDays = 7;

/**
 * Draws the frames of the audit (rule SAFE-600). Each frame gets a random number, and the site keeps the frames of each
 * day with the lowest ones: a reservoir, in which all frames of the day have the same chance.
 */
export class FrameSample implements FrameSampler {
  readonly #options: FrameSampleOptions;
  readonly #days = new Map<number, DrawnDay>();

  constructor(options: FrameSampleOptions) {
    this.#options = options;
  }

  offer(frame: UnflaggedFrame): void {
    const { random, weekly } = this.#options;
    const day = Math.floor(frame.frame.at.getTime() / dayMs);
    const size = framesOfDay(weekly, day);
    if (size === 0) return;
    const drawn = this.#days.get(day) ?? { below: Infinity, frames: [] };
    this.#days.set(day, drawn);
    const draw = random.integer(0, drawMax);
    const highest = drawn.frames.length < size ? Infinity : (drawn.frames.at(-1)?.draw ?? 0);
    if (draw >= Math.min(drawn.below, highest)) return;
    drawn.frames = lowest([...drawn.frames, { ...frame, draw }], size);
  }

  /** Stores the drawn frames. What fails is stored by the next call. */
  async flush(): Promise<void> {
    const newest = Math.max(...this.#days.keys());
    for (const [day, drawn] of this.#days) {
      const { frames } = drawn;
      if (frames.length === 0) {
        if (day < newest) this.#days.delete(day);
        continue;
      }
      const size = framesOfDay(this.#options.weekly, day);
      drawn.frames = [];
      try {
        drawn.below = await this.#options.store.keep(day, size, frames);
      } catch (error) {
        drawn.frames = lowest([...frames, ...drawn.frames], size);
        throw error;
      }
    }
  }
}

/** The share of a week's frames for one day: whole numbers that add up to `weekly` over any seven days. */
export function framesOfDay(weekly: number, day: number): number {
  const place = day % weekDays;
  return Math.floor(((place + 1) * weekly) / weekDays) - Math.floor((place * weekly) / weekDays);
}

function lowest(frames: readonly DrawnFrame[], size: number): DrawnFrame[] {
  return frames.toSorted((one, other) => one.draw - other.draw).slice(0, size);
}
