import { expect, type Page } from "@playwright/test";
import { wishForWomen } from "../../support/beans.ts";
import { befriend } from "../../support/friends.ts";
import { bubbles, log, openFromList, startThread, write } from "../../support/messages-panel.ts";
import {
  expectHome,
  expectLeftBy,
  expectTogether,
  expectToast,
  signIn,
  startChat,
  test,
} from "../../support/people.ts";
import { buyWith, complete, expectBalance } from "../../support/shop.ts";
import { translatePage } from "../../support/translator.ts";
import { words } from "../../support/words.ts";

test(
  "keeps sign-in, Start, call, chat, report, payment and messages working under a page translator",
  { tag: "@deep" },
  async ({ visitor, person }) => {
    test.setTimeout(240_000);
    const ana = await visitor({ before: translatePage });
    const broken: string[] = [];
    ana.on("pageerror", (error) => {
      // Text that was translated before the hydration is rendered again.
      if (!/React error #418/.test(error.message)) broken.push(error.message);
    });
    const bo = await person({ name: "Bo Reads" });
    await startChat(bo);

    await test.step("sign-in, birthday, gender, rules, search and call", async () => {
      await ana.getByRole("button", { name: words("home.start") }).click();
      await signIn(ana, { name: "Ana Translates" });
      const profile = ana.getByRole("dialog", { name: words("complete.title") });
      await profile.getByRole("checkbox", { name: words("birth.mine") }).check();
      await profile.getByRole("radio", { name: words("gender.female") }).check();
      await profile.getByRole("button", { name: words("common.next") }).click();
      await ana.getByRole("button", { name: words("rules.ok") }).click();
      await expectTogether(ana, bo);
    });

    await test.step("chat and report", async () => {
      await say(ana, "Good evening");
      await expect(bo.getByRole("log").getByText("Good evening")).toBeVisible();
      await say(bo, "Guten Abend");
      await expect(ana.getByRole("log").getByText("Guten Abend")).toBeVisible();
      // The user's own text and names are not translated.
      await expect(ana.getByRole("log").locator("[data-from=me] font")).toHaveCount(0);
      await expect(ana.getByRole("log").locator("[data-from=other] font").first()).toBeAttached();
      await expect(ana.locator("section[data-status] bdi font").filter({ hasText: "Bo Reads" })).toHaveCount(0);
      await ana.getByRole("button", { name: words("people.reportName", { name: "Bo Reads" }) }).click();
      const report = ana.getByRole("dialog", { name: words("report.title") });
      await report.getByRole("radio").nth(1).check();
      await report.getByRole("button", { name: words("report.send") }).click();
      await expectToast(ana, "report.sent");
      await ana.getByRole("button", { name: words("call.end") }).click();
      await expectHome(ana);
      await expectLeftBy(bo, "Ana Translates");
    });

    await test.step("payment", async () => {
      await buyWith(ana, "success");
      await expectBalance(ana, "10,000");
      await complete(ana)
        .getByRole("button", { name: words("pay.done") })
        .click();
      await expect(complete(ana)).toBeHidden();
      // The shown price changes; the most expensive one reserves its space, invisible.
      const searching = ana.getByText(words("price.searching"));
      await wishForWomen(ana);
      await expect(searching).toHaveCount(2);
      await ana.getByRole("radio", { name: /^Everyone/ }).click();
      await expect(searching).toHaveCount(1);
    });

    await test.step("messages, whose receipt changes", async () => {
      await bo.keyboard.press("Escape");
      await expectHome(bo);
      await befriend(ana, bo);
      await startThread(ana, "Bo Reads");
      await write(ana, "are you there?");
      await expect(log(ana).getByText(/^Sent/)).toBeVisible();
      await openFromList(bo, "Ana Translates");
      await write(bo, "yes");
      await expect(bubbles(ana)).toHaveText(["are you there?", "yes"]);
      await write(ana, "good");
      await expect(log(ana).getByText(words("msg.read"))).toBeVisible();
      await expect(log(ana).getByText(/^Sent/)).toHaveCount(0);
    });

    expect(await ana.evaluate(() => window.translatedTexts ?? 0)).toBeGreaterThan(100);
    expect(broken).toEqual([]);
  },
);

async function say(page: Page, text: string): Promise<void> {
  const field = page.getByRole("textbox", { name: words("call.placeholder") });
  await field.fill(text);
  await field.press("Enter");
  await expect(field).toHaveValue("");
}
