import vm from "node:vm";
import type { BrowserContext, Page } from "@playwright/test";
import { wordsIn } from "./words.ts";

/**
 * The pseudo-locale en-XA: English with accents and some 40 per cent longer, as a translation may be. It exists in these
 * tests alone: what the browser asks for as the English catalog is exchanged on its way (rule I18N-26).
 */
const accents: ReadonlyMap<string, string> = new Map(
  "aáá eéé iíí oóó uúú AÁá EÉé IÍí OÓó UÚú cç nñ sš yý zž CÇ NÑ SŠ YÝ ZŽ"
    .split(" ")
    .map((pair) => [pair.charAt(0), pair.slice(1)]),
);
/** Letters that only the pseudo-locale has on these pages, as a class of an expression. */
const marks = "áéíóúÁÉÍÓÚçñšýžÇÑŠÝŽ";

/** Words in the pseudo-locale; tags stay as they are. */
function pseudo(text: string): string {
  return text
    .split(/(<\/?\w+>)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(/[a-z]/gi, (letter) => accents.get(letter) ?? letter),
    )
    .join("");
}

/** A compiled text of `@lingui/core`: words, and lists for values and plurals. */
type Token = string | readonly [name: string, type?: string, format?: Readonly<Record<string, unknown>>];
type Compiled = string | readonly Token[];

function pseudoMessage(message: Compiled): Compiled {
  return typeof message === "string" ? pseudo(message) : message.map(pseudoToken);
}

function pseudoToken(token: Token): Token {
  if (typeof token === "string") return pseudo(token);
  const [name, type, format] = token;
  if (type === undefined || format === undefined) return token;
  const forms = Object.entries(format).map(([form, texts]) => [form, isCompiled(texts) ? pseudoMessage(texts) : texts]);
  return [name, type, Object.fromEntries(forms) as Record<string, unknown>];
}

function isCompiled(value: unknown): value is Compiled {
  return typeof value === "string" || Array.isArray(value);
}

/** Exchanges the English catalog of every page of a context, which must not keep pages of its own. */
export async function speakPseudo(context: BrowserContext): Promise<void> {
  await context.route(/\/assets\/en-[\w-]+\.js$/, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(catalogLiteral, (_all, literal: string) => {
      const texts = JSON.parse(vm.runInNewContext(literal) as string) as Record<string, Compiled>;
      const exchanged = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, pseudoMessage(text)]));
      return `JSON.parse(${JSON.stringify(JSON.stringify(exchanged))})`;
    });
    await route.fulfill({ response: answer, body });
  });
  // The server sends the home screen with English words in it, which a person's own choices make the page drop.
  await context.addInitScript(() => {
    if (location.protocol.startsWith("http")) localStorage.setItem("filterGender", "0");
  });
}

const catalogLiteral = /JSON\.parse\((`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\)/;

/** What the page says for a key in the pseudo-locale; values match anything. */
export function pseudoWords(key: string): RegExp {
  const text = wordsIn("en", key).replace(/<\/?\w+>/g, "");
  const parts = text.split(/\{\w+\}/).map((part) => pseudo(part).replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".+?")}$`, "u");
}

/** Texts of the pseudo-locale that cannot be read whole: cut off, or outside of their button or of the window. */
export function clippedTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate((letters) => {
    const isOurs = new RegExp(`[${letters}]`);
    const slackPx = 2;
    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = node.textContent?.trim() ?? "";
      if (!element || !isOurs.test(text) || !element.checkVisibility({ visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
      if (boxes.length === 0) continue;
      const fault = faultOf(element, boxes);
      if (fault !== null) found.add(`${fault}: ${text}`);
    }
    return [...found];

    function faultOf(from: Element, boxes: readonly DOMRect[]): string | null {
      const mayScroll = { x: false, y: false };
      for (let around: Element | null = from; around && around !== document.body; around = around.parentElement) {
        const { overflowX, overflowY, clipPath, position } = getComputedStyle(around);
        const place = around.getBoundingClientRect();
        // Words for screen readers alone.
        if (clipPath !== "none" || (position === "absolute" && place.width <= 1)) return null;
        mayScroll.x ||= /auto|scroll/.test(overflowX);
        mayScroll.y ||= /auto|scroll/.test(overflowY);
        const cutsX = /hidden|clip/.test(overflowX) && !mayScroll.x;
        const cutsY = /hidden|clip/.test(overflowY) && !mayScroll.y;
        const isCut = (box: DOMRect) => (cutsX && isBeside(box, place)) || (cutsY && isAbove(box, place));
        if (boxes.some(isCut)) return "cut off";
      }
      const button = from.closest("button, a, [role=tab], [role=menuitem], label");
      if (button && getComputedStyle(button).display !== "inline") {
        const place = button.getBoundingClientRect();
        if (boxes.some((box) => isBeside(box, place) || isAbove(box, place))) return "outside of its button";
      }
      const page = new DOMRect(0, 0, innerWidth, 0);
      return !mayScroll.x && boxes.some((box) => isBeside(box, page)) ? "outside of the window" : null;
    }

    function isBeside(box: DOMRect, place: DOMRect): boolean {
      return box.left < place.left - slackPx || box.right > place.right + slackPx;
    }

    function isAbove(box: DOMRect, place: DOMRect): boolean {
      return box.top < place.top - slackPx || box.bottom > place.bottom + slackPx;
    }
  }, marks);
}
