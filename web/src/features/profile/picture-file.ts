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
/** Of a chosen file, which never leaves the browser as it is: twice what phones write of 48 megapixels. */
export const pictureFileBytesMax = 67_108_864;

/**
 * Opens a chosen file as a picture that stands upright, whatever the camera wrote into it (rule USER-51), and whose
 * longest edge is `edgePxMax` at most (rule USER-62). The caller closes it.
 *
 * @throws PictureError
 */
export async function openPicture(file: File, edgePxMax: number): Promise<ImageBitmap> {
  if (!file.type.startsWith("image/")) throw new PictureError("not-image");
  if (file.size > pictureFileBytesMax) throw new PictureError("too-large");
  try {
    const { width, height } = await sizeOf(file);
    const scale = edgePxMax / Math.max(width, height);
    const shrunk = { resizeWidth: Math.round(width * scale), resizeHeight: Math.round(height * scale) };
    // A phone has no memory for all pixels of its own photos, so that they are made fewer while they are decoded.
    return await createImageBitmap(file, {
      imageOrientation: "from-image",
      ...(scale < 1 ? { ...shrunk, resizeQuality: "high" } : {}),
    });
  } catch (cause) {
    throw new PictureError(pictureTypes.includes(file.type) ? "unreadable" : "not-image", cause);
  }
}

/** What the head of the file says, as the picture stands upright; nothing is decoded for it. */
function sizeOf(file: File): Promise<PictureSize> {
  const image = new Image();
  const address = URL.createObjectURL(file);
  return new Promise<PictureSize>((resolve, reject) => {
    image.onload = () => resolve({ width: image.naturalWidth, height: image.naturalHeight });
    image.onerror = () => reject(new Error("the browser knows no such picture"));
    image.src = address;
  }).finally(() => URL.revokeObjectURL(address));
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
