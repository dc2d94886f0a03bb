import { expect, type Page } from "@playwright/test";
import { pushCodes } from "@fava/wire/pushes.ts";
import { framesOf } from "../../support/frames.ts";
import { expectHome, expectToast, expectTogether, meet, startChat, test } from "../../support/people.ts";
import { words } from "../../support/words.ts";

const question = (page: Page, name: string) => page.getByRole("dialog", { name: words("takeOver.title", { name }) });

test("[CALL-12] [CALL-85] [STORE-14] a second tab asks before it takes a call over, which then goes on there; the first one says so", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Tabs" }), person({ name: "Bo Stays" })]);
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
  // A notice stands for three seconds.
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
});

test("[CALL-12] [CALL-85] the camera of a second tab is not opened over a call; a preview alone is taken over without a question", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Previews" }), person({ name: "Bo Searches" })]);
  await meet(ana, bo);
  const second = await ana.context().newPage();
  await second.goto("/");
  await second.getByRole("button", { name: words("home.turnOn") }).click();
  await question(second, "Bo Searches")
    .getByRole("button", { name: words("common.cancel") })
    .click();
  await expectTogether(ana, bo);
  await ana.keyboard.press("Escape");
  await expectHome(ana);

  await second.getByRole("button", { name: words("home.turnOn") }).click();
  await expect(second.getByText(words("home.only"))).toBeVisible();
  // A preview alone is taken over, and the tab that has it can be met.
  await ana.getByRole("button", { name: words("home.turnOn") }).click();
  await expect(ana.getByText(words("home.only"))).toBeVisible();
  await expect(second.getByText(words("home.offTitle"))).toBeVisible();
  await startChat(ana);
  await expectTogether(ana, bo);
});
