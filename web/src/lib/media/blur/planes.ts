/** A plane of a video frame: one value for each pixel, or for each square of four. */
interface Plane {
  readonly offset: number;
  /** From one row to the next, in bytes. */
  readonly stride: number;
  /** From one value to the next, in bytes. */
  readonly step: number;
}

/** The bytes of a video frame with one plane of luma and two of colour, each of half the width and height. */
export interface Picture {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly luma: Plane;
  readonly blue: Plane;
  readonly red: Plane;
}

/** The same picture in a small size, with all three planes whole. */
export interface Small {
  readonly width: number;
  readonly height: number;
  readonly luma: Float64Array;
  readonly blue: Float64Array;
  readonly red: Float64Array;
}

/** The layout of a frame's bytes; null for formats that cameras do not have (source: WebCodecs, section 9.4). */
export function pictureOf(
  data: Uint8Array,
  layout: readonly PlaneLayout[],
  { format, width, height }: { format: string | null; width: number; height: number },
): Picture | null {
  const [luma, second, third] = layout.map(({ offset, stride }) => ({ offset, stride, step: 1 }));
  if (!luma || !second) return null;
  if (format === "I420" && third) return { data, width, height, luma, blue: second, red: third };
  if (format !== "NV12") return null;
  const blue = { ...second, step: 2 };
  return { data, width, height, luma, blue, red: { ...blue, offset: blue.offset + 1 } };
}

/** Scales the picture down, and writes it as red, green and blue from 0 to 1 (source: ITU-R BT.601, limited range). */
export function read({ data, width, height, ...planes }: Picture, small: Small, colours: Float64Array): void {
  const { luma, blue, red } = planes;
  for (let y = 0, pixel = 0; y < small.height; y += 1) {
    const row = Math.floor(((y + 0.5) * height) / small.height);
    for (let x = 0; x < small.width; x += 1, pixel += 1) {
      const column = Math.floor(((x + 0.5) * width) / small.width);
      const half = (row >> 1) * blue.stride + (column >> 1) * blue.step;
      const light = data[luma.offset + row * luma.stride + column]!;
      const towardsBlue = data[blue.offset + half]!;
      const towardsRed = data[red.offset + half]!;
      small.luma[pixel] = light;
      small.blue[pixel] = towardsBlue;
      small.red[pixel] = towardsRed;
      const grey = 1.164 * (light - 16);
      colours[3 * pixel] = inUnit(grey + 1.596 * (towardsRed - 128));
      colours[3 * pixel + 1] = inUnit(grey - 0.392 * (towardsBlue - 128) - 0.813 * (towardsRed - 128));
      colours[3 * pixel + 2] = inUnit(grey + 2.017 * (towardsBlue - 128));
    }
  }
}

function inUnit(value: number): number {
  return value <= 0 ? 0 : value >= 255 ? 1 : value / 255;
}

/** How far one pass of `soften` mixes values, and how many passes make the result smooth like a Gaussian blur. */
const reachPx = 4;
const passes = 3;

/** Blurs a plane. */
export function soften(plane: Float64Array, { width, height }: { width: number; height: number }): void {
  const sums = new Float64Array(Math.max(width, height) + 1);
  for (let pass = 0; pass < passes; pass += 1) {
    for (let y = 0; y < height; y += 1) softenLine(plane, sums, { first: y * width, step: 1, length: width });
    for (let x = 0; x < width; x += 1) softenLine(plane, sums, { first: x, step: width, length: height });
  }
}

/** Replaces each value of a line by the mean of those within reach. */
function softenLine(
  plane: Float64Array,
  sums: Float64Array,
  { first, step, length }: { first: number; step: number; length: number },
): void {
  for (let at = 0, place = first; at < length; at += 1, place += step) sums[at + 1] = sums[at]! + plane[place]!;
  for (let at = 0, place = first; at < length; at += 1, place += step) {
    const start = Math.max(at - reachPx, 0);
    const end = Math.min(at + reachPx + 1, length);
    plane[place] = (sums[end]! - sums[start]!) / (end - start);
  }
}

/** Replaces the picture by the background where the mask is 0, and mixes both where it is between 0 and 1. */
export function blend(picture: Picture, background: Small, mask: Float64Array): void {
  const whole = { width: picture.width, height: picture.height };
  const half = { width: (picture.width + 1) >> 1, height: (picture.height + 1) >> 1 };
  const { data, luma, blue, red } = picture;
  blendPlane({ data, ...luma, ...whole }, { ...background, values: background.luma, mask });
  blendPlane({ data, ...blue, ...half }, { ...background, values: background.blue, mask });
  blendPlane({ data, ...red, ...half }, { ...background, values: background.red, mask });
}

interface Target extends Plane {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

interface Source {
  readonly width: number;
  readonly height: number;
  readonly values: Float64Array;
  readonly mask: Float64Array;
}

function blendPlane(target: Target, source: Source): void {
  const { data, offset, stride, step, width, height } = target;
  const { values, mask } = source;
  const { firsts, shares } = placesOf(width, source.width);
  // One value more, for the neighbour of the last.
  const rowValues = new Float64Array(source.width + 1);
  const rowMask = new Float64Array(source.width + 1);
  const down = placesOf(height, source.height);
  for (let y = 0; y < height; y += 1) {
    const upper = down.firsts[y]! * source.width;
    const lower = Math.min(down.firsts[y]! + 1, source.height - 1) * source.width;
    const share = down.shares[y]!;
    for (let x = 0; x < source.width; x += 1) {
      rowValues[x] = values[upper + x]! + share * (values[lower + x]! - values[upper + x]!);
      rowMask[x] = mask[upper + x]! + share * (mask[lower + x]! - mask[upper + x]!);
    }
    rowValues[source.width] = rowValues[source.width - 1]!;
    rowMask[source.width] = rowMask[source.width - 1]!;
    for (let x = 0, at = offset + y * stride; x < width; x += 1, at += step) {
      const first = firsts[x]!;
      const across = shares[x]!;
      const behind = rowValues[first]! + across * (rowValues[first + 1]! - rowValues[first]!);
      const person = rowMask[first]! + across * (rowMask[first + 1]! - rowMask[first]!);
      data[at] = behind + person * (data[at]! - behind) + 0.5;
    }
  }
}

interface Places {
  readonly firsts: Int32Array;
  readonly shares: Float64Array;
}

const places = new Map<string, Places>();

/** For each place of a line, the place before it in a shorter line, and the share of the one after that. */
function placesOf(length: number, shorter: number): Places {
  const key = `${length}/${shorter}`;
  const known = places.get(key);
  if (known) return known;
  const made = { firsts: new Int32Array(length), shares: new Float64Array(length) };
  for (let at = 0; at < length; at += 1) {
    const exact = Math.min(Math.max(((at + 0.5) * shorter) / length - 0.5, 0), shorter - 1);
    made.firsts[at] = Math.floor(exact);
    made.shares[at] = exact - Math.floor(exact);
  }
  places.set(key, made);
  return made;
}
