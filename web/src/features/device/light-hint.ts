/** What the user can do about the local picture; good: nothing. */
export type PictureHint = "good" | "dark" | "behind" | "closer";

/** A frame is reduced to this size, in which nobody can be recognized. */
export const sampleSize = { width: 32, height: 24 } as const;

/** Mean luma of a dark picture, 0 to 255. It counts the whole picture, not the skin of a face. */
const darkLuma = { enter: 50, leave: 62 } as const;
/** Light from behind: a share of the edges is overexposed while the middle stays dark. */
const overexposedLuma = 245;
const overexposedShare = { enter: 0.3, leave: 0.2 } as const;
const backlitLuma = { enter: 70, leave: 85 } as const;

/**
 * Judges the light of a frame of `sampleSize`.
 *
 * @param pixels RGBA, row by row
 * @param shown the present hint, which takes a clearer change to leave than to enter
 */
export function lightOf(pixels: Uint8ClampedArray, shown: PictureHint | null): Exclude<PictureHint, "closer"> {
  const { width, height } = sampleSize;
  const middle = { sum: 0, count: 0 };
  const edge = { sum: 0, count: 0, overexposed: 0 };
  for (let index = 0; index < width * height; index += 1) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(index * 4, index * 4 + 3);
    const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    const isEdge = Math.abs((index % width) + 0.5 - width / 2) > width / 4;
    const part = isEdge ? edge : middle;
    part.sum += luma;
    part.count += 1;
    if (isEdge && luma >= overexposedLuma) edge.overexposed += 1;
  }
  const limit = (hint: PictureHint) => (shown === hint ? "leave" : "enter");
  const mean = (middle.sum + edge.sum) / (middle.count + edge.count);
  if (mean < darkLuma[limit("dark")]) return "dark";
  const isBacklit =
    middle.sum / middle.count < backlitLuma[limit("behind")] &&
    edge.overexposed / edge.count > overexposedShare[limit("behind")];
  return isBacklit ? "behind" : "good";
}

/** The share of the picture's height that a face has at a good distance. */
const faceShare = { enter: 0.2, leave: 0.25 } as const;

/** Whether a face of this height, in px, is too far away. */
export function isFar(faceHeight: number, height: number, shown: PictureHint | null): boolean {
  return faceHeight / height < faceShare[shown === "closer" ? "leave" : "enter"];
}

export interface SteadyHint {
  readonly shown: PictureHint | null;
  /** Another hint that one frame has given. */
  readonly next: PictureHint | null;
}

/** The first hint is shown at once, another one when two frames in a row give it. */
export function steadyHint({ shown, next }: SteadyHint, read: PictureHint): SteadyHint {
  if (shown === null || read === shown) return { shown: shown ?? read, next: null };
  return read === next ? { shown: read, next: null } : { shown, next: read };
}
