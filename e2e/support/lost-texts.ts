/** An edge of an element, and what happens to a text beyond it. */
interface Edge {
  element: Element;
  frame: DOMRect;
  overflowX: string;
  overflowY: string;
  /** An ellipsis, by its style. */
  mayEndX: boolean;
  mayEndY: boolean;
  isFixed: boolean;
}

/** Cached results for an element, valid while nothing moves. */
interface Known {
  readonly shown: Map<Element, boolean>;
  readonly edges: Map<Element, readonly Edge[]>;
}

/** One line of a text, with the edges around it. */
interface Standing {
  box: DOMRect;
  edges: readonly Edge[];
  node: Node;
}

/**
 * Functions that run in the page together. They find text that is clipped, lies outside of a window that cannot scroll,
 * or is covered; a page wider than the window, and boxes that scroll sideways. Decorative text does not count.
 */
function lostTexts(): string[] {
  const lost = new Set<string>();
  const wider = document.documentElement.scrollWidth - innerWidth;
  if (wider > 1) lost.add(`the page is ${wider} px wider than the window`);
  for (const box of sidewaysBoxes()) lost.add(`${nameOf(box)} scrolls sideways`);
  // An open menu covers what is below it.
  const place = document.querySelector('[role="menu"]') ?? document.body;
  const known: Known = { shown: new Map(), edges: new Map() };
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement;
    const words = node.textContent?.trim() ?? "";
    if (!parent || words === "" || !isRead(parent, known)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const edges = edgesAround(parent, known);
    for (const box of range.getClientRects()) {
      if (box.width < 1 || box.height < 1) continue;
      const why = whyLost(parent, { box, edges, node });
      if (why !== null) lost.add(`${words.slice(0, 60)}: ${why}`);
    }
  }
  return [...lost];
}

function sidewaysBoxes(): Element[] {
  return [...document.body.querySelectorAll("*")].filter((box) => {
    const { overflowX } = getComputedStyle(box);
    if (!(overflowX === "auto" || overflowX === "scroll") || box.scrollWidth <= box.clientWidth + 2) return false;
    // Tabs in one line, tables of numbers and the questions of a phone's call may scroll sideways.
    return (
      !box.closest('[role="tablist"], [data-sideways], [inert], textarea') &&
      !box.querySelector('table, [role="tablist"]')
    );
  });
}

function isRead(element: Element, known: Known): boolean {
  return element.checkVisibility({ visibilityProperty: true }) && isShown(element, known);
}

function isShown(element: Element | null, known: Known): boolean {
  // The root may be veiled by a test.
  if (!element || element === document.documentElement) return true;
  let isOne = known.shown.get(element);
  if (isOne === undefined) {
    const unread = '[aria-hidden="true"], [inert], option, script, style, title, .visually-hidden, [id^="said-"]';
    const { clipPath, opacity } = getComputedStyle(element);
    // Clipped text is for screen readers only.
    const isOwn = !element.matches(unread) && opacity !== "0" && !clipPath.startsWith("inset(50%");
    isOne = isOwn && isShown(element.parentElement, known);
    known.shown.set(element, isOne);
  }
  return isOne;
}

/** The edges that may clip a text in the element or keep it from being scrolled, from the inside out. */
function edgesAround(element: Element | null, known: Known): readonly Edge[] {
  if (!element || element === document.documentElement) return [];
  let edges = known.edges.get(element);
  if (!edges) {
    const { overflowX, overflowY, position, textOverflow, webkitLineClamp } = getComputedStyle(element);
    const isEdge = overflowX !== "visible" || overflowY !== "visible" || position === "fixed";
    edges = edgesAround(element.parentElement, known);
    if (isEdge) {
      const frame = element.getBoundingClientRect();
      const mayEndX = textOverflow === "ellipsis";
      const mayEndY = webkitLineClamp !== "none";
      edges = [{ element, frame, overflowX, overflowY, mayEndX, mayEndY, isFixed: position === "fixed" }, ...edges];
    }
    known.edges.set(element, edges);
  }
  return edges;
}

