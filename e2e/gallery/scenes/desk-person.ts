import { expect, type Page } from "@playwright/test";
import { ada } from "@fava/web/testing/admin-fixtures.ts";
import { deskFace, deskPersonOf } from "@fava/web/testing/desk-case-fixtures.ts";
import { Refusal } from "@fava/web/testing/fixture-world.ts";
import { galleryNowMs } from "@fava/web/testing/fixtures.ts";
import type { Words } from "../../support/words.ts";
import { atDesk, closeDialog, fault, never, openByKey, untilLoading } from "../desk-steps.ts";
import { scene } from "../scene.ts";

async function find(page: Page, said: Words, name: string): Promise<void> {
  await openByKey(page, "Control+k", said("desk.find.title"));
  const field = page.getByRole("dialog", { name: said("desk.find.title") }).getByRole("searchbox");
  await field.fill(name);
  await field.press("Enter");
}

/** Finds a person and opens their panel. */
async function openPerson(page: Page, said: Words, name: string): Promise<void> {
  await find(page, said, name);
  await page.getByRole("dialog").getByRole("button", { name }).last().click();
  await expect(page.getByRole("dialog", { name }).getByRole("button", { name: said("desk.tools") })).toBeVisible();
}

async function chooseTool(page: Page, said: Words, key: string): Promise<void> {
  await page
    .getByRole("dialog")
    .getByRole("button", { name: said("desk.tools") })
    .click();
  await page.getByRole("menuitem", { name: said(key) }).click();
}

export const deskPersonScenes = [
  scene("finding a person from the desk", atDesk("/reportReview/figures"), async ({ page, said, show, world }) => {
    await openByKey(page, "Control+k", said("desk.find.title"));
    await show("desk-find");
    await page.keyboard.type("Marko");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog").getByRole("listitem")).toHaveCount(3);
    await show("desk-find-results");
    world.server.answer({ adminFind: { people: [], cases: [], excerpts: [], is_partial: false } });
    await page.keyboard.press("Enter");
    await expect(page.getByText(said("desk.find.none"))).toBeVisible();
    await show("desk-find-none");
  }),

  scene("a person from the desk", atDesk("/reportReview/figures"), async ({ page, said, show }) => {
    await openPerson(page, said, "Marko");
    await show("desk-person");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: said("desk.same.menu", { name: "Jon" }) })
      .click();
    await expect(page.getByRole("menuitem")).toHaveCount(2);
    await show("desk-person-same");
    await page.keyboard.press("Escape");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: said("desk.tools") })
      .click();
    await expect(page.getByRole("menuitem", { name: said("desk.images.delete") })).toBeVisible();
    await show("desk-person-tools");
    await page.getByRole("menuitem", { name: said("desk.reset.about") }).click();
    await expect(page.getByRole("alertdialog", { name: said("desk.reset.about") })).toBeVisible();
    await show("desk-person-reset");
    await page.getByRole("button", { name: said("common.cancel") }).click();
    await chooseTool(page, said, "desk.images.delete");
    await expect(page.getByRole("dialog", { name: said("desk.images.title", { name: "Marko" }) })).toBeVisible();
    await show("desk-person-images");
  }),

  scene("a person who is banned without a case", atDesk("/reportReview/figures"), async ({ page, said, show }) => {
    await openPerson(page, said, "Marko");
    await page.getByRole("button", { name: said("desk.operation.4") }).click();
    await expect(page.getByRole("dialog", { name: said("desk.forbid.title", { name: "Marko" }) })).toBeVisible();
    await expect(page.getByText(said("desk.forbid.chooseFirst"))).toBeVisible();
    await show("desk-person-forbid");
  }),

  scene(
    "a person who is banned already, before a second ban",
    atDesk("/reportReview/figures", { adminQuickForbid: new Refusal(406, { reason: "already_banned", until: null }) }),
    async ({ page, said, show }) => {
      await openPerson(page, said, "Marko");
      await page.getByRole("button", { name: said("desk.operation.4") }).click();
      await page.keyboard.press("1");
      const sheet = page.getByRole("dialog", { name: said("desk.forbid.title", { name: "Marko" }) });
      await sheet.getByRole("combobox").selectOption({ index: 1 });
      await page.keyboard.press("Enter");
      await expect(page.getByRole("alertdialog", { name: said("desk.forbid.again", { name: "Marko" }) })).toBeVisible();
      await show("desk-person-again");
    },
  ),

  scene(
    "a moderator, shown to an administrator",
    {
      ...atDesk("/reportReview/figures", {
        adminFind: { people: [deskFace(6)], cases: [], excerpts: [], is_partial: false },
        adminPerson: deskPersonOf(6, galleryNowMs, { role: 2, strikes: [], labels: [], same: [], images: [] }),
      }),
      as: ada,
    },
    async ({ page, said, show }) => {
      await openPerson(page, said, "Noor");
      await expect(page.getByRole("dialog").getByText(said("desk.role.2"))).toBeVisible();
      await show("desk-person-colleague");
    },
  ),

  scene("an administrator's tools", { ...atDesk("/reportReview/figures"), as: ada }, async ({ page, said, show }) => {
    await openPerson(page, said, "Marko");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: said("desk.tools") })
      .click();
    await expect(page.getByRole("menuitem", { name: said("desk.setRole.3") })).toBeVisible();
    await show("desk-person-administrator");
    await page.getByRole("menuitem", { name: said("desk.setRole.2") }).click();
    await expect(page.getByRole("alertdialog", { name: said("desk.setRole.2") })).toBeVisible();
    await show("desk-person-role");
  }),

  scene(
    "a person at the desk, loading and failed",
    atDesk("/reportReview/figures", { adminPerson: never }),
    async ({ page, said, show, world }) => {
      await find(page, said, "Marko");
      await page.getByRole("dialog").getByRole("button", { name: "Marko" }).last().click();
      await expect(page.getByRole("dialog", { name: said("desk.find.person") })).toBeVisible();
      await untilLoading(page);
      await show("desk-person-loading");
      await closeDialog(page);
      world.server.answer({ adminFind: fault });
      await find(page, said, "Marko");
      await expect(page.getByRole("button", { name: said("desk.find.go") })).toBeEnabled();
    },
  ),
];
