import { expect } from "@playwright/test";
import { expectCallState, test } from "../support/people.ts";
import { words } from "../support/words.ts";

test("asks for an age check at Start, and searches after the pass at the vendor", async ({ person }) => {
  const ana = await person({ name: "Ana Age" });
  await ana.getByRole("button", { name: words("home.start") }).click();
  await ana.getByRole("button", { name: words("rules.ok") }).click();
  const sheet = ana.getByRole("dialog", { name: words("ageCheck.title") });
  await expect(sheet.getByText(words("ageCheck.text", { vendor: "Sandbox" }))).toBeVisible();
  const opened = ana.context().waitForEvent("page");
  await sheet.getByRole("button", { name: words("ageCheck.begin", { vendor: "Sandbox" }) }).click();
  const vendor = await opened;
  await expect(sheet.getByText(words("ageCheck.pending", { vendor: "Sandbox" }))).toBeVisible();
  const closed = vendor.waitForEvent("close");
  await vendor.getByRole("button", { name: "I am an adult" }).click();
  await closed;
  await expect(sheet.getByText(words("ageCheck.passed"))).toBeVisible();
  await sheet.getByRole("button", { name: words("home.start") }).click();
  await expectCallState(ana, "searching");
});
