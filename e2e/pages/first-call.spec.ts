import { expect } from "@playwright/test";
import { offeredLanguagesDefault } from "@fava/wire/languages.ts";
import { reportReasonIds } from "@fava/wire/reasons.ts";
import { memberAnswers, otherUserOf } from "@fava/web/testing/fixtures.ts";
import { loginOf, newcomer, onboardingAnswers } from "@fava/web/testing/onboarding-fixtures.ts";
import { test } from "../support/fixture-page.ts";
import { firstSearch, pressSaid } from "../support/first-search.ts";
import { chooseAna, openProvider } from "../support/provider-window.ts";
import { wordsOf } from "../support/words.ts";

declare global {
  interface Window {
    /** What it took so far to reach a search. */
    firstVisit: { presses: number; dialogs: number };
  }
}

test.use({ offered: { languages: [...offeredLanguagesDefault, "de"], pages: "joined" } });

for (const [language, locale, direction] of [
  ["zh-CN", "zh-TW", "ltr"],
  ["ar", "ar-EG", "rtl"],
  ["tr", "tr-TR", "ltr"],
  ["id", "id-ID", "ltr"],
  ["de", "de-AT", "ltr"],
] as const) {
  const tag = language === "zh-CN" || language === "ar" ? [] : "@deep";
  test(`leads from the first visit to the first call in ${language}`, { tag }, async ({ world }) => {
    const said = wordsOf(language);
    const page = await world.open({
      locale,
      devices: "allowed",
      before: countPressesAndDialogs,
      answers: {
        ...memberAnswers(newcomer),
        ...onboardingAnswers(),
        login: loginOf(newcomer),
        userInfo: otherUserOf("Bo"),
      },
    });
    await expect(page.locator("html")).toHaveAttribute("dir", direction);
    await firstSearch(page, language, async () => chooseAna(await openProvider(page, "Google", said)));
    expect(await page.evaluate(() => window.firstVisit)).toEqual({ presses: 6, dialogs: 3 });
    for (const call of ["login", "userUpdate", "matchStart"] as const) {
      const languages = world.server.asked(call).map((asked) => asked.language);
      expect(new Set(languages), call).toEqual(new Set([language]));
    }
    await world.match(page, { remote: { nickname: "Bo" } });
    await expect(page.locator("[data-match-state]")).toHaveAttribute("data-status", "in-call");
    // The remote video was really shown.
    await expect.poll(() => world.server.socket.heard("media").map(({ state }) => state)).toContain("playing");
    await expect(page.getByLabel(said("call.remote"))).toBeVisible();
    await expect(page.getByText("Bo", { exact: true }).first()).toBeVisible();
    await pressSaid(page, said("people.reportName", { name: "Bo" }));
    const report = page.getByRole("dialog");
    for (const id of reportReasonIds) {
      const hint = said(`reason.reportHint.${id}`).source.slice(1, -1);
      const reason = said(`reason.report.${id}`).source.slice(1, -1);
      await expect(report.getByRole("radio", { name: new RegExp(`^${reason}\\s*${hint}$`, "u") })).toBeVisible();
    }
    await page.keyboard.press("Escape");
    await pressSaid(page, said("call.end"));
    await expect(page.getByRole("button", { name: said("home.start") })).toBeVisible();
  });
}

/** Runs in the page before its own scripts. */
function countPressesAndDialogs(): void {
  window.firstVisit = { presses: 0, dialogs: 0 };
  addEventListener("pointerdown", () => (window.firstVisit.presses += 1), { capture: true });
  const seen = new WeakSet<Element>();
  new MutationObserver(() => {
    for (const dialog of document.querySelectorAll('[role="dialog"], [role="alertdialog"]')) {
      if (!seen.has(dialog)) window.firstVisit.dialogs += 1;
      seen.add(dialog);
    }
  }).observe(document, { childList: true, subtree: true, attributeFilter: ["role"] });
}
