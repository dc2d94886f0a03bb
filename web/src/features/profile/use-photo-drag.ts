import { type PointerEvent, useRef, useState } from "react";
import type { Photos } from "./use-photos.ts";

/** A press on a photo: where it began, and to which place it has come. */
interface Press {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  to: number | null;
  moving: boolean;
}

/** A press that moves less than this is no drag. */
const dragStartPx = 8;

/**
 * Drags a photo over another one to take its place; up and down scrolls the page on a touch screen. The list hears the
 * pointer, because the photos themselves change their places meanwhile.
 */
export function usePhotoDrag(photos: Photos) {
  const [dragged, setDragged] = useState<string | null>(null);
  const press = useRef<Press>(null);

  function move(event: PointerEvent): void {
    const now = press.current;
    if (!now) return;
    if (!now.moving && Math.hypot(event.clientX - now.x, event.clientY - now.y) < dragStartPx) return;
    now.moving = true;
    setDragged(now.id);
    const over = photoAt(document.elementFromPoint(event.clientX, event.clientY));
    const to = photos.photos.findIndex((photo) => photo.id === over);
    if (to < 0 || over === now.id) return;
    now.to = to;
    photos.show({ id: now.id, to });
  }

  function end(): Press | null {
    const ended = press.current;
    press.current = null;
    setDragged(null);
    return ended;
  }

  return {
    dragged,
    handlers: {
      onPointerDown(event: PointerEvent) {
        const id = event.target instanceof HTMLImageElement ? photoAt(event.target) : null;
        if (id === null || event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        press.current = { id, x: event.clientX, y: event.clientY, to: null, moving: false };
      },
      onPointerMove: move,
      onPointerUp() {
        const ended = end();
        if (ended && ended.to !== null) photos.move(ended.id, ended.to);
      },
      onPointerCancel() {
        end();
        photos.show(null);
      },
    },
  };
}

function photoAt(element: Element | null): string | null {
  return element?.closest<HTMLElement>("[data-photo]")?.dataset["photo"] ?? null;
}
