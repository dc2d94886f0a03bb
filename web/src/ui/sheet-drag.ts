import { type PointerEvent, type RefObject, useRef } from "react";
import { mobileQuery } from "#lib/use-media-query.ts";

/** A sheet that was dragged further down than this share of its height, or faster than this, closes. */
const closeShare = 0.3;
const closePxPerMs = 0.6;

interface Drag {
  readonly pointerId: number;
  readonly startY: number;
  y: number;
  atMs: number;
  pxPerMs: number;
}

interface SheetDrag {
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerCancel: (event: PointerEvent<HTMLElement>) => void;
}

/**
 * Drags a bottom sheet of a phone by what stands above its body. `close` is called when it was dragged far or fast
 * enough; if it returns false, the sheet returns to its place.
 */
export function useSheetDrag(sheet: RefObject<HTMLElement | null>, close: () => boolean): SheetDrag {
  const drag = useRef<Drag>(null);
  const release = () => {
    drag.current = null;
    sheet.current?.removeAttribute("data-dragged");
    sheet.current?.style.removeProperty("translate");
  };
  return {
    onPointerDown(event) {
      const { target, pointerId, clientY, timeStamp } = event;
      // A mouse selects text; the body of the sheet scrolls. A touch goes on to send its events here.
      const isGrip = target instanceof Element && !target.closest("[data-sheet-content], a, button, input");
      if (!isGrip || event.pointerType === "mouse" || !event.isPrimary) return;
      if (!matchMedia(mobileQuery).matches || !sheet.current?.contains(target) || sheet.current.scrollTop > 0) return;
      drag.current = { pointerId, startY: clientY, y: clientY, atMs: timeStamp, pxPerMs: 0 };
    },
    onPointerMove({ pointerId, clientY, timeStamp }) {
      const now = drag.current;
      if (now?.pointerId !== pointerId) return;
      now.pxPerMs = (clientY - now.y) / Math.max(1, timeStamp - now.atMs);
      now.y = clientY;
      now.atMs = timeStamp;
      sheet.current?.setAttribute("data-dragged", "");
      sheet.current?.style.setProperty("translate", `0 ${Math.max(0, clientY - now.startY)}px`);
    },
    onPointerUp({ pointerId }) {
      const now = drag.current;
      if (now?.pointerId !== pointerId) return;
      const height = sheet.current?.offsetHeight ?? 0;
      const isFar = now.y - now.startY > height * closeShare;
      const isFast = now.pxPerMs > closePxPerMs && now.y > now.startY;
      // A closing sheet leaves from where it is.
      if ((isFar || isFast) && close()) drag.current = null;
      else release();
    },
    onPointerCancel: release,
  };
}
