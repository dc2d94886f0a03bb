import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import styles from "#ui/StreamVideo.module.css";

/** The video is reduced to this many cells, then enlarged smoothly: nothing in it can be recognized. */
const cells = { width: 12, height: 9 } as const;
const smoothed = { width: 48, height: 36 } as const;
const redrawMs = 250;
/** Removes most of the colour. */
const greying = "rgb(128 128 128 / 0.75)";
const darkening = "rgb(12 15 13 / 0.55)";
const greyDarkening = "rgb(12 15 13 / 0.75)";

/**
 * Covers a video with its own blur, beyond recognition. A blur filter on a large video is computed for every frame of
 * the page, which costs most of a processor core without a GPU; this costs a few hundred pixels four times a second.
 */
export function BlurredVideo({
  video,
  mirrored,
  grey = false,
  isStill,
}: {
  video: RefObject<HTMLVideoElement | null>;
  mirrored: boolean;
  grey?: boolean;
  /** Whether the canvas keeps its last picture for now. */
  isStill?: (() => boolean) | undefined;
}): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    // Opaque from the start, because the video is behind it.
    const target = canvas.current?.getContext("2d", { alpha: false });
    const mosaic = document.createElement("canvas");
    const reduced = Object.assign(mosaic, cells).getContext("2d");
    if (!target || !reduced) return undefined;
    target.imageSmoothingQuality = "high";
    const draw = () => {
      const source = video.current;
      if (!source || source.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
      reduced.drawImage(source, 0, 0, cells.width, cells.height);
      target.drawImage(mosaic, 0, 0, smoothed.width, smoothed.height);
      if (grey) {
        target.globalCompositeOperation = "saturation";
        target.fillStyle = greying;
        target.fillRect(0, 0, smoothed.width, smoothed.height);
        target.globalCompositeOperation = "source-over";
      }
      target.fillStyle = grey ? greyDarkening : darkening;
      target.fillRect(0, 0, smoothed.width, smoothed.height);
    };
    draw();
    const timer = setInterval(() => {
      if (!isStill?.()) draw();
    }, redrawMs);
    return () => clearInterval(timer);
  }, [video, grey, isStill]);
  return (
    <canvas
      ref={canvas}
      {...smoothed}
      className={styles.blurred}
      data-mirrored={mirrored || undefined}
      aria-hidden="true"
    />
  );
}