function whyLost(parent: Element, { box, edges, node }: Standing): string | null {
  let isFixed = false;
  for (const { element, frame, overflowX, overflowY, mayEndX, mayEndY, isFixed: isFixedHere } of edges) {
    const cutsX = overflowX !== "visible" && (box.left < frame.left - 2 || box.right > frame.right + 2);
    const cutsY = overflowY !== "visible" && (box.top < frame.top - 2 || box.bottom > frame.bottom + 2);
    const scrollsX = overflowX === "auto" || overflowX === "scroll";
    const scrollsY = overflowY === "auto" || overflowY === "scroll";
    // A long name, and the first line of a message in a list, may end in an ellipsis: the whole text is shown in
    // another place.
    if ((cutsX && mayEndX) || (cutsY && mayEndY))
      return isBegun(node, frame) ? null : "its beginning gives way to dots";
    if (cutsX && !scrollsX) return `cut off at the side by ${nameOf(element)}`;
    if (cutsY && !scrollsY) return `cut off above or below by ${nameOf(element)}`;
    if (scrollsX || scrollsY) return null;
    if (isFixedHere) isFixed = true;
  }
  if (box.left < -1 || box.right > innerWidth + 1) return "outside of the window";
  if (isFixed && (box.top < -1 || box.bottom > innerHeight + 1)) return "outside of the window, and nothing scrolls";
  return whatCovers(parent, box);
}

/** Whether the first letter is visible: a text in the other direction may lose it. */
function isBegun(node: Node, frame: DOMRect): boolean {
  const first = document.createRange();
  const at = (node.textContent ?? "").search(/\S/u);
  first.setStart(node, at);
  first.setEnd(node, at + 1);
  const { left, right } = first.getBoundingClientRect();
  // Text without any space, such as a country beside its flag at 320 px, is replaced by its neighbour.
  return frame.width < 1 || (left >= frame.left - 2 && right <= frame.right + 2);
}

function whatCovers(parent: Element, box: DOMRect): string | null {
  // Presses and hit tests pass through elements that cannot be pressed.
  const isPassed = parent instanceof HTMLElement && getComputedStyle(parent).pointerEvents === "none";
  if (isPassed) parent.style.pointerEvents = "auto";
  const found = [0.1, 0.5, 0.9].map((part) => coveredAt(parent, box.left + box.width * part, box.top + box.height / 2));
  if (isPassed) parent.style.pointerEvents = "";
  return found.find((why) => why !== null) ?? null;
}

function coveredAt(parent: Element, x: number, y: number): string | null {
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return null;
  const top = document.elementsFromPoint(x, y).find((one) => getComputedStyle(one).pointerEvents !== "none");
  if (!top || top.contains(parent) || parent.contains(top)) return null;
  // Text under an open dialog or toast is readable after that has closed.
  const dialog = top.closest('[role="dialog"], [role="alertdialog"], dialog, [data-toasts] > *');
  if (dialog && !dialog.contains(parent)) return null;
  // A native control covers the text of its label.
  if (top.closest("label")?.contains(parent)) return null;
  const paints = getComputedStyle(top).backgroundColor !== "rgba(0, 0, 0, 0)" || isDrawn(top);
  const common = parent.closest("label, button, a");
  return !paints || common?.contains(top) ? null : `covered by ${nameOf(top)}`;
}

function isDrawn(element: Element): boolean {
  return element.textContent?.trim() !== "" || element.closest("svg, img") !== null;
}

function nameOf(element: Element): string {
  const style = typeof element.className === "string" ? element.className.split(" ")[0] : "";
  return `<${element.tagName.toLowerCase()} ${style}>`;
}

const parts = [
  sidewaysBoxes,
  isRead,
  isShown,
  edgesAround,
  whyLost,
  isBegun,
  whatCovers,
  coveredAt,
  isDrawn,
  nameOf,
  lostTexts,
];

/** Evaluated in a page: the lost texts, one line each. */
export const lostTextsInPage = `(() => { ${parts.map(String).join("\n")}\n return lostTexts(); })()`;
