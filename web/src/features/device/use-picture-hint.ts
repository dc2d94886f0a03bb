import { type RefObject, useEffect, useRef, useState } from "react";
import { announce } from "#lib/announce.ts";
import { isFar, lightOf, type PictureHint, sampleSize, steadyHint, type SteadyHint } from "./light-hint.ts";

const everyMs = 2_000;
const announcedEveryMs = 10_000;

/** Few browsers have one (Shape Detection API). */
interface FaceDetector {
  detect: (video: HTMLVideoElement) => Promise<readonly { boundingBox: DOMRectReadOnly }[]>;
}
declare global {
  interface Window {
    FaceDetector?: new (options: { maxDetectedFaces: number; fastMode: boolean }) => FaceDetector;
  }
}

/** Judges the shown video every 2 s; null before the first frame. No frame leaves the page. */
export function usePictureHint(video: RefObject<HTMLVideoElement | null>): PictureHint | null {
  const [hint, setHint] = useState<SteadyHint>({ shown: null, next: null });
  const shown = useRef(hint.shown);
  useEffect(() => {
    shown.current = hint.shown;
  });
  useEffect(() => {
    const owner = new AbortController();
    const judge = judgeOf();
    const timer = setInterval(() => void look(), everyMs);
    async function look(): Promise<void> {
      const element = video.current;
      if (!element || element.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
      const read = await judge(element, shown.current);
      if (!owner.signal.aborted) setHint((before) => steadyHint(before, read));
    }
    return () => {
      clearInterval(timer);
      owner.abort();
    };
  }, [video]);
  return hint.shown;
}

function judgeOf(): (video: HTMLVideoElement, shown: PictureHint | null) => Promise<PictureHint> {
  const canvas = Object.assign(document.createElement("canvas"), sampleSize);
  const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  let detector = window.FaceDetector && new window.FaceDetector({ maxDetectedFaces: 1, fastMode: true });
  return async (video, shown) => {
    if (!context) return "good";
    const { width, height } = sampleSize;
    context.drawImage(video, 0, 0, width, height);
    const light = lightOf(context.getImageData(0, 0, width, height).data, shown);
    if (light !== "good" || !detector) return light;
    try {
      const [face] = await detector.detect(video);
      return face && isFar(face.boundingBox.height, video.videoHeight, shown) ? "closer" : "good";
    } catch (error) {
      console.info("no faces can be found here", error);
      detector = undefined;
      return "good";
    }
  };
}

/** Announces the text when it has changed, not more often than every 10 s. */
export function useAnnouncedSeldom(text: string): void {
  const last = useRef({ text: "", atMs: -Infinity });
  useEffect(() => {
    if (text === "" || text === last.current.text) return undefined;
    const waitMs = Math.max(0, last.current.atMs + announcedEveryMs - performance.now());
    const timer = setTimeout(() => {
      last.current = { text, atMs: performance.now() };
      announce(text);
    }, waitMs);
    return () => clearTimeout(timer);
  }, [text]);
}
