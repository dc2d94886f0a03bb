import { expect, type Page } from "@playwright/test";
import { look, picture, test, wordsIn } from "./support/looks.ts";
import { openSampleDesk } from "./support/desk.ts";
import { words } from "./support/words.ts";

/** The first press of J opens the first case, Enter claims it. */
async function openFirstCase(page: Page): Promise<void> {
  await expect(page.getByRole("navigation").getByText("Marko").first()).toBeVisible();
  await page.keyboard.press("j");
  await expect(page.getByRole("heading", { level: 2, name: words("reason.report.9") })).toBeVisible();
  await page.keyboard.press("Enter");
}

test("[UI-31] the queue and a case are without faults", async ({ visit }) => {
  const page = await visit("/");
  await openSampleDesk(page, "/reportReview");
  await look(page, "desk-queue");
  await openFirstCase(page);
  await look(page, "desk-case");
  await page.keyboard.press("Space");
  await expect(page.getByRole("img", { name: /Marko/ })).toBeVisible();
  await picture(page, "desk-shown");
});

test("[DESK-117] nothing of a covered picture is loaded; each look is a call of its own, and ends with the moment", async ({
  visit,
}) => {
  const page = await visit("/");
  await openSampleDesk(page, "/reportReview");
  const looked: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/admin/look")) looked.push(request.postData() ?? "");
  });
  await openFirstCase(page);
  const evidence = page.getByRole("region", { name: words("desk.evidence") });
  await expect(evidence.getByRole("img")).toHaveCount(0);
  expect(looked).toHaveLength(0);
  await page.keyboard.press("Space");
  await expect(evidence.getByRole("img")).toHaveCount(2);
  expect(looked).toHaveLength(2);
  await page.keyboard.press("ArrowLeft");
  await expect(evidence.getByRole("img")).toHaveCount(0);
  await evidence.getByRole("button").first().click();
  await expect(evidence.getByRole("img")).toHaveCount(1);
  expect(looked).toHaveLength(3);
});

test("[UI-31] keys, the dialog to forbid and the undo bar are without faults", async ({ visit }) => {
  const page = await visit("/");
  await openSampleDesk(page, "/reportReview");
  await openFirstCase(page);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: words("desk.keys") })).toBeVisible();
  await look(page, "desk-keys");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.keyboard.press("b");
  await page.keyboard.press("2");
  await expect(page.getByText("görüntülü sohbeti", { exact: false }).first()).toBeVisible();
  await look(page, "desk-forbid");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.keyboard.press("w");
  await expect(page.getByRole("button", { name: words("desk.undo") })).toBeVisible();
  await page.screenshot({ path: "test-results/screens/desk-undo-desktop-light.png" });
});

test("[UI-31] pictures as a grid and one by one are without faults", async ({ visit }) => {
  const page = await visit("/");
  await openSampleDesk(page, "/avatarAudit");
  await expect(page.getByRole("list").getByText("Omar").first()).toBeVisible();
  await page.keyboard.press("a");
  await expect(page.getByText(words("desk.review.approved")).first()).toBeVisible();
  await look(page, "desk-grid");
  await page.keyboard.press("v");
  await page.keyboard.press("Space");
  await look(page, "desk-one");
  await page.goto("/photoReview");
  await expect(page.getByText(words("desk.empty"))).toBeVisible();
  await picture(page, "desk-empty");
});

test("[UI-31] second opinions and appeals are without faults", async ({ visit }) => {
  const page = await visit("/");
  await openSampleDesk(page, "/reportReview/appeals");
  await page.getByRole("button", { name: /Zola/ }).click();
  await expect(page.getByRole("heading", { level: 2, name: /Zola/ })).toBeVisible();
  await look(page, "desk-second");
  // Off the page that a phone shows instead of the list.
  await page.getByRole("button", { name: /Noor/ }).click();
  await expect(page.getByRole("heading", { level: 2, name: /Noor/ })).toBeVisible();
  await page.keyboard.press("3");
  await page.keyboard.type("We read the whole chat. The ban is lifted.");
  await look(page, "desk-appeal");
});

test("[UI-31] figures are without faults, as charts and as tables", async ({ visit }) => {
  const page = await visit("/");
  await openSampleDesk(page, "/reportReview/figures");
  await expect(page.getByRole("figure").first()).toBeVisible();
  await look(page, "desk-figures");
  await page
    .getByRole("button", { name: /Show as table/ })
    .first()
    .click();
  await expect(page.getByRole("table")).toBeVisible();
});

test("[UI-31] the desk stands mirrored in Arabic", async ({ visit }) => {
  const page = await visit("/", { locale: "ar" });
  await openSampleDesk(page, "/reportReview", "ar");
  await expect(page.getByText(wordsIn("ar", "desk.order.harm"))).toBeVisible();
  await page.keyboard.press("j");
  await expect(page.getByRole("heading", { level: 2, name: wordsIn("ar", "reason.report.9") })).toBeVisible();
  await page.keyboard.press("w");
  await picture(page, "desk-case-ar");
  await page.goto("/avatarAudit");
  await expect(page.getByRole("list").getByText("Omar").first()).toBeVisible();
  await picture(page, "desk-grid-ar");
  await page.goto("/reportReview/figures");
  await expect(page.getByRole("figure").first()).toBeVisible();
  await picture(page, "desk-figures-ar");
});
