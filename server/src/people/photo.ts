import { fileTypeFromBuffer } from "file-type";
import sharp from "sharp";
import { imageEdgePx, thumbEdgePx } from "@fava/wire/limits.ts";
import { refused } from "#lib/errors.ts";
import { openSource } from "#lib/picture-pixels.ts";

/** An upload after re-encoding, without anything but the pixels of the file. */
export interface Photo {
  full: Buffer;
  thumb: Buffer;
  width: number;
  height: number;
}

/** Accepted types. Of an animation, only the first picture is read. */
const takenTypes: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/apng", "image/webp"]);
const decodeSecondsMax = 10;
const quality = 82;
/** Replaces transparency, which would look different to a reviewer than on a dark page. */
const background = "#ffffff";

/**
 * Reads an upload: upright, within the largest edge, in sRGB, without metadata (rules IMG-4, IMG-6). The content
 * decides the type, not the file name.
 * @throws EndpointError 406 `image_unreadable` for any other type, and for damaged or too large files.
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
    // libvips reports every defect as the same kind of error.
    throw refused("image_unreadable");
  }
}
