import type { Pixels } from "@fava/wire/picture-hash.ts";
import type { FaceEstimate, FaceHint } from "#ports/frame-classifier.ts";
import type { Network } from "./engine.ts";
import {
  bestScore,
  chipOf,
  decodeFaces,
  type FaceInput,
  faceInput,
  type FoundFace,
  largestFace,
  mirrored,
  smallerInput,
} from "./faces.ts";

/** From this score on a face is surely there. */
const sureScore = 0.75;
/** A smaller face, by its share of the frame's height, says too little about an age. */
const heightMin = 0.25;
const adultAge = 18;

interface Found {
  /** The best score of the whole input. */
  readonly best: number;
  readonly sure: readonly FoundFace[];
}

/** Looks for the largest face of a frame and estimates its age. Keeps nothing: neither the face nor a number. */
export class FaceReader {
  readonly #detector: Network;
  readonly #age: Network;

  constructor(detector: Network, age: Network) {
    this.#detector = detector;
    this.#age = age;
  }

  async read(pixels: Pixels): Promise<FaceHint> {
    const whole = faceInput(pixels);
    const found = await this.#find(whole);
    const best = found.best >= sureScore ? found : await this.#findAgain(found, smallerInput(whole, pixels));
    const face = largestFace(best.sure);
    const isLarge = face !== null && face.height >= heightMin * pixels.height;
    return { presence: best.best, face: isLarge ? await this.#estimate(pixels, face) : null };
  }

  async #find(input: FaceInput): Promise<Found> {
    const rows = await this.#detector.judge(input.planes);
    return { best: bestScore(rows), sure: decodeFaces(rows, input, sureScore) };
  }

  async #findAgain(first: Found, input: FaceInput): Promise<Found> {
    const second = await this.#find(input);
    return { ...second, best: Math.max(first.best, second.best) };
  }

  async #estimate(pixels: Pixels, face: FoundFace): Promise<FaceEstimate> {
    const chip = chipOf(pixels, face);
    const shares = [await this.#age.judge(chip), await this.#age.judge(mirrored(chip))];
    const shareOf = (age: number) => shares.reduce((sum, each) => sum + (each[age] ?? 0), 0) / shares.length;
    const ages = Array.from(shares[0] ?? [], (_, age) => age);
    return {
      years: ages.reduce((sum, age) => sum + age * shareOf(age), 0),
      under18: ages.slice(0, adultAge).reduce((sum, age) => sum + shareOf(age), 0),
      luma: lumaOf(chip),
    };
  }
}

/** The mean of three planes, weighed as `measure` weighs them. */
function lumaOf(chip: Float32Array): number {
  const area = chip.length / 3;
  const weights = [0.299, 0.587, 0.114];
  return weights.reduce((luma, weight, plane) => {
    const sum = chip.subarray(plane * area, (plane + 1) * area).reduce((all, one) => all + one, 0);
    return luma + (weight * 255 * sum) / area;
  }, 0);
}
