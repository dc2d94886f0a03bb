interface Press {
  readonly x: number;
  readonly y: number;
  readonly atMs: number;
}

/** A toast that appears this soon after a press was caused by it. */
const causedWithinMs = 1_000;
/** How far from its place a toast starts, towards its cause. */
const startPxMax = 96;

/** Lets every toast slide in from the press that caused it, also one by the keyboard. Others come from above. */
export function slideToastsIn(signal: AbortSignal): void {
  let last: Press | null = null;
  const pressed = ({ target, detail, clientX, clientY, timeStamp }: MouseEvent) => {
    if (!(target instanceof Element)) return;
    // The keyboard presses an element as a whole.
    const place = detail === 0 ? centreOf(target) : { x: clientX, y: clientY };
    last = { ...place, atMs: timeStamp };
  };
  document.addEventListener("click", pressed, { capture: true, signal });
  const added = new MutationObserver((changes) => {
    if (last === null || performance.now() - last.atMs > causedWithinMs) return;
    for (const { addedNodes } of changes)
      for (const toast of addedNodes) if (toast instanceof HTMLElement) startTowards(toast, last);
  });
  const toasts = document.querySelector("[data-toasts]");
  if (toasts) added.observe(toasts, { childList: true });
  signal.addEventListener("abort", () => added.disconnect());
}

/** Sets from where the animation of a toast starts. */
function startTowards(toast: HTMLElement, press: Press): void {
  const place = centreOf(toast);
  const [x, y] = [press.x - place.x, press.y - place.y];
  const part = Math.min(1, startPxMax / Math.max(1, Math.hypot(x, y)));
  toast.style.setProperty("--from-x", `${Math.round(x * part)}px`);
  toast.style.setProperty("--from-y", `${Math.round(y * part)}px`);
}

function centreOf(element: Element): { x: number; y: number } {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
