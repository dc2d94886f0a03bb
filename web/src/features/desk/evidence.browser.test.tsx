import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { openDesk, openFirstCase } from "#testing/desk-steps.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { heldAnswer } from "#testing/held-answer.ts";

const evidence = () => page.getByRole("region", { name: t("desk.evidence") });
const drawn = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";
const pictures = () => evidence().getByRole("img").elements().length;

test("[DESK-117] nothing of a covered picture is loaded; each look is a call of its own, and ends with the moment", async () => {
  const server = await openDesk("/reportReview");
  const looked = () => server.asked("adminLook").map(({ id }) => id);
  await openFirstCase();
  await expect.element(evidence().getByRole("button").first()).toBeVisible();
  // A pill as large as its words, however large the picture below.
  expect(evidence().getByRole("button").first().element().getBoundingClientRect().height).toBeLessThan(60);
  expect(pictures()).toBe(0);
  expect(looked()).toEqual([]);
  await userEvent.keyboard(" ");
  await expect.poll(pictures).toBe(2);
  expect(looked()).toEqual(["own-2", "received-2"]);
  // Away and back again: covered, and asked for anew.
  const moments = page.getByRole("group", { name: t("desk.moments") }).getByRole("button");
  await userEvent.keyboard("{ArrowLeft}");
  await expect.element(moments.nth(1)).toHaveAttribute("aria-pressed", "true");
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(moments.nth(2)).toHaveAttribute("aria-pressed", "true");
  expect(pictures()).toBe(0);
  expect(looked()).toEqual(["own-2", "received-2"]);
  await userEvent.keyboard("{ArrowLeft}");
  await expect.element(moments.nth(1)).toHaveAttribute("aria-pressed", "true");
  await evidence().getByRole("button").first().click();
  await expect.poll(pictures).toBe(1);
  expect(looked()).toEqual(["own-2", "received-2", "own-1"]);
});

test("[DESK-117] a look whose answer comes after another moment was chosen uncovers nothing", async () => {
  const looked = heldAnswer<{ url: string }>();
  const server = await openDesk("/reportReview", { adminLook: () => looked.answer });
  await openFirstCase();
  await userEvent.keyboard(" ");
  await expect.poll(() => server.asked("adminLook")).toHaveLength(2);
  const moments = page.getByRole("group", { name: t("desk.moments") }).getByRole("button");
  await userEvent.keyboard("{ArrowLeft}");
  await expect.element(moments.nth(1)).toHaveAttribute("aria-pressed", "true");
  looked.give({ url: drawn });
  // The next look is answered after those.
  await evidence().getByRole("button").first().click();
  await expect.poll(pictures).toBe(1);
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(moments.nth(2)).toHaveAttribute("aria-pressed", "true");
  expect(pictures()).toBe(0);
});

test("[DESK-117] a look that failed shows nothing, and can be asked for again", async () => {
  const server = await openDesk("/reportReview", { adminLook: new Refusal(403, { reason: "role" }) });
  await openFirstCase();
  await userEvent.keyboard(" ");
  await expect.element(page.getByText(t("desk.refused.role")).first()).toBeVisible();
  await expect.element(evidence().getByText(t("desk.evidence.again")).first()).toBeVisible();
  expect(pictures()).toBe(0);
  server.answer({ adminLook: { url: drawn } });
  await userEvent.keyboard(" ");
  await expect.poll(pictures).toBe(2);
});
