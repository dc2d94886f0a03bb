import { imageBytesMax } from "@fava/wire/limits.ts";
import type { PictureSize } from "./crop-frame.ts";

/** Why a file is no picture that can be uploaded. */
export type FileProblem = "not-image" | "too-large" | "unreadable";

export class PictureError extends Error {
  override readonly name = "PictureError";
  readonly problem: FileProblem;
  constructor(problem: FileProblem, cause?: unknown) {
    super(`picture ${problem}`, { cause });
    this.problem = problem;
  }
}

/** What the file dialog offers. */
export const pictureTypes = "image/jpeg,image/png,image/webp";

/**
 * Opens a chosen file as a picture that stands upright, whatever the camera wrote into it (rule USER-51). The caller
 * closes it.
 *
 * @throws PictureError
 */
export async function openPicture(file: File): Promise<ImageBitmap> {
  if (!file.type.startsWith("image/")) throw new PictureError("not-image");
  if (file.size > imageBytesMax) throw new PictureError("too-large");
  try {
    return await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch (cause) {
    throw new PictureError(pictureTypes.includes(file.type) ? "unreadable" : "not-image", cause);
  }
}

/**
 * Cuts a rectangle out of a picture, no larger than `edgePxMax`, as a JPEG. Drawing it anew leaves place, time and
 * camera behind before anything leaves the browser.
 */
export async function cutPicture(
  picture: ImageBitmap,
  rect: { x: number; y: number } & PictureSize,
  edgePxMax: number,
): Promise<File> {
  const scale = Math.min(1, edgePxMax / Math.max(rect.width, rect.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(rect.width * scale));
  canvas.height = Math.max(1, Math.round(rect.height * scale));
  const context = canvas.getContext("2d");
  if (!context) throw new PictureError("unreadable", "no canvas");
  // JPEG knows no transparency: what shows through would become black.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, rect.x, rect.y, rect.width, rect.height, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.9));
  if (!blob) throw new PictureError("unreadable", "not encoded");
  return new File([blob], "picture.jpg", { type: "image/jpeg" });
}
