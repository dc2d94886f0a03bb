export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The square cut out of a picture: its centre and side in pixels of the picture, always inside it (rule USER-52). */
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
