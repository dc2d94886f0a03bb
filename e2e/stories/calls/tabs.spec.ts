import { expect } from "@playwright/test";
import { expectHome, expectLeftBy, expectToast, expectTogether, meet, startChat, test } from "../../support/people.ts";
import { words } from "../../support/words.ts";

test("[CALL-12] [STORE-14] a second tab takes the call over, and the first one says so", async ({ person }) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Tabs" }), person({ name: "Bo Stays" })]);
  await meet(ana, bo);
  const key = await ana.evaluate(() => localStorage.getItem("holdPageKey"));
  const second = await ana.context().newPage();
  await second.goto("/");
  await expectTogether(ana, bo);

  // A notice stands for three seconds.
  await Promise.all([expectToast(ana, "notice.otherTab"), startChat(second)]);
  await expectHome(ana);
  await expect(ana.getByText(words("home.offTitle"))).toBeVisible();
  await expectTogether(second, bo);
  await expectHome(ana);
  expect(await second.evaluate(() => localStorage.getItem("holdPageKey"))).not.toBe(key);
});

test("[CALL-12] the camera of a second tab, opened before any search, ends the first tab's call and turns its camera off", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Previews" }), person({ name: "Bo Searches" })]);
  await meet(ana, bo);
  const second = await ana.context().newPage();
  await second.goto("/");
  await Promise.all([
    expectToast(ana, "notice.otherTab"),
    second.getByRole("button", { name: words("home.turnOn") }).click(),
  ]);
  await expect(second.getByText(words("home.only"))).toBeVisible();
  await expectLeftBy(bo, "Ana Previews");
  await expectHome(ana);
  await expect(ana.getByText(words("home.offTitle"))).toBeVisible();

  // A preview alone is taken over the same way, and the tab that has it can be met.
  await ana.getByRole("button", { name: words("home.turnOn") }).click();
  await expect(ana.getByText(words("home.only"))).toBeVisible();
  await expect(second.getByText(words("home.offTitle"))).toBeVisible();
  await startChat(ana);
  await expectTogether(ana, bo);
});
