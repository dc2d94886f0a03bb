import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { formatPercent } from "#lib/format-units.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { caseOf } from "#testing/desk-case-fixtures.ts";
import { openDesk, openFirstCase } from "#testing/desk-steps.ts";
import type { Answers } from "#testing/fixture-world.ts";
import { fakeTranslation, serverTranslation } from "#testing/translating-browser.ts";

const words = "Beni filme aldı ve para istiyor.";
const texts = { [words]: ["tr", { en: "He filmed me and wants money." }] } as const;

const installTurkish = () => fakeTranslation({ texts, packs: { tr: "downloadable" } });

async function openCase(answers: Answers = {}): Promise<void> {
  const nowMs = Date.now();
  const reports = [{ at: nowMs, reason_id: 9 as const, judged: 4, right: 3, note: words }];
  await openDesk("/reportReview", { ...answers, adminCase: caseOf(0, nowMs, { reports, lines: [] }) });
  await openFirstCase();
  await expect.element(page.getByText(words)).toBeVisible();
}

const offer = () => page.getByRole("button", { name: t("translate.from", { language: "Turkish" }) });

test("shows the translation below the original, and hides it again", async () => {
  const browser = installTurkish();
  await openCase();
  await offer().click();
  browser.finishDownload();
  const shown = page.getByRole("status").filter({ hasText: "He filmed me and wants money." });
  await expect.element(shown).toBeVisible();
  await expect.element(shown.getByText(t("translate.by", { language: "Turkish" }))).toBeVisible();
  await expect.element(page.getByText(words)).toBeVisible();
  await shown.getByRole("button", { name: t("desk.hide") }).click();
  await expect.element(offer()).toBeVisible();
  await expect.element(shown).not.toBeInTheDocument();
});

test("shows the progress of a download, and stops on a press", async () => {
  const browser = installTurkish();
  await openCase();
  await offer().click();
  await expect.element(page.getByText(t("translate.loading", { share: formatPercent(40) }))).toBeVisible();
  await page.getByRole("button", { name: t("common.cancel") }).click();
  await expect.element(offer()).toBeVisible();
  expect(browser.downloads.map(({ aborted }) => aborted)).toEqual([true]);
});

test("says that the browser could not translate, and tries again on a press", async () => {
  const browser = installTurkish();
  browser.isBroken = true;
  await openCase();
  await offer().click();
  browser.finishDownload();
  await expect.element(page.getByText(t("translate.failed"))).toBeVisible();
  await expect.element(page.getByText(words)).toBeVisible();
  browser.isBroken = false;
  await page
    .getByRole("status")
    .getByRole("button", { name: t("desk.again") })
    .click();
  await expect.element(page.getByText("He filmed me and wants money.")).toBeVisible();
});

test("asks the operator's translator where the browser has none, below the original", async () => {
  serverTranslation("Our translator");
  let asked: object | null = null;
  await openCase({
    adminTextTranslate: (input) => {
      asked = input;
      return { text: "He filmed me and wants money.", from: "tr" };
    },
  });
  await page.getByRole("button", { name: t("translate.offer"), exact: true }).click();
  const shown = page.getByRole("status").filter({ hasText: "He filmed me and wants money." });
  const by = t("translate.byServer", { language: "Turkish", name: isolate("Our translator") });
  await expect.element(shown.getByText(by)).toBeVisible();
  await expect.element(page.getByText(words)).toBeVisible();
  expect(asked).toMatchObject({ text: words, target: "en" });
});

test("offers nothing in a browser without translation", async () => {
  vi.stubGlobal("Translator", undefined);
  await openCase();
  await expect.element(page.getByRole("heading", { name: t("desk.words") })).toBeVisible();
  expect(offer().elements()).toEqual([]);
  expect(page.getByRole("button", { name: t("translate.offer"), exact: true }).elements()).toEqual([]);
});
