/** Where a control of a call is, as it is seen; all in CSS pixels. */
interface Box {
  name: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Runs in the page: where the controls of a call are. */
export function controlsInPage(): Box[] {
  const controls = document.querySelectorAll<HTMLElement>("#call :is(button, textarea, input[type=range])");
  return [...controls]
    .filter((control) => control.checkVisibility({ visibilityProperty: true }))
    .map((control) => {
      const { left, top, right, bottom } = control.getBoundingClientRect();
      return { name: control.ariaLabel ?? control.textContent, left, top, right, bottom };
    });
}

/** Controls that are not in the window above what covers its lower end, or lie over another one. */
function controlsNotApart(coveredPx = 0): string[] {
  const boxes = controlsInPage();
  if (boxes.length < 3) return [`${boxes.length} controls are all there is of a call`];
  const isInside = (box: Box) =>
    box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight - coveredPx;
  const outside = boxes.filter((box) => !isInside(box)).map((box) => `${JSON.stringify(box)} is not in the window`);
  const covered = boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter((other) => lieOver(one, other))
      .map((other) => `${one.name} over ${other.name}`),
  );
  return [...outside, ...covered];
}

/** A hair's breadth does not count. */
function lieOver(one: Box, other: Box): boolean {
  const besides = one.left >= other.right - 1 || other.left >= one.right - 1;
  return !besides && one.top < other.bottom - 1 && other.top < one.bottom - 1;
}

const parts = [controlsInPage, lieOver, controlsNotApart];

/**
 * A function for the page: controls of a call that cannot be seen and pressed, because they are outside of the window,
 * or under another one; it takes how many pixels of the window's lower end are covered.
 */
export const notApartInPage = `(coveredPx) => { ${parts.map(String).join("\n")}\n return controlsNotApart(coveredPx); }`;
