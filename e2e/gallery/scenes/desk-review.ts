import { expect } from "@playwright/test";
import type { InputOf } from "@fava/wire/endpoint.ts";
import type { adminAppeal } from "@fava/wire/endpoints/appeals.ts";
import { appealDetailOf, noFigures } from "@fava/web/testing/desk-appeal-fixtures.ts";
import { ada } from "@fava/web/testing/admin-fixtures.ts";
import { galleryNowMs } from "@fava/web/testing/fixtures.ts";
import { atDesk, closeDialog, fault, never, openByKey, untilToastGone, untilLoading } from "../desk-steps.ts";
import { holdTimers } from "../held-timers.ts";
import { scene } from "../scene.ts";

export const deskReviewScenes = [
  scene("images as a grid and one by one", atDesk("/avatarAudit"), async ({ page, said, show }) => {
    await holdTimers(page);
    // Random checks can be approved together only after all of them were seen.
    await page.locator("header:has(h2) > button", { hasText: /[6٦]/ }).waitFor();
    await page.keyboard.press("a");
    await expect(page.getByText(said("desk.review.approved")).first()).toBeVisible();
    await show("desk-grid");
    await page.keyboard.press("v");
    await expect(page.getByRole("heading", { level: 3 })).toBeVisible();
    await show("desk-one-covered");
    await page.keyboard.press("Space");
    await expect(page.getByRole("button", { name: said("desk.hide") })).toBeVisible();
    await show("desk-one");
    await openByKey(page, "r", said("desk.review.rejectTitle"));
    await show("desk-reject");
    await closeDialog(page);
    await openByKey(page, "?", said("desk.keys"));
    await show("desk-picture-keys");
  }),

  scene("images: none, loading and failed", atDesk("/photoReview"), async ({ page, said, show, world }) => {
    await expect(page.getByText(said("desk.empty"))).toBeVisible();
    await show("desk-pictures-empty");
    world.server.answer({ adminImageList: fault });
    await page.reload();
    await expect(page.getByText(said("desk.failed"))).toBeVisible();
    await untilToastGone(page);
    await show("desk-pictures-failed");
    world.server.answer({ adminImageList: never });
    await page.reload();
    await expect(page.locator("[aria-busy=true]")).toBeVisible();
    await untilLoading(page);
    await show("desk-pictures-loading");
  }),

  scene("disputed texts and mutes", atDesk("/reportReview/texts"), async ({ page, said, show, world }) => {
    const row = (name: string) => page.getByRole("navigation").getByRole("button", { name });
    await row("Marko").click();
    await page.getByText(said("asked.muteUntil")).waitFor();
    await show("words-desk-mute");
    await row("Jon").click();
    await page.getByText("21-19 18-21 21-15").waitFor();
    await show("words-desk-text");
    await row("Zola").click();
    await page.getByText(said("asked.provider")).waitFor();
    await show("words-desk-name");
    world.server.answer({ adminTextList: { rows: [], next: null, waiting: 0, oldest_at: null } });
    await page.reload();
    await page.getByText(said("desk.empty")).waitFor();
    await show("words-desk-empty");
  }),

  scene("second opinions and appeals", atDesk("/reportReview/appeals"), async ({ page, said, show }) => {
    const row = (name: string) => page.getByRole("navigation").getByRole("button", { name });
    await row("Zola").waitFor();
    await show("desk-appeals");
    await row("Zola").click();
    await expect(
      page.getByRole("heading", { level: 2, name: said("desk.second.title", { name: "Zola" }) }),
    ).toBeVisible();
    await show("desk-second");
    await row("Kai").click();
    await expect(page.getByText(said("desk.closed.first"))).toBeVisible();
    await show("desk-second-own");
    await row("Noor").click();
    await expect(
      page.getByRole("heading", { level: 2, name: said("desk.appeal.title", { name: "Noor" }) }),
    ).toBeVisible();
    await show("desk-appeal");
    await page.keyboard.press("2");
    await expect(page.getByRole("textbox", { name: /./ })).toBeFocused();
    await page.keyboard.type("We read the whole chat. The ban ends sooner.");
    await show("desk-appeal-shorten");
    await holdTimers(page);
    await page.keyboard.press("Control+Enter");
    await expect(page.getByRole("button", { name: said("desk.undo") })).toBeVisible();
    await show("desk-appeal-undo");
  }),

  scene(
    "a decided appeal, and none",
    atDesk("/reportReview/appeals", {
      adminAppeal: ({ id }: InputOf<typeof adminAppeal>) =>
        appealDetailOf(Number(id), galleryNowMs, { closed_because: "decided", decided_by: null, case: null }),
    }),
    async ({ page, said, show, world }) => {
      await page.getByRole("navigation").getByRole("button", { name: "Rosa" }).click();
      await expect(page.getByText(said("desk.closed.decided"))).toBeVisible();
      await show("desk-appeal-decided");
      world.server.answer({ adminAppealList: { seconds: [], appeals: [] } });
      await page.reload();
      await expect(page.getByText(said("desk.appeals.none")).first()).toBeVisible();
      await show("desk-appeals-empty");
    },
  ),

  scene(
    "appeals, loading and failed",
    atDesk("/reportReview/appeals", { adminAppealList: never }),
    async ({ page, said, show, world }) => {
      await expect(page.getByRole("navigation", { name: said("desk.appeals.waiting") })).toHaveAttribute(
        "aria-busy",
        "true",
      );
      await untilLoading(page);
      await show("desk-appeals-loading");
      world.server.answer({ adminAppealList: fault });
      await page.reload();
      await expect(page.getByText(said("desk.failed"))).toBeVisible();
      await untilToastGone(page);
      await show("desk-appeals-failed");
    },
  ),

  scene("the figures of the desk", atDesk("/reportReview/figures"), async ({ page, said, show }) => {
    await expect(page.getByRole("figure")).toHaveCount(4);
    await show("desk-figures");
    await page.keyboard.press("Space");
    await expect(page.getByRole("img", { name: said("desk.audit.picture") })).toBeVisible();
    await show("desk-random-check");
    for (const toggle of await page.getByRole("figure").getByRole("button").all()) await toggle.click();
    await expect(page.getByRole("table")).toHaveCount(4);
    await expect(page.getByRole("rowheader", { name: said("desk.rule.code_in_picture") })).toBeVisible();
    await show("desk-figures-tables");
  }),

  scene(
    "text rules and disputes",
    { ...atDesk("/reportReview/figures"), as: ada },
    async ({ page, said, show, world }) => {
      const rules = page.getByRole("region", { name: said("disputed.title") });
      // Content that loads above would move it.
      await expect(page.getByRole("figure")).toHaveCount(4);
      await expect(rules.getByText(said("disputed.marked")).first()).toBeVisible();
      await rules.evaluate((element) => element.scrollIntoView());
      await show("desk-text-rules");
      world.server.answer({ adminTextRules: { rows: [] } });
      await page.reload();
      await expect(page.getByRole("figure")).toHaveCount(4);
      await expect(page.getByText(said("disputed.none"))).toBeVisible();
      await page.getByText(said("disputed.none")).scrollIntoViewIfNeeded();
      await show("desk-text-rules-none");
    },
  ),

  scene(
    "figures, empty, loading and failed",
    atDesk("/reportReview/figures", { adminFigures: noFigures }),
    async ({ page, said, show, world }) => {
      await expect(page.getByRole("figure")).toHaveCount(4);
      await show("desk-figures-none");
      world.server.answer({ adminFigures: fault });
      await page.reload();
      await expect(page.getByText(said("desk.failed"))).toBeVisible();
      await untilToastGone(page);
      await show("desk-figures-failed");
      world.server.answer({ adminFigures: never });
      await page.reload();
      await expect(page.locator("[aria-busy=true]")).toBeVisible();
      await untilLoading(page);
      await show("desk-figures-loading");
    },
  ),

  scene(
    "the shift of an administrator",
    { ...atDesk("/reportReview/shift"), as: ada },
    async ({ page, said, show }) => {
      await expect(page.getByRole("heading", { name: said("desk.shift.now") })).toBeVisible();
      await expect(page.getByText(said("desk.event.appeal_lifted"))).toBeVisible();
      await show("desk-shift");
      await page.getByRole("radio", { name: said("desk.filter.all") }).check();
      await expect(page.getByRole("combobox")).toHaveCount(2);
      await show("desk-log");
      await page.getByRole("main").getByRole("listitem").getByRole("button").first().click();
      await expect(page.getByRole("alertdialog")).toBeVisible();
      await show("desk-reopen");
      await closeDialog(page);
      await openByKey(page, "Control+k", said("desk.find.title"));
      const sheet = page.getByRole("dialog", { name: said("desk.find.title") });
      await sheet.getByRole("radio", { name: said("desk.find.texts") }).check();
      await sheet.getByRole("searchbox").fill("pay or");
      await page.keyboard.press("Enter");
      await expect(sheet.getByText(said("desk.find.partial"))).toBeVisible();
      await show("desk-find-texts");
    },
  ),
];
