/** A plane of a video frame: one value for each pixel, or for each square of four. */
interface Plane {
  readonly offset: number;
  /** From one row to the next, in bytes. */
  readonly stride: number;
  /** From one value to the next, in bytes. */
  readonly step: number;
}

type Three<Item> = readonly [Item, Item, Item];

/**
 * The bytes of a video frame. yuv: a plane of luma, and two of colour with half the width and height (blue and red).
 * rgb: red, green and blue, each whole.
 */
export interface Picture {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly colours: "yuv" | "rgb";
  readonly planes: Three<Plane>;
}

/** The planes of a picture in a small size, all three whole. */
export interface Small {
  readonly width: number;
  readonly height: number;
  readonly planes: Three<Float64Array>;
}

/** The layout of a frame's bytes; null for formats that cameras do not have (source: WebCodecs, section 9.4). */
export function pictureOf(
  data: Uint8Array,
  layout: readonly PlaneLayout[],
  { format, width, height }: { format: string | null; width: number; height: number },
): Picture | null {
  const [first, second, third] = layout.map(({ offset, stride }) => ({ offset, stride, step: 1 }));
  const picture = { data, width, height };
  if (format === "I420" && first && second && third)
    return { ...picture, colours: "yuv", planes: [first, second, third] };
  if (format === "NV12" && first && second) {
    const blue = { ...second, step: 2 };
    return { ...picture, colours: "yuv", planes: [first, blue, { ...blue, offset: blue.offset + 1 }] };
  }
  if (!first || !/^(?:RGB|BGR)[AX]$/.test(format ?? "")) return null;
  const at = (place: number) => ({ ...first, offset: first.offset + place, step: 4 });
  const planes: Three<Plane> = format?.startsWith("R") ? [at(0), at(1), at(2)] : [at(2), at(1), at(0)];
  return { ...picture, colours: "rgb", planes };
}

/** Scales the picture down, and writes it as red, green and blue from 0 to 1. */
export function read(picture: Picture, small: Small, colours: Float64Array): void {
  for (const place of [0, 1, 2] as const) shrink(picture, small, place);
  if (picture.colours === "yuv") writeYuv(small, colours);
  else writeRgb(small, colours);
}

function shrink({ data, planes, ...picture }: Picture, small: Small, place: 0 | 1 | 2): void {
  const { offset, stride, step } = planes[place];
  const shift = shiftOf(picture.colours, place);
  const to = small.planes[place];
  for (let y = 0, pixel = 0; y < small.height; y += 1) {
    const row = offset + (Math.floor(((y + 0.5) * picture.height) / small.height) >> shift) * stride;
    for (let x = 0; x < small.width; x += 1, pixel += 1)
      to[pixel] = data[row + (Math.floor(((x + 0.5) * picture.width) / small.width) >> shift) * step]!;
  }
}

/** 1 for a plane of half the width and height. */
function shiftOf(colours: Picture["colours"], place: 0 | 1 | 2): 0 | 1 {
  return colours === "yuv" && place > 0 ? 1 : 0;
}

/** Source: ITU-R BT.601, limited range. */
function writeYuv({ planes: [luma, blue, red] }: Small, colours: Float64Array): void {
  for (let pixel = 0, to = 0; pixel < luma.length; pixel += 1, to += 3) {
    const grey = 1.164 * (luma[pixel]! - 16);
    const towardsBlue = blue[pixel]! - 128;
    const towardsRed = red[pixel]! - 128;
    colours[to] = inUnit(grey + 1.596 * towardsRed);
    colours[to + 1] = inUnit(grey - 0.392 * towardsBlue - 0.813 * towardsRed);
    colours[to + 2] = inUnit(grey + 2.017 * towardsBlue);
  }
}

function writeRgb({ planes: [red, green, blue] }: Small, colours: Float64Array): void {
  for (let pixel = 0, to = 0; pixel < red.length; pixel += 1, to += 3) {
    colours[to] = red[pixel]! / 255;
    colours[to + 1] = green[pixel]! / 255;
    colours[to + 2] = blue[pixel]! / 255;
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
  const { data, planes, colours } = picture;
  for (const place of [0, 1, 2] as const) {
    const shift = shiftOf(colours, place);
    const [width, height] = [(picture.width + shift) >> shift, (picture.height + shift) >> shift];
    const { width: smallWidth, height: smallHeight } = background;
    const source = { width: smallWidth, height: smallHeight, values: background.planes[place], mask };
    blendPlane({ data, ...planes[place], width, height }, source);
  }
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
