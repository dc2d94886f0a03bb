import { commands, type Locator, page } from "vitest/browser";

declare module "vitest/browser" {
  interface BrowserCommands {
    /** A real mouse press at a position in the browser's window, in pixels. */
    press: (x: number, y: number) => Promise<void>;
  }
}

declare global {
  interface Element {
    /** Chromium only: scrolls to the centre, and only if the element is out of view. */
    scrollIntoViewIfNeeded(): void;
  }
}

const timeoutMs = 15_000;
/** The real functions, before a test replaces the clock. */
const nextFrame = () => new Promise((resolve) => ownFrame(resolve));
const ownFrame = window.requestAnimationFrame.bind(window);
const now = Date.now.bind(Date);

const locators = Object.getPrototypeOf(page.getByRole("button")) as {
  click: (this: Locator, ...options: Parameters<Locator["click"]>) => Promise<void>;
};
const clickByPlaywright = locators.click;

/**
 * Makes `click` wait by itself until a press is possible, as Playwright does: the one element exists, is visible,
 * enabled, at rest, in the window and not covered. The browser is asked only for the press, instead of thirty times.
 * With options, such as a position in the element, it uses Playwright's click.
 */
export function pressDirectly(): void {
  locators.click = async function (options) {
    if (options) return clickByPlaywright.call(this, options);
    const deadlineMs = now() + timeoutMs;
    let hindrance: string;
    do {
      const place = await placeToPress(this);
      if (typeof place === "string") {
        hindrance = place;
        continue;
      }
      const press = expectPress(place.target);
      await commands.press(place.x, place.y);
      if (press.end()) return;
      hindrance = "something covered it";
    } while (now() < deadlineMs);
    throw new Error(`${this.selector} could not be pressed within ${timeoutMs} ms: ${hindrance}; ${dialogsOpen()}`);
  };
}

interface Place {
  target: Element;
  x: number;
  y: number;
}

/**
 * The position of the element in pixels of the browser's window if it can be pressed, otherwise the hindrance, one
 * frame later.
 */
async function placeToPress(locator: Locator): Promise<Place | string> {
  const [element, another] = locator.elements();
  if (another) throw new Error(`${locator.selector} matches more than one element`);
  const hindrance = element ? hindranceOf(element) : "it does not exist";
  if (!element || hindrance) {
    await nextFrame();
    return hindrance;
  }
  element.scrollIntoViewIfNeeded();
  const before = element.getBoundingClientRect();
  await nextFrame();
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const isAtRest = before.left === left && before.right === right && before.top === top && before.bottom === bottom;
  if (!isAtRest) return "it moves";
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
  // A press on an element inside a button or link presses that.
  const target = element.closest("button, a, [role=button], [role=link]") ?? element;
  const hit = document.elementFromPoint(x, y);
  if (!hit || !target.contains(hit)) return `${hit?.outerHTML.slice(0, 160) ?? "nothing"} is over it`;
  // The test page is an iframe of vitest's page, which scales it down if it is larger than the window.
  const frame = window.frameElement?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight);
  const scale = frame.width / innerWidth;
  return { target, x: frame.left + x * scale, y: frame.top + y * scale };
}

function hindranceOf(element: Element): string {
  const { width, height } = element.getBoundingClientRect();
  if (width === 0 || height === 0 || !element.checkVisibility({ visibilityProperty: true })) return "it is not visible";
  return element.matches(":disabled, [aria-disabled=true], [aria-disabled=true] *") ? "it is disabled" : "";
}

const eventsOfPress = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"] as const;

/** The open dialogs, for the message of a failure. */
function dialogsOpen(): string {
  const dialogs = [...document.querySelectorAll<HTMLElement>("[role=dialog], [role=alertdialog]")];
  return dialogs.length === 0 ? "no dialog is open" : `open: ${dialogs.map(({ innerText }) => innerText).join(" | ")}`;
}

/**
 * Lets one press reach the element, and no other. A moving element loses the end of a press, which then does not count.
 */
function expectPress(target: Element): { end: () => boolean } {
  const watch = new AbortController();
  const { left, top } = target.getBoundingClientRect();
  let hits: boolean | null = null;
  const check = (event: Event) => {
    const isHit = event.composedPath().includes(target);
    hits ??= isHit;
    if (event.type === "click" && !isHit && target.isConnected) {
      const now = target.getBoundingClientRect();
      hits &&= now.left === left && now.top === top;
    }
    if (hits) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  for (const name of eventsOfPress) window.addEventListener(name, check, { capture: true, signal: watch.signal });
  return {
    end: () => {
      watch.abort();
      return hits === true;
    },
  };
}
