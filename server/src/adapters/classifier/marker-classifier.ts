import type { Pixels } from "@fava/wire/picture-hash.ts";
import { measure, readPixels } from "#lib/picture-pixels.ts";
import {
  type FrameClassifier,
  type FrameQuestion,
  type FrameScores,
  type FrameVerdict,
} from "#ports/frame-classifier.ts";

interface Marker {
  readonly explicit: number;
  readonly code: string | null;
}

type Colour = readonly [red: number, green: number, blue: number];

const markers: readonly { readonly colour: Colour; readonly says: Marker }[] = [
  { colour: [255, 0, 255], says: { explicit: 0.95, code: null } },
  { colour: [255, 255, 0], says: { explicit: 0.7, code: null } },
  { colour: [0, 255, 255], says: { explicit: 0.02, code: "https://t.me/marker" } },
];
const clean: Marker = { explicit: 0.02, code: null };
/** The marker is a 64 px square in a picture of 640 x 480; its edges are ignored, because video blurs them. */
const from = { left: 16 / 640, top: 16 / 480, right: 48 / 640, bottom: 48 / 480 } as const;
const tolerance = 75;

/** For tests: judges a picture by the colour of its top left corner. Production rejects it (rule SAFE-111). */
export class MarkerClassifier implements FrameClassifier {
  readonly engine = "marker";
  readonly model = "marker";

  isReady(): boolean {
    return true;
  }

  backlog(): { waiting: number; oldestMs: number } {
    return { waiting: 0, oldestMs: 0 };
  }

  async classify(picture: Buffer, { depth, codes }: FrameQuestion): Promise<FrameVerdict> {
    const pixels = await readPixels(picture);
    const { explicit, code } = markerOf(pixels);
    const all = scoresOf(explicit);
    const scores =
      explicit === clean.explicit && depth === "cascade"
        ? { mobilenet: all }
        : { mobilenet: all, mid: all, inception: all };
    return { explicit, scores, ...measure(pixels), code: codes ? code : null };
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

function markerOf(pixels: Pixels): Marker {
  const seen = meanColour(pixels);
  const isNear = (colour: Colour) => colour.every((value, index) => Math.abs(value - (seen[index] ?? 0)) <= tolerance);
  return markers.find(({ colour }) => isNear(colour))?.says ?? clean;
}

function meanColour({ width, height, data }: Pixels): Colour {
  const [left, right] = [Math.floor(from.left * width), Math.ceil(from.right * width)];
  const [top, bottom] = [Math.floor(from.top * height), Math.ceil(from.bottom * height)];
  const sums: [number, number, number] = [0, 0, 0];
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const at = (y * width + x) * 3;
      sums[0] += data[at] ?? 0;
      sums[1] += data[at + 1] ?? 0;
      sums[2] += data[at + 2] ?? 0;
    }
  }
  const count = (right - left) * (bottom - top);
  return [sums[0] / count, sums[1] / count, sums[2] / count];
}

function scoresOf(explicit: number): FrameScores {
  return { drawing: 0, hentai: 0, neutral: 1 - explicit, porn: explicit, sexy: 0 };
}
