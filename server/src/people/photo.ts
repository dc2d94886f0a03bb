import { fileTypeFromBuffer } from "file-type";
import sharp from "sharp";
import { imageEdgePx, thumbEdgePx } from "@fava/wire/limits.ts";
import { refused } from "#lib/errors.ts";
import { openSource } from "#lib/picture-pixels.ts";

/** An uploaded picture made anew: nothing of the file that came is in it but its pixels. */
export interface Photo {
  full: Buffer;
  /** Cut square. */
  thumb: Buffer;
  /** Of `full`, in pixels. */
  width: number;
  height: number;
}

/** An animated PNG is one by its name and counts as its first picture, as an animated WebP does. */
const takenTypes: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/apng", "image/webp"]);
const decodeSecondsMax = 10;
const quality = 82;
/** See-through parts would show a reviewer another picture than a person with a dark page. */
const background = "#ffffff";

/**
 * Decodes an uploaded file and writes it anew as WebP: turned upright, inside the largest edge, in sRGB, without
 * metadata (rules IMG-4 and IMG-6). The type is what the content says, never what it is called. It uses one processor at
 * a time.
 *
 * @throws EndpointError 406 `image_unreadable` for every other type, damaged files and what would be too large.
 */
export async function readPhoto(file: Buffer): Promise<Photo> {
  const type = await fileTypeFromBuffer(file);
  if (!type || !takenTypes.has(type.mime)) throw refused("image_unreadable");
  const { data, info } = await decode(file);
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const full = await sharp(data, { raw }).webp({ quality }).toBuffer();
  const thumb = await sharp(data, { raw })
    .resize(thumbEdgePx, thumbEdgePx, { fit: "cover" })
    .webp({ quality })
    .toBuffer();
  return { full, thumb, width: info.width, height: info.height };
}

async function decode(file: Buffer) {
  try {
    const source = await openSource(file);
    return await source
      .timeout({ seconds: decodeSecondsMax })
      .autoOrient()
      .resize(imageEdgePx, imageEdgePx, { fit: "inside", withoutEnlargement: true })
      .flatten({ background })
      .toColourspace("srgb")
      .raw()
      .toBuffer({ resolveWithObject: true });
  } catch {
    // libvips has one kind of error for whatever is wrong with a file, and its words are for nobody.
    throw refused("image_unreadable");
  }
}
