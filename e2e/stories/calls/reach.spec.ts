import { expect, type Page } from "@playwright/test";
import { callScreen, expectCallState, expectTogether, startAgain, startChat, test } from "../../support/people.ts";
import { words } from "../../support/words.ts";

const line = (page: Page) => page.locator("#reach p");
const start = (page: Page) => page.getByRole("button", { name: words("home.start") });
const online = (page: Page) => page.getByRole("banner").getByText(words("home.online"));

test(
  "reports a hanging or dead server at home and in a search within 3 s, and recovers by itself",
  { tag: "@deep" },
  async ({ person, product }) => {
    // A server starts.
    test.setTimeout(240_000);
    const [ana, bo] = await Promise.all([person({ name: "Ana Waits" }), person({ name: "Bo At Home" })]);
    await startChat(ana);
    await expect(online(bo)).toBeVisible();
    process.kill(product.pid, "SIGSTOP");
    try {
      for (const page of [ana, bo]) await expect(line(page)).toHaveText(words("offline.away"));
      await expect(ana.getByRole("heading", { name: words("search.away") })).toBeVisible();
    } finally {
      process.kill(product.pid, "SIGCONT");
    }
    for (const page of [ana, bo]) await expect(line(page)).toBeHidden({ timeout: 60_000 });
    await startChat(bo);
    await expectTogether(ana, bo);
    await bo.getByRole("button", { name: words("call.end") }).click();
    await expect(online(bo)).toBeVisible();
    await expectCallState(ana, "searching");

    await product.kill();
    for (const page of [ana, bo]) await expect(line(page)).toHaveText(words("offline.away"), { timeout: 3_000 });
    await expect(online(bo)).toBeHidden();
    await expect(start(bo)).toHaveAttribute("aria-disabled", "true");
    await expect(ana.getByRole("heading", { name: words("search.away") })).toBeVisible();
    // No search ran for ten seconds, so the page does not say that few users are free.
    await expect(callScreen(ana).getByText(words("search.few"))).toBeHidden();
    await product.restart();
    for (const page of [ana, bo]) await expect(line(page)).toBeHidden({ timeout: 60_000 });
    await expect(online(bo)).toBeVisible();
    await expectCallState(ana, "searching");
    await startAgain(bo);
    await expectTogether(ana, bo);
  },
);
