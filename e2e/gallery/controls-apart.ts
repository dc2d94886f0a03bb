/** Where a control of a call is, as it is seen; all in CSS pixels. */
interface Box {
  name: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** As a whole, with what is scrolled out of sight. */
  width: number;
  height: number;
  /** What it is part of: the chat's layer, the own picture, or none of these. */
  part: "chat" | "own picture" | null;
}

/** Runs in the page: where the controls of a call are; of a row that scrolls, what is seen of it. */
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

  /** What scrolls around a control, so that a part of that may be out of sight. */
  function scrolledIn(control: Element): Element | null {
    for (let around = control.parentElement; around; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      const isScrolled = around.scrollHeight > around.clientHeight || around.scrollWidth > around.clientWidth;
      if (isScrolled && (overflowX === "auto" || overflowY === "auto")) return around;
    }
    return null;
  }
}

/** Controls of a call on a phone that a thumb misses, or that lie over the face. */
function controlsOutOfReach(boxes: Box[], windowPx: number): string[] {
  const call = document.querySelector<HTMLElement>("#call");
  const isPhone = matchMedia("(max-width: 767px), (max-height: 520px)").matches;
  if (!isPhone || call?.dataset["status"] !== "in-call") return [];
  const small = boxes
    .filter(({ width, height }) => width < 47 || height < 47)
    .map(({ name, width, height }) => `${name} is ${width} x ${height} px`);
  // The face needs no room where the user moved the own picture to the top, or where the keyboard takes half of the height.
  if (innerWidth > windowPx || windowPx < 600 || call.matches('[data-corner^="top"], [data-messages]')) return small;
  const [faceTop, faceEnd, chatTop] = [0.2 * windowPx, 0.7 * windowPx, 0.55 * windowPx];
  const over = boxes.filter(
    ({ top, bottom, part }) =>
      part !== "own picture" && bottom > faceTop + 1 && top < (part === "chat" ? chatTop : faceEnd) - 1,
  );
  // One line says what is wrong.
  const lineTop = Math.min(...over.map(({ top }) => top));
  const isLine = over.every(({ bottom }) => bottom - lineTop <= 64 && lineTop > windowPx / 2);
  return [...small, ...(isLine ? [] : over.map(({ name, top }) => `${name} lies over the face, at ${top} px`))];
}

/** Controls that are not in the window above what covers its lower end, or nearer to another one than `gapPx`. */
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

/** How far apart two controls are; below 0 where one lies over the other. */
function gapBetween(one: Box, other: Box): number {
  const besides = Math.max(one.left - other.right, other.left - one.right);
  return Math.max(besides, one.top - other.bottom, other.top - one.bottom);
}

const parts = [controlsInPage, gapBetween, controlsOutOfReach, controlsNotApart];

/**
 * A function for the page: controls of a call that cannot be seen and pressed, because they are outside of the window, or
 * that a finger would take for each other; it takes how many pixels of the window's lower end are covered.
 */
export const notApartInPage = `(coveredPx) => { ${parts.map(String).join("\n")}\n return controlsNotApart(coveredPx); }`;
