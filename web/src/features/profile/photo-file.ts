/** Why a file cannot be uploaded as an image. */
export type FileProblem = "not-image" | "too-large" | "unreadable";

export class PhotoError extends Error {
  override readonly name = "PhotoError";
  readonly problem: FileProblem;
  constructor(problem: FileProblem, cause?: unknown) {
    super(`picture ${problem}`, { cause });
    this.problem = problem;
  }
}

/** The types that the file dialog offers. */
export const photoTypes = "image/jpeg,image/png,image/webp";
/** The size limit of a chosen file, which is never uploaded as it is: twice that of a 48 megapixel phone photo. */
export const photoFileBytesMax = 67_108_864;

/**
 * Opens a chosen file as an image in upright orientation, whatever the camera's metadata, with its longest edge at most
 * `edgePxMax`. The caller closes it.
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
    // A phone lacks the memory for all pixels of its own photos, so the image is scaled down while it is decoded.
    return await createImageBitmap(file, {
      imageOrientation: "from-image",
      ...(scale < 1 ? { ...shrunk, resizeQuality: "high" } : {}),
    });
  } catch (cause) {
    throw new PhotoError(photoTypes.includes(file.type) ? "unreadable" : "not-image", cause);
  }
}

/** The upright size from the header of the file; decodes nothing. */
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
 * Crops a rectangle out of an image, at most `edgePxMax` large, as a JPEG. The new encoding removes location, time and
 * camera before the upload.
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
  // JPEG has no transparency: transparent pixels would become black.
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

/** The square that is cropped from the image: its centre and side in pixels of the image, always inside it. */
export interface CropFrame {
  readonly centreX: number;
  readonly centreY: number;
  readonly side: number;
}

/** Beyond this zoom a face would be a few pixels. */
const zoomMax = 5;

/** The largest square, in the middle. */
export function firstFrame(size: PictureSize): CropFrame {
  return { centreX: size.width / 2, centreY: size.height / 2, side: sideMax(size) };
}

/** 0: the largest square. 1: the smallest. Steps are logarithmic, so that they feel even. */
export function zoomOf(size: PictureSize, frame: CropFrame): number {
  return Math.log(sideMax(size) / frame.side) / Math.log(zoomMax);
}

/** Changes the zoom, 0 to 1, around the frame's centre. */
export function zoomTo(size: PictureSize, frame: CropFrame, zoom: number): CropFrame {
  const side = sideMax(size) / zoomMax ** Math.min(1, Math.max(0, zoom));
  return inside(size, { ...frame, side });
}

/** Moves the image under the frame; `by` is in fractions of the frame's side: 0.5 is half of it to the right. */
export function moveBy(size: PictureSize, frame: CropFrame, by: { x: number; y: number }): CropFrame {
  return inside(size, {
    ...frame,
    centreX: frame.centreX - by.x * frame.side,
    centreY: frame.centreY - by.y * frame.side,
  });
}

/** The frame as a rectangle from the image's upper left corner. */
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
