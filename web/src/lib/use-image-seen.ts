import { type RefObject, useEffect, useRef } from "react";

/** The share of an image that has to be in the window. */
const inViewShare = 0.6;

/**
 * Calls `onSeen` once the image has loaded and was in the window while it was active: only then has the moderator seen
 * it.
 */
export function useImageSeen(options: { active: boolean; onSeen: () => void }): RefObject<HTMLImageElement | null> {
  const picture = useRef<HTMLImageElement>(null);
  const latest = useRef(options.onSeen);
  useEffect(() => {
    latest.current = options.onSeen;
  });
  useEffect(() => {
    const { current } = picture;
    if (!options.active || !current) return undefined;
    const state = { inView: false };
    const check = () => {
      if (state.inView && current.complete && current.naturalWidth > 0) latest.current();
    };
    const observer = new IntersectionObserver(
      (entries) => {
        state.inView = entries.some(({ intersectionRatio }) => intersectionRatio >= inViewShare);
        check();
      },
      { threshold: inViewShare },
    );
    observer.observe(current);
    current.addEventListener("load", check);
    return () => {
      observer.disconnect();
      current.removeEventListener("load", check);
    };
  }, [options.active]);
  return picture;
}
