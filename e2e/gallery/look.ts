import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { RunOptions } from "axe-core";
import type { Page } from "@playwright/test";
import { alikeStatesInPage } from "../support/alike-states.ts";
import { lostTextsInPage } from "../support/lost-texts.ts";
import { clippedTextsInPage, lengthenTexts, restoreTexts } from "./longer-texts.ts";
import { notApartInPage } from "./controls-apart.ts";
import { smallTargetsInPage } from "./small-targets.ts";

/** Ways in which users change the layout of text. */
export interface Way {
  /** Text size only, as some browsers and phones do it (WCAG 1.4.4). */
  fontPercent?: number;
  /** WCAG 1.4.12. */
  spaced?: boolean;
  /** Right to left. */
  mirrored?: boolean;
}

/** One examination of the page, unchanged or with changed text. */
export interface Step {
  /** Prefix of each fault. */
  said: string;
  /** The change of the text before the examination. */
  way?: Way;
  /** What is checked, in this order. */
  faults: readonly ("axe" | "lost" | "longer" | "wider" | "alike" | "apart")[];
  /** Minimum size of controls, checked last. */
  targetPx?: number;
  /** Another window size follows: do not lay the page out and settle in this one. */
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
    /** Initializes the tools on first use. */
    beginExamining?: () => void;
    examining?: Examining;
  }
}

/**
 * Contrasts are tested on the colours of the tokens, in both themes. One rule of axe would first read every style
 * sheet, which `turnedStyles` checks instead.
 */
const axeOptions: RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  preload: false,
  // Target sizes are measured by our own code: axe takes longer for them than for everything else.
  rules: {
    "color-contrast": { enabled: false },
    "target-size": { enabled: false },
    "css-orientation-lock": { enabled: false },
  },
  // Only faults are described.
  resultTypes: ["violations"],
  iframes: false,
};

/** Smaller for every page than the source with its comments. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/**
 * Added to a page before it opens: code that is passed with each examination goes from process to process and is
 * compiled again each time. Axe waits for a timer after each rule, so that a page can draw meanwhile, which is not
 * needed here.
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
  alike: ${String(alikeStatesInPage)},
  apart: ${String(notApartInPage)},
};
};`,
};

/** Runs all steps in one call, because each round trip to the browser is expensive. */
export async function look(page: Page, steps: readonly Step[]): Promise<string[]> {
  const order = { steps, axeOptions };
  const found = await page.evaluate(lookInPage, order);
  if (found !== null) return found;
  await page.evaluate(examiningScript.content);
  return (await page.evaluate(lookInPage, order)) ?? ["nothing could be put into the page"];
}

/** Waits until the page is hydrated, and until the animations of a new size or theme have ended. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(settleInPage);
}

/** Runs in the page; returns null if the page lacks the tools. */
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
      // Nothing is visible under a veil, for axe either.
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
  // Wait until the page has hydrated the server's content and applied its fonts.
  const isAlive = () => !document.documentElement.matches("[data-shell], [data-fonts]");
  for (let frames = 0; frames < 1_800 && !isAlive(); frames += 1) await drawn();
  if (!isAlive()) throw new Error("the page was not hydrated");
  await drawn();
  await drawn();
  // The height of the connection line is applied one frame after it was measured.
  const line = document.querySelector("#reach");
  const room = () => Number.parseFloat(document.documentElement.style.getPropertyValue("--notice"));
  const isMade = () => !line?.isConnected || Math.abs(room() - line.getBoundingClientRect().height) < 1;
  for (let frames = 0; frames < 60 && !isMade(); frames += 1) await drawn();
  // Endless and paused animations never finish.
  const ending = document
    .getAnimations()
    .filter(({ playState, effect }) => playState === "running" && effect?.getComputedTiming().iterations !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
  // React's own message, which comes before this one, has applied the changes of the last frame.
  await new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(null);
  });
}

/** No style tag, because the content security policy would block it. */
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
