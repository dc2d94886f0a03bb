import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { RunOptions } from "axe-core";
import type { Page } from "@playwright/test";
import { chosenAlikeInPage } from "../support/chosen.ts";
import { lostTextsInPage } from "../support/lost-texts.ts";
import { clippedTextsInPage, lengthenTexts, restoreTexts } from "./longer-texts.ts";
import { notApartInPage } from "./controls-apart.ts";
import { smallTargetsInPage } from "./small-targets.ts";

/** Ways in which people change how a text stands. */
export interface Way {
  /** Of the text alone, as some browsers and phones do it (WCAG 1.4.4). */
  fontPercent?: number;
  /** WCAG 1.4.12. */
  spaced?: boolean;
  /** From right to left. */
  mirrored?: boolean;
}

/** One look at the page as it stands, or as it stands after a change of its text. */
export interface Step {
  /** Before each fault. */
  said: string;
  /** The text changes to this way first. */
  way?: Way;
  /** What is looked for, in this order. */
  faults: readonly ("axe" | "lost" | "longer" | "wider" | "alike" | "apart")[];
  /** Least width and height of what is pressed, looked for last. */
  targetPx?: number;
  /** The page gets another window next: it is not laid out and waited for in this one. */
  isLeft?: boolean;
}

interface Examining {
  axe: (options: RunOptions) => Promise<string[]>;
  setText: (way: Way) => void;
  settle: () => Promise<void>;
  lengthen: () => void;
  restore: () => void;
  clipped: () => string[];
  lost: () => string[];
  small: (leastPx: number) => string[];
  alike: () => string[];
  apart: () => string[];
}
declare global {
  interface Window {
    axe: typeof axe;
    /** Begins with it where nothing has been looked at yet. */
    beginExamining?: () => void;
    examining?: Examining;
  }
}

/**
 * Contrasts are proven of the colours that styles are made of, in both themes. For one rule axe
 * reads every style sheet first, which `turnedStyles` asks of the sheets themselves.
 */
const axeOptions: RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  preload: false,
  // Sizes of targets are our own to measure: axe takes longer for them than for everything else.
  rules: {
    "color-contrast": { enabled: false },
    "target-size": { enabled: false },
    "css-orientation-lock": { enabled: false },
  },
  // Only faults are described.
  resultTypes: ["violations"],
  iframes: false,
};

/** Less to read for every page than the source with its comments. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/**
 * Given to a page before it is opened: what is handed over with a look goes from process to process each time, and is
 * compiled and warmed up anew. Axe waits for a timer after each of its rules, in which the page goes on and is drawn:
 * nothing here needs that.
 */
export const examiningScript = {
  content: `window.beginExamining = () => {
((setTimeout) => { ${axeSource} })(
  (work, delayMs) => delayMs > 0 ? window.setTimeout(work, delayMs) : queueMicrotask(work),
);
window.examining = {
  axe: ${String(axeInPage)},
  setText: ${String(setTextInPage)},
  settle: ${String(settleInPage)},
  lengthen: ${String(lengthenTexts)},
  restore: ${String(restoreTexts)},
  clipped: ${String(clippedTextsInPage)},
  lost: () => ${lostTextsInPage},
  small: ${String(smallTargetsInPage)},
  alike: ${String(chosenAlikeInPage)},
  apart: ${String(notApartInPage)},
};
};`,
};

/** Looks at the page as often as there are steps, in one go: each errand to the browser costs both sides. */
export async function look(page: Page, steps: readonly Step[]): Promise<string[]> {
  const order = { steps, axeOptions };
  const found = await page.evaluate(lookInPage, order);
  if (found !== null) return found;
  await page.evaluate(examiningScript.content);
  return (await page.evaluate(lookInPage, order)) ?? ["nothing could be put into the page"];
}

/** Until the page has come alive, and what a new size or theme has set in motion stands still. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(settleInPage);
}

/** Runs in the page; null where it has come without the means. */
async function lookInPage(order: { steps: readonly Step[]; axeOptions: RunOptions }): Promise<string[] | null> {
  if (!window.examining) window.beginExamining?.();
  const means = window.examining;
  if (!means) return null;
  const found: string[] = [];
  for (const { said, way, faults, targetPx, isLeft } of order.steps) {
    if (way) means.setText(way);
    const isLonger = faults.includes("longer");
    if (isLonger) means.lengthen();
    if (isLeft) continue;
    await means.settle();
    const told: string[] = [];
    for (const fault of faults) {
      // What is covered by a veil cannot be seen, by axe either.
      if (window.veil) window.veil.disabled = fault === "axe" || fault === "alike";
      if (fault === "axe") told.push(...(await means.axe(order.axeOptions)));
      else if (fault === "lost") told.push(...means.lost());
      else if (fault === "longer") told.push(...means.clipped());
      else if (fault === "apart") told.push(...means.apart());
      else if (fault === "alike") told.push(...means.alike());
      else if (document.documentElement.scrollWidth > innerWidth) told.push("beyond the window");
    }
    if (window.veil) window.veil.disabled = false;
    if (targetPx !== undefined) told.push(...means.small(targetPx).map((target) => `small target ${target}`));
    if (isLonger) means.restore();
    found.push(...told.map((one) => `${said}: ${one}`));
  }
  return found;
}

async function axeInPage(options: RunOptions): Promise<string[]> {
  const { violations } = await window.axe.run(document, options);
  return violations.map(({ id, nodes }) => `axe, ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

async function settleInPage(): Promise<void> {
  const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve));
  // Words that the server has sent have to be found by the page as they are, and stand in their own letters.
  const isAlive = () => !document.documentElement.matches("[data-shell], [data-fonts]");
  for (let frames = 0; frames < 1_800 && !isAlive(); frames += 1) await drawn();
  if (!isAlive()) throw new Error("the page stays what the server has sent");
  await drawn();
  await drawn();
  // Room is made for the line of the reach once it was measured, a frame later.
  const line = document.querySelector("#reach");
  const room = () => Number.parseFloat(document.documentElement.style.getPropertyValue("--notice"));
  const isMade = () => !line?.isConnected || Math.abs(room() - line.getBoundingClientRect().height) < 1;
  for (let frames = 0; frames < 60 && !isMade(); frames += 1) await drawn();
  // One that repeats for ever, or is held, never finishes.
  const ending = document
    .getAnimations()
    .filter(({ playState, effect }) => playState === "running" && effect?.getComputedTiming().iterations !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
  // What the last frame has told React is in the page when its message, which goes before this one, was taken.
  await new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(null);
  });
}

/** No style tag, which the content policy would refuse. */
function setTextInPage({ fontPercent = 100, spaced = false, mirrored = false }: Way): void {
  const root = document.documentElement;
  root.style.fontSize = fontPercent === 100 ? "" : `${fontPercent}%`;
  const ownDir = root.dataset["ownDir"];
  if (mirrored && ownDir === undefined) {
    root.dataset["ownDir"] = root.dir;
    root.dir = root.dir === "rtl" ? "ltr" : "rtl";
  } else if (!mirrored && ownDir !== undefined) {
    root.dir = ownDir;
    delete root.dataset["ownDir"];
  }
  const sheet = new CSSStyleSheet();
  if (spaced) {
    sheet.replaceSync(`
      * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
      p { margin-block-end: 2em !important; }
    `);
  }
  document.adoptedStyleSheets = [
    ...document.adoptedStyleSheets.filter((one) => one === window.veil),
    ...(spaced ? [sheet] : []),
  ];
}
