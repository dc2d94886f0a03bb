import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from "react";
import { useT } from "#lib/i18n.ts";
import { cornerByKey, cornerNow, nearestCorner, nextCorner, setCorner } from "./self-corner.ts";
import styles from "./SelfView.module.css";

/** A finger that moves less than this has pressed, px. */
const dragFromPx = 8;

/**
 * Over the own picture where that lies over the other one: drags it to a corner, arrows move it there, and a press moves it
 * to the next one, for whom dragging is hard (rule CALL-27).
 */
export function MoveHandle(): ReactNode {
  const t = useT();
  const drag = useRef<{ x: number; y: number; isFar: boolean } | null>(null);
  function begin(event: PointerEvent<HTMLButtonElement>): void {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, y: event.clientY, isFar: false };
  }
  function follow({ currentTarget, clientX, clientY }: PointerEvent<HTMLButtonElement>): void {
    const now = drag.current;
    const picture = currentTarget.parentElement;
    if (!now || !picture) return;
    const [x, y] = [clientX - now.x, clientY - now.y];
    now.isFar ||= Math.hypot(x, y) >= dragFromPx;
    if (now.isFar) picture.style.translate = `${x}px ${y}px`;
  }
  function settle({ currentTarget }: PointerEvent<HTMLButtonElement>): void {
    const picture = currentTarget.parentElement;
    if (!drag.current?.isFar || !picture) return;
    const { left, top, width, height } = picture.getBoundingClientRect();
    picture.style.translate = "";
    const middle = { x: left + width / 2, y: top + height / 2 };
    setCorner(nearestCorner(middle, { width: innerWidth, height: innerHeight }, isRightToLeft()));
  }
  function press(): void {
    // The end of a drag is a click as well.
    if (!drag.current?.isFar) setCorner(nextCorner(cornerNow()));
    drag.current = null;
  }
  function move(event: KeyboardEvent): void {
    const corner = cornerByKey(cornerNow(), event.key, isRightToLeft());
    if (!corner) return;
    event.preventDefault();
    setCorner(corner);
  }
  return (
    <button
      type="button"
      className={styles.move}
      data-arrows
      aria-label={t("call.moveSelf")}
      title={t("call.moveSelf")}
      onPointerDown={begin}
      onPointerMove={follow}
      onPointerUp={settle}
      onPointerCancel={settle}
      onClick={press}
      onKeyDown={move}
    />
  );
}

function isRightToLeft(): boolean {
  return document.documentElement.dir === "rtl";
}
