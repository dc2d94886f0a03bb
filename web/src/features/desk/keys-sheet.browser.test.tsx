import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { openDesk, openFirstCase } from "#testing/desk-steps.ts";

const dialogs = () => page.getByRole("dialog").elements().length;

const sheet = () => page.getByRole("dialog", { name: t("desk.keys") });

/** The keys that the dialog lists. */
async function keysShown(): Promise<(string | null)[]> {
  await userEvent.keyboard("?");
  await expect.element(sheet()).toBeVisible();
  return [...sheet().element().querySelectorAll("kbd")].map(({ textContent }) => textContent);
}

/** Keys do nothing behind the dialog: no other dialog, no other layout, and no decision. */
async function expectNothingMoves(): Promise<void> {
  await userEvent.keyboard("lbnvwa");
  await expect.element(sheet()).toBeVisible();
  expect(dialogs()).toBe(1);
  await userEvent.keyboard("{Escape}");
  await expect.poll(dialogs).toBe(0);
  await expect.element(page.getByRole("button", { name: t("desk.undo") })).not.toBeInTheDocument();
}

test("lists every key of the reports on ?, and blocks them behind the dialog", async () => {
  await openDesk("/reportReview");
  await openFirstCase();
  const space = t("desk.key.space");
  const keys = [
    "J",
    "K",
    "Enter",
    "S",
    space,
    "← →",
    "Z",
    "G",
    "T",
    "A",
    "R",
    "W",
    "B",
    "C",
    "L",
    "N",
    "U",
    "Ctrl K",
    "?",
  ];
  expect(await keysShown()).toEqual(keys);
  await expectNothingMoves();
  await userEvent.keyboard("l");
  const labels = page.getByRole("dialog", { name: t("desk.labels.title", { name: isolate("Marko") }) });
  await expect.element(labels).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.poll(dialogs).toBe(0);
});

test("lists every key of the images on ?, and blocks them behind the dialog", async () => {
  await openDesk("/avatarAudit");
  const one = page.getByRole("heading", { level: 3, name: "Marko" });
  await expect.element(page.getByRole("listitem").first()).toBeVisible();
  expect(await keysShown()).toEqual(["← → ↑ ↓", "V", t("desk.key.space"), "G", "A", "R", "U", "?"]);
  await expectNothingMoves();
  await expect.element(one).not.toBeInTheDocument();
  await userEvent.keyboard("v");
  await expect.element(one).toBeVisible();
});
