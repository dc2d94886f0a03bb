import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { activateLanguage } from "#lib/i18n.ts";
import { setCallShown } from "#lib/call-shown.ts";
import { tolerateTranslators } from "#lib/translated-nodes.ts";
import { shownToasts } from "#ui/toast-store.ts";
import { followTranslation } from "./page-translation.ts";

// oxlint-disable-next-line typescript/unbound-method -- only put back
const { insertBefore, removeChild } = Node.prototype;
let owner: AbortController;

beforeEach(async () => {
  await activateLanguage("en", { remember: false });
  owner = new AbortController();
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  tolerateTranslators();
});

afterEach(() => {
  owner.abort();
  Object.assign(Node.prototype, { insertBefore, removeChild });
  document.documentElement.className = "";
});

/** Replaces each text by two elements, as Chrome's translator does. Resolves once the page has had time to notice. */
async function translate(root: Element): Promise<void> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (text.parentElement?.closest("font")) continue;
    const font = document.createElement("font");
    font.append(Object.assign(document.createElement("font"), { textContent: `[${text.data}]` }));
    text.replaceWith(font);
  }
  await Promise.resolve();
}

function Bare({ isBusy, words, hint }: { isBusy: boolean; words: string; hint: string | null }): ReactNode {
  return (
    <p>
      {isBusy && <i>busy </i>}
      {words}
      {hint}
    </p>
  );
}

test("removes and rewrites a text that a translator has replaced, and inserts an element before it", async () => {
  followTranslation(owner.signal);
  const { container, rerender } = await flushSync(() => render(<Bare isBusy={false} words="send" hint=" soon" />));
  await translate(container);
  expect(container.textContent).toBe("[send][ soon]");
  await flushSync(() => rerender(<Bare isBusy words="send" hint=" soon" />));
  expect(container.textContent).toBe("busy [send][ soon]");
  await flushSync(() => rerender(<Bare isBusy={false} words="send" hint={null} />));
  expect(container.textContent).toBe("[send]");
  await flushSync(() => rerender(<Bare isBusy={false} words="sent" hint={null} />));
  expect(container.textContent).toBe("sent");
  await translate(container);
  await flushSync(() => rerender(<Bare isBusy={false} words="read" hint={null} />));
  expect(container.textContent).toBe("read");
});

test("keeps the page working where a text was replaced before the page follows translators, and warns at most once", async () => {
  const { container, rerender } = await flushSync(() => render(<Bare isBusy={false} words="send" hint=" soon" />));
  await translate(container);
  await flushSync(() => rerender(<Bare isBusy words="send" hint={null} />));
  expect(container.textContent).toContain("busy");
  await flushSync(() => rerender(<Bare isBusy={false} words="sent" hint={null} />));
  expect(container.textContent).not.toContain("busy");
  expect(vi.mocked(console.warn).mock.calls.length).toBeLessThanOrEqual(1);
});

test("offers the languages of Fava once where the document is marked as translated, and never over a call", async () => {
  const isOffered = () => shownToasts().length > 0;
  followTranslation(owner.signal);
  setCallShown(true);
  document.documentElement.classList.add("translated-rtl");
  await Promise.resolve();
  expect(isOffered()).toBe(false);
  setCallShown(false);
  expect(isOffered()).toBe(true);
  setCallShown(true);
  expect(isOffered()).toBe(false);
  setCallShown(false);
  expect(isOffered()).toBe(false);
  // As on the next visit in this browser.
  followTranslation(owner.signal);
  expect(isOffered()).toBe(false);
});
