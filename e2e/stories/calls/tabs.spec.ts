import { expect, type Page } from "@playwright/test";
import { pushCodes } from "@fava/wire/pushes.ts";
import { framesOf } from "../../support/frames.ts";
import { expectHome, expectToast, expectTogether, meet, startAgain, test } from "../../support/people.ts";
import { words } from "../../support/words.ts";

const question = (page: Page, name: string) => page.getByRole("dialog", { name: words("takeOver.title", { name }) });

test(
  "asks before a second tab takes over a call, and takes over a mere preview without a question",
  { tag: ["@firefox-deep", "@deep"] },
  async ({ person, partner }) => {
    const [ana, bo] = await Promise.all([person({ name: "Ana Tabs" }), partner({ name: "Bo Stays" })]);
    await meet(ana, bo);
    const key = await ana.evaluate(() => localStorage.getItem("holdPageKey"));
    const second = await ana.context().newPage();
    await second.goto("/");
    await second.getByRole("button", { name: words("home.start") }).click();
    await question(second, "Bo Stays")
      .getByRole("button", { name: words("common.cancel") })
      .click();
    await expectTogether(ana, bo);

    await second.getByRole("button", { name: words("home.start") }).click();
    // A toast stays for three seconds.
    await Promise.all([
      expectToast(ana, "notice.otherTab"),
      question(second, "Bo Stays")
        .getByRole("button", { name: words("takeOver.here") })
        .click(),
    ]);
    await expectHome(ana);
    await expect(ana.getByText(words("home.offTitle"))).toBeVisible();
    await expectTogether(second, bo);
    await expectHome(ana);
    expect(await second.evaluate(() => localStorage.getItem("holdPageKey"))).not.toBe(key);
    const frames = framesOf(bo);
    expect(new Set(frames.pushes(pushCodes.matched).map(({ roomId }) => roomId)).size).toBe(1);
    expect(frames.pushes(pushCodes.otherLeft)).toEqual([]);

    // Nor does the camera of the first tab open over the call.
    await ana.getByRole("button", { name: words("home.turnOn") }).click();
    await question(ana, "Bo Stays")
      .getByRole("button", { name: words("common.cancel") })
      .click();
    await expectTogether(second, bo);
    await second.keyboard.press("Escape");
    await expectHome(second);

    await ana.getByRole("button", { name: words("home.turnOn") }).click();
    await expect(ana.getByText(words("home.only"))).toBeVisible();
    // A mere preview is taken over without a question, and the tab that has it can be matched.
    await second.getByRole("button", { name: words("home.turnOn") }).click();
    await expect(second.getByText(words("home.only"))).toBeVisible();
    await expect(ana.getByText(words("home.offTitle"))).toBeVisible();
    await startAgain(second);
    await expectTogether(second, bo);
  },
);
