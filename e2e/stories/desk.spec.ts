import { expect, type Page } from "@playwright/test";
import { myInfo } from "@fava/wire/endpoints/profile.ts";
import { apiUser, reportBy } from "../support/api-user.ts";
import { openDesk } from "../support/desk-person.ts";
import { selfOf } from "../support/friends.ts";
import { startOf } from "../support/people-panel.ts";
import { expectToast, test } from "../support/people.ts";
import { drawPicture } from "../support/pictures.ts";
import { words } from "../support/words.ts";

/** The time to undo, with reserve for a busy machine. */
const sentWithinMs = 30_000;
/** A report reason. */
const harassment = 5;

const queue = (page: Page) => page.getByRole("navigation", { name: words("desk.tab.reports") });
const current = (page: Page) => page.getByRole("navigation").locator("button[aria-current]");
const undoBar = (page: Page) => page.getByRole("status").filter({ hasText: words("desk.undo").source.slice(1, -1) });

/** Moves down the queue until a person's case is open. */
async function openCaseOf(page: Page, name: string): Promise<void> {
  await expect(queue(page).getByText(name)).toBeVisible();
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(current(page)).toContainText(name, { timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole("heading", { level: 2, name })).toBeVisible();
}

test("claims, labels, warns, undoes and bans for a day by keyboard alone", async ({ person, product }) => {
  const ben = await person({ name: "Ben Bothers" });
  await reportBy(await apiUser(product.url, { name: "Rita Reports" }), await selfOf(ben), harassment);
  const mia = await person("mia");
  await openDesk(mia, "/reportReview");
  await openCaseOf(mia, "Ben Bothers");
  await expect(mia.locator("[data-view] > section").getByText("Rita")).toHaveCount(0);
  await mia.keyboard.press("Enter");
  await expect(mia.getByText(words("desk.claim.mine"))).toBeVisible();

  await mia.keyboard.press("l");
  const labels = mia.getByRole("dialog", { name: words("desk.labels.title", { name: "Ben Bothers" }) });
  await expect(labels).toBeVisible();
  await mia.keyboard.press("4");
  await expectToast(mia, "desk.done.label");
  await mia.keyboard.press("Escape");
  // Removed, and not only faded: until then the dialog has the keys.
  await expect(labels).toHaveCount(0);

  await mia.keyboard.press("w");
  await expect(undoBar(mia)).toContainText("Ben Bothers");
  await expect(queue(mia).getByText("Ben Bothers")).toHaveCount(0);
  await mia.keyboard.press("u");
  await expect(queue(mia).getByText("Ben Bothers")).toBeVisible();
  await expect(mia.getByText(words("desk.label.4"))).toBeVisible();

  await mia.keyboard.press("b");
  const forbid = mia.getByRole("dialog", { name: words("desk.forbid.title", { name: "Ben Bothers" }) });
  const statement = forbid.getByText(/You can’t use video chat until/);
  await expect(statement).toBeHidden();
  await mia.keyboard.press("4");
  await expect(forbid.getByRole("button", { name: startOf("desk.forbid.askSecond") })).toBeVisible();
  await mia.keyboard.press("1");
  await expect(statement).toBeVisible();
  await mia.keyboard.press("Enter");
  await expect(undoBar(mia)).toBeVisible();
  await expect(ben.getByRole("alertdialog", { name: words("ban.suspended") })).toBeVisible({ timeout: sentWithinMs });
});

test("sends pending decisions when the page is left", { tag: "@deep" }, async ({ person, product }) => {
  const sol = await apiUser(product.url, { name: "Sol Silent" });
  const about = await sol.ask(myInfo, { user_id: sol.userId });
  await reportBy(await apiUser(product.url, { name: "Tia Tells" }), about, harassment);
  const mia = await person("mia");
  await openDesk(mia, "/reportReview");
  await openCaseOf(mia, "Sol Silent");
  await mia.keyboard.press("a");
  await expect(undoBar(mia)).toBeVisible();
  // A user takes longer to leave than the page to sign the decision, which takes several turns of the same queue.
  await mia.evaluate(async () => {
    for (let turn = 0; turn < 10; turn += 1) await crypto.subtle.digest("SHA-256", new Uint8Array(turn));
  });
  // Another document, long before the time to undo is over.
  await openDesk(mia, "/reportReview");
  await expect(async () => {
    await mia.reload();
    await expect(queue(mia)).toHaveAttribute("aria-busy", "false", { timeout: 2_000 });
    await expect(queue(mia).getByText("Sol Silent")).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
});

test(
  "stores a refused text in the profile after a moderator accepts it by keyboard",
  { tag: "@deep" },
  async ({ person }) => {
    const vera = await person({ name: "Vera Volleyball" });
    await vera.getByRole("button", { name: words("home.account") }).click();
    await vera.getByRole("menuitem", { name: words("menu.profile") }).click();
    const profile = vera.getByRole("dialog", { name: words("profile.title") });
    const location = profile.getByLabel(words("profile.location"));
    await location.fill("asked.example.com");
    await profile.getByRole("button", { name: words("asked.press") }).click();
    await expect(profile.getByText(words("asked.promised"))).toBeVisible();
    await expect(location).toHaveValue("");

    const mia = await person("mia");
    await openDesk(mia, "/reportReview/texts");
    const texts = mia.getByRole("navigation", { name: words("desk.tab.texts") });
    await expect(texts.getByText("Vera Volleyball")).toBeVisible();
    await expect(async () => {
      await mia.keyboard.press("j");
      await expect(current(mia)).toContainText("Vera Volleyball", { timeout: 1_000 });
    }).toPass();
    await expect(mia.locator("mark")).toHaveText("asked.example.com");
    await mia.keyboard.press("a");
    await expect(undoBar(mia)).toContainText("Vera Volleyball");
    await expect(vera.getByText(words("asked.answer.text_accepted")).first()).toBeVisible({ timeout: sentWithinMs });
    await vera.reload();
    await vera.getByRole("button", { name: words("home.account") }).click();
    await vera.getByRole("menuitem", { name: words("menu.profile") }).click();
    await expect(location).toHaveValue("asked.example.com");
  },
);

test("approves an avatar by keyboard alone, and shows it to others", async ({ person }) => {
  const lea = await person({ name: "Lea Looks" });
  await lea.getByRole("button", { name: words("home.account") }).click();
  await lea.getByRole("menuitem", { name: words("menu.profile") }).click();
  const profile = lea.getByRole("dialog", { name: words("profile.title") });
  await profile
    .locator("input[type=file]")
    .first()
    .setInputFiles(await drawPicture(lea, 600, 600));
  await lea
    .getByRole("dialog", { name: words("crop.title") })
    .getByRole("button", { name: words("crop.use") })
    .click();
  await expect(profile.getByText(words("profile.newWaiting"))).toBeVisible();

  const mia = await person("mia");
  await openDesk(mia, "/avatarAudit");
  const card = mia.getByRole("listitem").filter({ hasText: "Lea Looks" });
  await expect(card).toBeVisible();
  await mia.keyboard.press("v");
  await expect(mia.getByRole("heading", { level: 3, name: "Lea Looks" })).toBeVisible();
  const picture = mia.getByAltText(words("desk.review.pictureOf", { name: "Lea Looks" }));
  if (!(await picture.isVisible())) {
    // An image that was not seen is not approved.
    await mia.keyboard.press("a");
    await expectToast(mia, "desk.review.unseen");
    await mia.keyboard.press("Space");
  }
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await mia.keyboard.press("v");
  await mia.keyboard.press("a");
  await expect(card.getByText(words("desk.review.approved"))).toBeVisible();
  await expect(undoBar(mia)).toContainText("Lea Looks");
  await expect(undoBar(mia)).toBeHidden({ timeout: sentWithinMs });
  await lea.reload();
  await expect(lea.getByRole("button", { name: words("home.account") }).locator("img")).toBeVisible();
});

test(
  "bans a user found by name without a report, and shows no data of a moderator",
  { tag: "@deep" },
  async ({ person }) => {
    const dan = await person({ name: "Dan Direct" });
    const mia = await person("mia");
    await openDesk(mia, "/reportReview/figures");
    await mia.keyboard.press("Control+k");
    const find = mia.getByRole("dialog", { name: words("desk.find.title") });
    await expect(find.getByRole("searchbox")).toBeFocused();
    await mia.keyboard.type("Dan Direct");
    await mia.keyboard.press("Enter");
    await find.getByRole("button", { name: /Dan Direct/ }).press("Enter");
    const panel = mia.getByRole("dialog", { name: "Dan Direct" });
    await panel.getByRole("button", { name: words("desk.operation.4") }).press("Enter");
    await mia
      .getByRole("dialog", { name: words("desk.forbid.title", { name: "Dan Direct" }) })
      .getByLabel(words("desk.reason"))
      .selectOption("3");
    await mia.getByRole("radio", { name: startOf("desk.hours.24") }).check();
    await mia.keyboard.press("Enter");
    await expect(dan.getByRole("alertdialog", { name: words("ban.suspended") })).toBeVisible();

    await expect(panel).toBeHidden();
    await mia.keyboard.press("Control+k");
    await mia.keyboard.type("Noor");
    await mia.keyboard.press("Enter");
    await find.getByRole("button", { name: /Noor/ }).first().press("Enter");
    await expectToast(mia, "desk.refused.colleague");
    await expect(mia.getByRole("dialog")).toHaveCount(0);
  },
);
