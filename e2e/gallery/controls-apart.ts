/** The box of a call control on the screen; in CSS pixels. */
interface Box {
  name: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** The full size, including what is scrolled out of view. */
  width: number;
  height: number;
  /** What contains it: the chat's layer, the local video, or neither. */
  part: "chat" | "own picture" | null;
}

/** Runs in the page: the boxes of the call's controls; in a scrolling row only their visible parts. */
export function controlsInPage(): Box[] {
  const controls = document.querySelectorAll<HTMLElement>("#call :is(button, textarea, input[type=range])");
  return [...controls]
    .filter((control) => control.checkVisibility({ visibilityProperty: true }))
    .map((control): Box => {
      const box = control.getBoundingClientRect();
      const seen = scrolledIn(control)?.getBoundingClientRect() ?? box;
      return {
        name: control.ariaLabel ?? control.textContent,
        left: Math.max(box.left, seen.left),
        top: Math.max(box.top, seen.top),
        right: Math.min(box.right, seen.right),
        bottom: Math.min(box.bottom, seen.bottom),
        width: box.width,
        height: box.height,
        part: control.closest("[data-column]") ? "chat" : control.matches("[data-arrows]") ? "own picture" : null,
      };
    })
    .filter(({ left, right, top, bottom }) => right > left && bottom > top);

  /** The scroll container around a control, which may hide a part of it. */
  function scrolledIn(control: Element): Element | null {
    for (let around = control.parentElement; around; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      const isScrolled = around.scrollHeight > around.clientHeight || around.scrollWidth > around.clientWidth;
      if (isScrolled && (overflowX === "auto" || overflowY === "auto")) return around;
    }
    return null;
  }
}

/** Controls of a call on a phone that are too small for a thumb, or that cover the face. */
function controlsOutOfReach(boxes: Box[], windowPx: number): string[] {
  const call = document.querySelector<HTMLElement>("#call");
  const isPhone = matchMedia("(max-width: 767px), (max-height: 520px)").matches;
  if (!isPhone || call?.dataset["status"] !== "in-call") return [];
  const small = boxes
    .filter(({ width, height }) => width < 47 || height < 47)
    .map(({ name, width, height }) => `${name} is ${width} x ${height} px`);
  // The face needs no space where the user moved the local video to the top, or where the keyboard takes half of the
  // height.
  if (innerWidth > windowPx || windowPx < 600 || call.matches('[data-corner^="top"], [data-messages]')) return small;
  const [faceTop, faceEnd, chatTop] = [0.2 * windowPx, 0.7 * windowPx, 0.55 * windowPx];
  const over = boxes.filter(
    ({ top, bottom, part }) =>
      part !== "own picture" && bottom > faceTop + 1 && top < (part === "chat" ? chatTop : faceEnd) - 1,
  );
  // A one-line notice may cover it.
  const lineTop = Math.min(...over.map(({ top }) => top));
  const isLine = over.every(({ bottom }) => bottom - lineTop <= 64 && lineTop > windowPx / 2);
  return [...small, ...(isLine ? [] : over.map(({ name, top }) => `${name} lies over the face, at ${top} px`))];
}

/** Controls outside of the uncovered window, or closer to another one than `gapPx`. */
function controlsNotApart(coveredPx = 0, gapPx = 8): string[] {
  const boxes = controlsInPage();
  if (boxes.length < 2) return [`${boxes.length} controls are all there is of a call`];
  const isInside = (box: Box) =>
    box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight - coveredPx;
  const outside = boxes.filter((box) => !isInside(box)).map((box) => `${JSON.stringify(box)} is not in the window`);
  const near = boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter((other) => gapBetween(one, other) < gapPx - 1)
      .map((other) => `${one.name} is ${Math.round(gapBetween(one, other))} px from ${other.name}`),
  );
  return [...outside, ...near, ...controlsOutOfReach(boxes, innerHeight - coveredPx)];
}

/** The distance between two controls; negative if they overlap. */
function gapBetween(one: Box, other: Box): number {
  const besides = Math.max(one.left - other.right, other.left - one.right);
  return Math.max(besides, one.top - other.bottom, other.top - one.bottom);
}

const parts = [controlsInPage, gapBetween, controlsOutOfReach, controlsNotApart];

/**
 * A function for the page, whose argument is the covered height at the window's lower end in pixels. Returns the
 * controls of a call that are outside of the window or too close to each other.
 */
export const notApartInPage = `(coveredPx) => { ${parts.map(String).join("\n")}\n return controlsNotApart(coveredPx); }`;
