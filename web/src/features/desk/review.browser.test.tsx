import { afterEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { undoMs } from "@fava/wire/limits.ts";
import { t } from "#lib/i18n.ts";
import { pictureRow } from "#testing/desk-picture-fixtures.ts";
import { openDesk } from "#testing/desk-steps.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { expectToast } from "#testing/page-steps.ts";

/** Three random checks of Bea's photos, and a flagged one. */
const whys = ["random", "random", "unsure", "random"] as const;
const nowMs = Date.now();
const rows = whys.map((why, index) =>
  pictureRow(index, nowMs, { nickname: "Bea", why, explicit: why === "unsure" ? 0.5 : null }),
);

const approved = () => page.getByText(t("desk.review.approved"), { exact: true }).elements().length;

afterEach(() => vi.useRealTimers());

test("approves the random checks that were seen together, undoes them together, and sends them when the time is over", async () => {
  const server = await openDesk("/photoReview", {
    adminImageList: { rows, next: null, waiting: 4, oldest_at: nowMs },
  });
  const operated = () => server.asked("adminImageOperate").map(({ id, operation }) => [id, operation]);
  await page
    .getByRole("group", { name: t("desk.review.filter") })
    .getByRole("button", { name: t("desk.filter.random") })
    .click();
  await expect.poll(() => page.getByRole("listitem").getByText("Bea").elements().length).toBe(3);
  const together = page.getByRole("button", { name: t("desk.review.together", { count: 3 }) });
  await expect.element(together).toBeVisible();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await together.click();
  await expect.poll(approved).toBe(3);
  await expect.element(page.getByRole("status").getByText(t("desk.review.didMany", { count: 3 }))).toBeVisible();
  await userEvent.keyboard("u");
  await expect.poll(approved).toBe(0);
  await vi.advanceTimersByTimeAsync(undoMs);
  expect(operated()).toEqual([]);
  await together.click();
  await expect.poll(approved).toBe(3);
  await vi.advanceTimersByTimeAsync(undoMs - 1);
  expect(operated()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await expect.poll(operated).toEqual([
    ["picture-0", 1],
    ["picture-1", 1],
    ["picture-3", 1],
  ]);
  await expect.element(page.getByRole("button", { name: t("desk.undo") })).not.toBeInTheDocument();
});

test("claims a flagged image when it is shown, decides it only then, and queues it again after a rejection", async () => {
  const flagged = pictureRow(0, nowMs, { nickname: "Bea", why: "unsure", explicit: 0.5 });
  const other = pictureRow(1, nowMs, { nickname: "Cem", why: "random" });
  const answer = { rows: [flagged, other], next: null, waiting: 2, oldest_at: nowMs };
  const server = await openDesk("/photoReview", {
    adminImageList: answer,
    adminImageOperate: new Refusal(403, { reason: "claimed" }),
  });
  const heading = (count: number) =>
    page.getByRole("heading", { level: 2, name: t("desk.review.photos", { count }), exact: true });
  await expect.element(heading(2)).toBeVisible();
  await userEvent.keyboard("a");
  await expectToast(t("desk.review.unseen"));
  await userEvent.keyboard("r");
  expect(page.getByRole("dialog").elements()).toEqual([]);
  expect(server.asked("adminClaim")).toEqual([]);

  await userEvent.keyboard(" ");
  await expect.poll(() => server.asked("adminClaim")).toMatchObject([{ item: "image:picture-0", on: 1 }]);
  // Only an image that the moderator has seen can be decided: until then the key only shows why not.
  await vi.waitFor(async () => {
    if (approved() === 0) await userEvent.keyboard("a");
    expect(approved()).toBe(1);
  }, 15_000);
  await expect.element(heading(1)).toBeVisible();
  const before = server.asked("adminImageList").length;
  // The next decision sends the pending one at once, and the server rejects it.
  await userEvent.keyboard("a");
  await expectToast(t("desk.refused.claimed"));
  await expect.poll(() => server.asked("adminImageList").length).toBeGreaterThan(before);
  await expect.poll(approved).toBe(1);
});
