import { imageEdgePx } from "@fava/wire/limits.ts";
import { greyOf, isDistinctive, pictureHash } from "@fava/wire/picture-hash.ts";

/**
 * The perceptual hash of a picture, computed on this device as the server computes it for uploads. Null for a file that
 * the browser cannot show, and for a picture with too little in it to be recognized.
 */
export async function pictureFingerprint(file: Blob): Promise<string | null> {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) return null;
  const scale = Math.min(1, imageEdgePx / Math.max(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return null;
  // Transparent parts count as white, as on the server.
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const hash = pictureHash(
    greyOf({ width, height, data: withoutAlpha(context.getImageData(0, 0, width, height).data) }),
  );
  return isDistinctive(hash) ? hash : null;
}

function withoutAlpha(pixels: Uint8ClampedArray): Uint8Array {
  const data = new Uint8Array((pixels.length / 4) * 3);
  for (let from = 0, to = 0; from < pixels.length; from += 4, to += 3) {
    data[to] = pixels[from] ?? 0;
    data[to + 1] = pixels[from + 1] ?? 0;
    data[to + 2] = pixels[from + 2] ?? 0;
  }
  return data;
}
