import { imageDecodedBytesMax } from "@fava/wire/limits.ts";
import sharp, { type Sharp } from "sharp";

/** Bytes of one channel of a pixel, by the library's names for depths. */
const depthBytes: Readonly<Record<string, number>> = { char: 1, uchar: 1, short: 2, ushort: 2 };
/** Of anything else, which no type that we take has. */
const depthBytesMax = 16;

/**
 * Opens the picture of a file to be decoded, the first one of an animated one.
 *
 * @throws Error for what is none, and for one that would be larger than may be decoded, of which 200 kB can say so.
 */
export async function openSource(file: Uint8Array): Promise<Sharp> {
  const source = sharp(file, { limitInputPixels: imageDecodedBytesMax, failOn: "error", pages: 1 });
  const { width, height, channels, depth } = await source.metadata();
  const bytes = width * height * channels * (depthBytes[depth] ?? depthBytesMax);
  if (bytes > imageDecodedBytesMax) throw new Error(`${bytes} bytes decoded`);
  return source;
}
