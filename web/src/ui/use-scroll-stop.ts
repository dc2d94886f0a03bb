import { type ReactNode, type RefObject, useEffect, useState } from "react";

const controls = "a[href], button, input, select, textarea, [tabindex]";

/**
 * Whether a box has to be focusable: it scrolls, and nothing inside is focusable. Keys scroll the focused element.
 * `children` is the content, which is measured again when it changes.
 */
export function useScrollStop(ref: RefObject<HTMLElement | null>, children: ReactNode): boolean {
  const [isStop, setIsStop] = useState(false);
  useEffect(() => {
    const box = ref.current;
    if (!box) return undefined;
    const look = () => {
      const scrolls = box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth;
      setIsStop(scrolls && box.querySelector(controls) === null);
    };
    const watch = new ResizeObserver(look);
    for (const part of [box, ...box.children]) watch.observe(part);
    return () => watch.disconnect();
  }, [ref, children]);
  return isStop;
}
