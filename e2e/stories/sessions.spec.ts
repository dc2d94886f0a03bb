import { expect, type Page } from "@playwright/test";
import { giveBeans } from "../support/beans.ts";
import { expectHome, expectLeftBy, expectTogether, meet, signIn, startChat, test } from "../support/people.ts";
import { emptyPath } from "../support/session.ts";
import { emptyStorage } from "../support/shared-pages.ts";
import { words } from "../support/words.ts";

/** The names of what the browser stores for the product. */
function storedNames(page: Page): Promise<string[]> {
  return page.evaluate(() => Object.keys(localStorage).toSorted());
}

test("[SIGNIN-6] tells the first browser about a sign-in elsewhere, and clears its personal data", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Moves" }), person({ name: "Bo Remains" })]);
  await meet(ana, bo);
  const elsewhere = await person({ name: "Ana Moves" });

  const notice = ana.getByRole("alertdialog", { name: words("kick.title") });
  await expect(notice).toBeVisible();
  await expectLeftBy(bo, "Ana Moves");
  expect(await storedNames(ana)).toEqual([]);
  await notice.getByRole("button", { name: words("common.ok") }).click();
  await expectHome(ana);
  await expect(ana.getByRole("heading", { name: words("home.title") })).toBeVisible();
  await expect(ana.getByText("Ana Moves", { exact: true })).toHaveCount(0);

  await startChat(elsewhere);
  await expectTogether(elsewhere, bo);
});

test("[STORE-1] [SIGNIN-5] keeps only the choices of the browser at sign-out, and goes home", async ({ person }) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Leaves" }), person({ name: "Bo Met" })]);
  await ana.goto("/?from=somewhere");
  await ana.getByRole("button", { name: words("home.start") }).click();
  await ana.getByRole("checkbox", { name: words("rules.never") }).check();
  await ana.getByRole("button", { name: words("rules.ok") }).click();
  await startChat(bo);
  await expectTogether(ana, bo);
  await ana.getByRole("button", { name: words("call.end") }).click();
  await expectLeftBy(bo, "Ana Leaves");

  await ana.getByRole("button", { name: words("home.account") }).click();
  await ana.getByRole("menuitemradio", { name: words("menu.theme.dark") }).click();
  await ana.getByRole("menuitem", { name: words("menu.signOut") }).click();
  await expect(ana).toHaveURL("/");
  await expect(ana.getByRole("heading", { name: words("home.title") })).toBeVisible();
  const kept = await storedNames(ana);
  expect(["language", "neverShowRule", "theme"]).toEqual(expect.arrayContaining(kept));
  expect(kept).toEqual(expect.arrayContaining(["neverShowRule", "theme"]));
});

test("needs one sign-in, and nothing else, after the browser has deleted its storage, as Safari does", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([
    person({ name: "Ana Returns" }, { isUsedUp: true }),
    person({ name: "Bo Waits" }),
  ]);
  await ana.goto(emptyPath);
  await ana.evaluate(emptyStorage);
  await ana.goto("/");
  await expect(ana.getByRole("heading", { name: words("home.title") })).toBeVisible();
  await signIn(ana, { name: "Ana Returns" });
  await expect(ana.getByRole("button", { name: words("home.account") })).toBeVisible();
  await startChat(ana);
  await startChat(bo);
  await expectTogether(ana, bo);
});

test("[SIGN-2] keeps a device working whose clock is two minutes ahead, also after a reload", async ({ person }) => {
  const before = () => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + 120_000;
  };
  const early = await person({ name: "Ana Early" }, { before });
  // The page does not know the server's clock before the first response.
  await early.reload();
  await giveBeans(early, 4_200);
  await startChat(early);
});
