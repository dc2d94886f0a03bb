/** Why a file is no picture that can be uploaded. */
export type FileProblem = "not-image" | "too-large" | "unreadable";

export class PhotoError extends Error {
  override readonly name = "PhotoError";
  readonly problem: FileProblem;
  constructor(problem: FileProblem, cause?: unknown) {
    super(`picture ${problem}`, { cause });
    this.problem = problem;
  }
}

/** What the file dialog offers. */
export const photoTypes = "image/jpeg,image/png,image/webp";
/** Of a chosen file, which never leaves the browser as it is: twice what phones write of 48 megapixels. */
export const photoFileBytesMax = 67_108_864;

/**
 * Opens a chosen file as a picture that stands upright, whatever the camera wrote into it, and whose
 * longest edge is `edgePxMax` at most. The caller closes it.
 *
 * @throws PhotoError
 */
export async function openPhoto(file: File, edgePxMax: number): Promise<ImageBitmap> {
  if (!file.type.startsWith("image/")) throw new PhotoError("not-image");
  if (file.size > photoFileBytesMax) throw new PhotoError("too-large");
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
    throw new PhotoError(photoTypes.includes(file.type) ? "unreadable" : "not-image", cause);
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
export async function cropPhoto(
  picture: ImageBitmap,
  rect: { x: number; y: number } & PictureSize,
  edgePxMax: number,
): Promise<File> {
  const scale = Math.min(1, edgePxMax / Math.max(rect.width, rect.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(rect.width * scale));
  canvas.height = Math.max(1, Math.round(rect.height * scale));
  const context = canvas.getContext("2d");
  if (!context) throw new PhotoError("unreadable", "no canvas");
  // JPEG knows no transparency: what shows through would become black.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, rect.x, rect.y, rect.width, rect.height, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.9));
  if (!blob) throw new PhotoError("unreadable", "not encoded");
  return new File([blob], "picture.jpg", { type: "image/jpeg" });
}

interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The square cut out of a picture: its centre and side in pixels of the picture, always inside it. */
export interface CropFrame {
  readonly centreX: number;
  readonly centreY: number;
  readonly side: number;
}

/** Further in, a face would be a few pixels. */
const zoomMax = 5;

/** The largest square, in the middle. */
export function firstFrame(size: PictureSize): CropFrame {
  return { centreX: size.width / 2, centreY: size.height / 2, side: sideMax(size) };
}

/** 0: the largest square. 1: the smallest. The steps between feel even, because each is the same factor. */
export function zoomOf(size: PictureSize, frame: CropFrame): number {
  return Math.log(sideMax(size) / frame.side) / Math.log(zoomMax);
}

/** Changes the zoom, 0 to 1, about the frame's centre. */
export function zoomTo(size: PictureSize, frame: CropFrame, zoom: number): CropFrame {
  const side = sideMax(size) / zoomMax ** Math.min(1, Math.max(0, zoom));
  return inside(size, { ...frame, side });
}

/** Moves the picture under the frame; the parts are fractions of the frame's side: 0.5 is half of it to the right. */
export function moveBy(size: PictureSize, frame: CropFrame, by: { x: number; y: number }): CropFrame {
  return inside(size, {
    ...frame,
    centreX: frame.centreX - by.x * frame.side,
    centreY: frame.centreY - by.y * frame.side,
  });
}

/** The cut as a rectangle from the picture's upper left corner. */
export function rectOf({ centreX, centreY, side }: CropFrame): { x: number; y: number } & PictureSize {
  return { x: centreX - side / 2, y: centreY - side / 2, width: side, height: side };
}

function sideMax({ width, height }: PictureSize): number {
  return Math.min(width, height);
}

function inside(size: PictureSize, frame: CropFrame): CropFrame {
  const half = frame.side / 2;
  return {
    side: frame.side,
    centreX: Math.min(size.width - half, Math.max(half, frame.centreX)),
    centreY: Math.min(size.height - half, Math.max(half, frame.centreY)),
  };
}
