import { afterEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { formatPercent } from "#lib/format-units.ts";
import { t } from "#lib/i18n.ts";
import { caseOf } from "#testing/desk-case-fixtures.ts";
import { openDesk, openFirstCase } from "#testing/desk-steps.ts";
import type { TranslatingBrowser } from "./browser-translator.ts";

const words = "Beni filme aldı ve para istiyor.";
const places = ["LanguageDetector", "Translator"] as const;
const real = places.map((place) => Object.getOwnPropertyDescriptor(globalThis, place));

afterEach(() => {
  for (const [index, place] of places.entries()) {
    const before = real[index];
    if (before) Object.defineProperty(globalThis, place, before);
    else Reflect.deleteProperty(globalThis, place);
  }
});

/** Gives the page a browser that translates Turkish by `translate`; null: a browser without translation. */
async function openCase(translate: ((signal: AbortSignal) => Promise<string>) | null): Promise<void> {
  const browser: TranslatingBrowser = {
    LanguageDetector: {
      availability: async () => "available",
      create: async () => ({
        detect: async (text) => [{ detectedLanguage: text === words ? "tr" : "en", confidence: 0.9 }],
      }),
    },
    Translator: {
      availability: async () => "downloadable",
      create: async ({ monitor }) => {
        monitor({ addEventListener: (_type, listener) => listener({ loaded: 0.4 }) });
        return {
          translate: (_text, { signal }) => (translate ? translate(signal) : Promise.reject(new Error("none"))),
        };
      },
    },
  };
  for (const place of places)
    Object.defineProperty(globalThis, place, { configurable: true, value: translate ? browser[place] : undefined });
  const nowMs = Date.now();
  const reports = [{ at: nowMs, reason_id: 9 as const, judged: 4, right: 3, note: words }];
  await openDesk("/reportReview", { adminCase: caseOf(0, nowMs, { reports, lines: [] }) });
  await openFirstCase();
  await expect.element(page.getByText(words)).toBeVisible();
}

const offer = () => page.getByRole("button", { name: t("desk.translate.from", { language: "Turkish" }) });

test("shows the translation below the original, and hides it again", async () => {
  await openCase(async () => "He filmed me and wants money.");
  await offer().click();
  const shown = page.getByRole("status").filter({ hasText: "He filmed me and wants money." });
  await expect.element(shown).toBeVisible();
  await expect.element(shown.getByText(t("desk.translate.by", { language: "Turkish" }))).toBeVisible();
  await expect.element(page.getByText(words)).toBeVisible();
  await shown.getByRole("button", { name: t("desk.hide") }).click();
  await expect.element(offer()).toBeVisible();
  await expect.element(shown).not.toBeInTheDocument();
});

test("shows the progress of a download, and stops on a press", async () => {
  const signals: AbortSignal[] = [];
  await openCase((signal) => {
    signals.push(signal);
    return new Promise(() => undefined);
  });
  await offer().click();
  await expect.element(page.getByText(t("desk.translate.loading", { share: formatPercent(40) }))).toBeVisible();
  await page.getByRole("button", { name: t("common.cancel") }).click();
  await expect.element(offer()).toBeVisible();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test("says that the browser could not translate, and tries again on a press", async () => {
  let isDown = true;
  await openCase(async () => {
    if (isDown) throw new DOMException("no network", "NetworkError");
    return "He filmed me and wants money.";
  });
  await offer().click();
  await expect.element(page.getByText(t("desk.translate.failed"))).toBeVisible();
  await expect.element(page.getByText(words)).toBeVisible();
  isDown = false;
  await page
    .getByRole("status")
    .getByRole("button", { name: t("desk.again") })
    .click();
  await expect.element(page.getByText("He filmed me and wants money.")).toBeVisible();
});

test("offers nothing in a browser without translation", async () => {
  await openCase(null);
  await expect.element(page.getByRole("heading", { name: t("desk.words") })).toBeVisible();
  expect(offer().elements()).toEqual([]);
  expect(page.getByRole("button", { name: t("desk.translate"), exact: true }).elements()).toEqual([]);
});
