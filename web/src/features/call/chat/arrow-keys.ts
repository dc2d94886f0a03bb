import type { KeyboardEvent } from "react";

/** Moves the focus among the buttons of a group by arrow keys. `isRow`: also by those that point sideways. */
export function moveByArrow(event: KeyboardEvent, group: HTMLElement | null, isRow: boolean): void {
  const step = stepOf(event.key, isRow);
  const buttons = [...(group?.querySelectorAll("button") ?? [])];
  const at = buttons.findIndex((button) => button === document.activeElement);
  if (step === 0 || at === -1) return;
  event.preventDefault();
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
}

function stepOf(key: string, isRow: boolean): number {
  const isRightToLeft = document.documentElement.dir === "rtl";
  if (key === "ArrowDown" || (isRow && key === (isRightToLeft ? "ArrowLeft" : "ArrowRight"))) return 1;
  if (key === "ArrowUp" || (isRow && key === (isRightToLeft ? "ArrowRight" : "ArrowLeft"))) return -1;
  return 0;
}
