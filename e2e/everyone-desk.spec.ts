import { expect } from "@playwright/test";
import { openStatement } from "./support/beans.ts";
import { openSampleDesk } from "./support/desk.ts";
import { forEveryone } from "./support/for-everyone.ts";
import { signInHere, test } from "./support/looks.ts";
import { beginSession } from "./support/session.ts";
import { choosePack } from "./support/shop.ts";
import { words } from "./support/words.ts";

// Each test walks screens in many sizes.
test.setTimeout(240_000);

test("[A11Y-20, A11Y-21, A11Y-40] payment and statement serve large text, fingers and forced colours", async ({
  visit,
}) => {
  const page = await visit("/");
  await beginSession(page, { name: "Everyone Pays" });
  await page.getByRole("button", { name: words("home.account") }).waitFor();
  await choosePack(page);
  await forEveryone(page, "payment");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await openStatement(page);
  await forEveryone(page, "statement");
});

test("[A11Y-20, A11Y-21, A11Y-40] the desk with an open case does", async ({ visit }) => {
  const page = await visit("/");
  await openSampleDesk(page, "/reportReview");
  await page.getByRole("navigation").getByText("Marko").first().waitFor();
  await page.keyboard.press("j");
  await page.getByRole("heading", { level: 2, name: words("reason.report.9") }).waitFor();
  await forEveryone(page, "desk");
});

test("[A11Y-20, A11Y-21, A11Y-40] the page of prices does", async ({ visit }) => {
  const page = await visit("/");
  await signInHere(page, "ada");
  await page.getByRole("button", { name: words("home.account") }).waitFor();
  await page.goto("/admin");
  await expect(page.getByRole("heading", { name: words("admin.packs.title") })).toBeVisible();
  await forEveryone(page, "prices");
});
