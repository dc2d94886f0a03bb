import { expect, type Page } from "@playwright/test";
import { codes } from "@fava/wire/codes.ts";
import { roles } from "@fava/wire/people.ts";
import { ada, adminAnswers, changesOf, newShop, reviewOf } from "@fava/web/testing/admin-fixtures.ts";
import { Refusal } from "@fava/web/testing/fixture-world.ts";
import { ana, galleryNowMs } from "@fava/web/testing/fixtures.ts";
import { busyLive, dailyOf } from "@fava/web/testing/live-fixtures.ts";
import { heldAnswer } from "@fava/web/testing/held-answer.ts";
import type { OpenOptions } from "../../support/fixture-page.ts";
import type { Words } from "../../support/words.ts";
import { scene } from "../scene.ts";

const full = newShop({ reviews: [reviewOf(galleryNowMs)], history: changesOf(galleryNowMs) });
const hidden = { id: 9, country_id: 5, golds: 5_000_000, price_minor: 399_999, currency_code: "USD" };
const inOffice = { as: ada, path: "/admin" } as const satisfies OpenOptions;

function packsOf(page: Page, said: Words) {
  return page.getByRole("heading", { name: said("admin.packs.title") });
}

const reading = scene(
  "prices and packs",
  { ...inOffice, answers: { adminShopInfo: () => heldAnswer<never>().answer } },
  async ({ page, said, show, world }) => {
    await page.getByRole("heading", { name: said("admin.title") }).waitFor();
    await show("admin-loading");
    world.server.answer(adminAnswers({}, galleryNowMs));
    await page.reload();
    await packsOf(page, said).waitFor();
    await show("admin-new");
    world.server.answer({ adminShopInfo: { ...full, packs: [hidden, ...full.packs] } });
    await page.reload();
    await page.getByRole("button", { name: said("admin.review.decide") }).waitFor();
    await show("admin");
    await page.getByRole("heading", { name: said("admin.csp.title") }).waitFor();
    await page.getByRole("heading", { name: said("authority.title") }).waitFor();
    await page.getByRole("row").last().scrollIntoViewIfNeeded();
    await show("admin-jobs");
  },
);

const changing = scene("a change of prices", { ...inOffice, answers: adminAnswers() }, async (stage) => {
  const { page, said, show, world } = stage;
  world.server.answer({ adminPricesUpdate: new Refusal(codes.badInput) });
  await packsOf(page, said).waitFor();
  await page.getByLabel(said("admin.price.both")).fill("9999");
  await page.getByText(said("admin.price.wrong.both")).waitFor();
  await show("admin-price-wrong");
  await page.getByLabel(said("admin.price.both")).fill("1900");
  await page.getByLabel(said("admin.price.gender")).fill("1500");
  const save = page.getByRole("button", { name: said("common.save") });
  await save.waitFor();
  await show("admin-price-changed");
  await save.click();
  await page.getByText(said("admin.price.refused")).waitFor();
  await show("admin-price-refused");
  await page.getByLabel(said("admin.price.both")).fill("0");
  await save.click();
  await page.getByText(said("admin.price.drastic")).waitFor();
  await show("admin-price-steep");
});

const packing = scene("a pack that is added and removed", { ...inOffice, answers: adminAnswers() }, async (stage) => {
  const { page, said, show } = stage;
  await packsOf(page, said).waitFor();
  await page.getByRole("button", { name: said("admin.packs.add") }).click();
  const sheet = page.getByRole("dialog", { name: said("admin.packs.add") });
  await sheet.waitFor();
  await show("admin-pack");
  await sheet.getByLabel(said("admin.packs.beans")).fill("5000000");
  await sheet.getByLabel(said("admin.packs.price")).fill("19.999");
  await sheet.getByRole("button", { name: said("admin.packs.add") }).click();
  await sheet.getByText(said("admin.packs.wrong")).waitFor();
  await show("admin-pack-wrong");
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await page
    .getByRole("button", { name: said("admin.packs.remove") })
    .first()
    .click();
  await page.getByRole("alertdialog").waitFor();
  await show("admin-pack-remove");
});

const planning = scene("an hour that is planned", { ...inOffice, answers: adminAnswers() }, async (stage) => {
  const { page, said, show } = stage;
  await page.getByRole("button", { name: said("admin.hours.add") }).click();
  const sheet = page.getByRole("dialog", { name: said("admin.hours.add") });
  await sheet.waitFor();
  await show("admin-hour");
  await sheet.getByRole("button", { name: said("admin.hours.add") }).click();
  await sheet.getByText(said("admin.hours.refused")).waitFor();
  await show("admin-hour-wrong");
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await page.getByRole("heading", { name: said("admin.hours.title"), exact: true }).scrollIntoViewIfNeeded();
  await show("admin-hours");
});

const deciding = scene(
  "an order that waits for a decision",
  { ...inOffice, answers: { ...adminAnswers(), adminShopInfo: full, adminOrderResolve: new Refusal(codes.refused) } },
  async ({ page, said, show }) => {
    await page.getByRole("button", { name: said("admin.review.decide") }).click();
    const sheet = page.getByRole("dialog", { name: said("admin.review.decideTitle") });
    const credit = sheet.getByRole("button", { name: said("admin.review.credit") });
    await credit.click();
    await sheet.getByText(said("admin.review.noteNeeded")).waitFor();
    await show("admin-review");
    await sheet.getByLabel(said("admin.review.note")).fill("The bank's statement shows the whole amount");
    await credit.click();
    await sheet.getByText(said("admin.review.refused")).waitFor();
    await show("admin-review-refused");
  },
);

const live = scene(
  "what happens now",
  { as: ada, path: "/admin/live", answers: { ...adminAnswers(), adminLive: busyLive(galleryNowMs) } },
  async ({ page, said, show }) => {
    await page.getByRole("heading", { name: said("admin.live.queues") }).waitFor();
    await show("admin-live");
    await page.getByRole("row").last().scrollIntoViewIfNeeded();
    await show("admin-live-tables");
  },
);

const figures = scene(
  "figures of the last days",
  { as: ada, path: "/admin/figures", answers: { ...adminAnswers(), adminDaily: dailyOf(galleryNowMs) } },
  async ({ page, said, show }) => {
    await page.getByRole("heading", { name: said("admin.figures.funnel") }).waitFor();
    await show("admin-figures");
    await page.getByRole("row").last().scrollIntoViewIfNeeded();
    await show("admin-figures-tables");
  },
);

const denied = scene(
  "prices are closed to a moderator",
  { as: { ...ana, nickname: "Mia", role: roles.moderator }, path: "/admin" },
  async ({ page, show }) => {
    await page.waitForURL("**/404");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await show("admin-denied");
  },
);

export const adminScenes = [reading, changing, packing, planning, deciding, live, figures, denied];
