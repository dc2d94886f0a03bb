import { expect, test } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { priceListCountryDefault } from "@fava/wire/limits.ts";
import { roles } from "@fava/wire/people.ts";
import { formatAs, formatShortDate } from "#lib/format-date.ts";
import { type Key, t } from "#lib/i18n.ts";
import { ada, adminAnswers, reviewOf } from "#testing/admin-fixtures.ts";
import { type Answers, type FixtureWorld, Refusal, silence } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";

const nowMs = Date.now();

async function openAdmin(answers: Answers = adminAnswers()): Promise<FixtureWorld> {
  const server = await openPage({ as: ada, path: "/admin", answers });
  await expect.element(page.getByRole("heading", { name: t("admin.packs.title"), exact: true })).toBeVisible();
  return server;
}

const save = () => page.getByRole("button", { name: t("common.save"), exact: true });
const field = (key: Key) => page.getByLabelText(t(key), { exact: true });

async function press(where: Pick<Locator, "getByRole">, key: Key): Promise<void> {
  await where.getByRole("button", { name: t(key), exact: true }).click();
}

test("changes no price before Save, and says what Save would do", async () => {
  const server = await openAdmin();
  await expect.element(save()).not.toBeInTheDocument();
  await field("admin.price.country").fill("700");
  await expect.element(page.getByText(t("admin.price.was", { count: "800" }))).toBeVisible();
  const words = t("admin.price.change", { name: t("admin.price.country"), before: "800", after: "700" });
  await expect.element(page.getByText(words)).toBeVisible();
  await press(page, "admin.discard");
  await expect.element(field("admin.price.country")).toHaveValue("800");
  expect(server.asked("adminPricesUpdate")).toEqual([]);

  await field("admin.price.country").fill("700");
  await save().click();
  await expect.element(page.getByText(t("admin.saved")).first()).toBeVisible();
  expect(server.asked("adminPricesUpdate")).toMatchObject([{ gender: 1_600, country: 700, both: 2_000 }]);
  await expect.element(save()).not.toBeInTheDocument();
  const log = page.getByRole("listitem").filter({ hasText: t("admin.log.prices") });
  await expect.element(log).toHaveTextContent("Ada");
});

test("reports invalid and rejected prices at once, and does not save them", async () => {
  const server = await openAdmin();
  await field("admin.price.both").fill("9999");
  await expect.element(page.getByText(t("admin.price.wrong.both"))).toBeVisible();
  await expect.element(save()).not.toBeInTheDocument();
  await field("admin.price.both").fill("much");
  await expect.element(page.getByText(t("admin.price.wrong.number"))).toBeVisible();
  await expect.element(field("admin.price.both")).toHaveAttribute("aria-invalid", "true");
  await field("admin.price.both").fill("1900");
  for (const [answer, key] of [
    [new Refusal(codes.badInput), "admin.price.refused"],
    [silence, "error.server"],
  ] as const) {
    server.answer({ adminPricesUpdate: answer });
    await save().click();
    await expect.element(page.getByRole("main").getByText(t(key))).toBeVisible();
    await expect.element(field("admin.price.both")).toHaveValue("1900");
    // Typing clears the message.
    await field("admin.price.both").fill("1950");
    await expect.element(page.getByRole("main").getByText(t(key))).not.toBeInTheDocument();
    await field("admin.price.both").fill("1900");
  }
});

test("asks for a confirmation of a price of 0, or one that falls by more than half", async () => {
  const server = await openAdmin();
  for (const steep of ["900", "0"]) {
    await field("admin.price.both").fill(steep);
    await save().click();
    await expect.element(page.getByText(t("admin.price.drastic"))).toBeVisible();
    expect(server.asked("adminPricesUpdate")).toEqual([]);
    await press(page, "admin.discard");
    await expect.element(field("admin.price.both")).toHaveValue("2000");
  }
  await field("admin.price.both").fill("900");
  await save().click();
  await press(page, "admin.saveAnyway");
  await expect.element(page.getByText(t("admin.saved")).first()).toBeVisible();
  expect(server.asked("adminPricesUpdate")).toMatchObject([{ both: 900 }]);
});

test("adds a pack to the list and removes it", async () => {
  const answers = adminAnswers();
  const server = await openAdmin({ ...answers, adminPackAdd: new Refusal(codes.refused) });
  await press(page, "admin.packs.add");
  const sheet = page.getByRole("dialog", { name: t("admin.packs.add") });
  const [beans, price] = (["admin.packs.beans", "admin.packs.price"] as const).map((key) =>
    sheet.getByLabelText(t(key), { exact: true }),
  );
  await beans?.fill("20000");
  await price?.fill("19.999");
  await press(sheet, "admin.packs.add");
  await expect.element(sheet.getByRole("alert")).toHaveTextContent(t("admin.packs.wrong"));
  expect(server.asked("adminPackAdd")).toEqual([]);
  await price?.fill("18.99");
  await press(sheet, "admin.packs.add");
  await expect.element(sheet.getByRole("alert")).toHaveTextContent(t("admin.packs.refused"));
  server.answer(answers);
  await press(sheet, "admin.packs.add");
  await expect.element(sheet).not.toBeInTheDocument();
  const added = { country_id: priceListCountryDefault, golds: 20_000, price_minor: 1_899, currency_code: "USD" };
  expect(server.asked("adminPackAdd").at(-1)).toMatchObject(added);
  const row = page.getByRole("row").filter({ hasText: "20,000" });
  await expect.element(row).toHaveTextContent("$18.99");

  await row.getByRole("button").click();
  const question = page.getByRole("alertdialog", { name: t("admin.packs.removeTitle", { count: "20,000" }) });
  await press(question, "common.cancel");
  await expect.element(row).toBeVisible();
  await row.getByRole("button").click();
  await press(question, "admin.packs.removeYes");
  await expect.element(row).not.toBeInTheDocument();
  expect(server.asked("adminPackRemove")).toMatchObject([{ id: 77 }]);
});

test("keeps the last pack of the list that replaces empty ones, with a message", async () => {
  const server = await openAdmin();
  server.answer({ adminPackRemove: new Refusal(codes.refused) });
  await page
    .getByRole("button", { name: t("admin.packs.remove", { count: "10,000" }) })
    .last()
    .click();
  await press(page.getByRole("alertdialog"), "admin.packs.removeYes");
  await expect.element(page.getByText(t("admin.packs.lastOne")).first()).toBeVisible();
  await expect.element(page.getByRole("alertdialog")).not.toBeInTheDocument();
});

test("lists a payment of the wrong amount until an administrator decides it with a note", async () => {
  const review = reviewOf(nowMs);
  const second = { ...review, order_no: "fv26112m9t4c7x4k", beans: 101_000 };
  const server = await openAdmin(adminAnswers({ reviews: [review, second] }));
  const items = () => page.getByRole("listitem").filter({ hasText: t("admin.review.why.amount") });
  await expect.element(items().first()).not.toHaveTextContent("amount_mismatch");
  await items().first().getByRole("button").click();
  const sheet = page.getByRole("dialog", { name: t("admin.review.decideTitle") });
  const credit = sheet.getByRole("button", { name: t("admin.review.credit", { count: "10,000" }) });
  await credit.click();
  await expect.element(sheet.getByRole("alert")).toHaveTextContent(t("admin.review.noteNeeded"));
  expect(server.asked("adminOrderResolve")).toEqual([]);
  const note = "The bank's statement shows the whole amount";
  await sheet.getByLabelText(t("admin.review.note")).fill(note);
  await credit.click();
  await expect.element(sheet).not.toBeInTheDocument();
  expect(server.asked("adminOrderResolve")).toMatchObject([{ order_no: review.order_no, decision: 1, note }]);

  await expect.poll(() => items().elements()).toHaveLength(1);
  await items().getByRole("button").click();
  await sheet.getByLabelText(t("admin.review.note")).fill("The money went back");
  await press(sheet, "admin.review.close");
  await expect.element(page.getByText(t("admin.review.none"))).toBeVisible();
  expect(server.asked("adminOrderResolve").at(-1)).toMatchObject({ order_no: second.order_no, decision: 2 });
});

test("words a reason that the page does not know as a contradiction of records", async () => {
  await openAdmin(adminAnswers({ reviews: [{ ...reviewOf(nowMs), reason: "of_a_newer_server" }] }));
  await expect.element(page.getByText(t("admin.review.why.records"))).toBeVisible();
});

test("reports a decision that another administrator has made before", async () => {
  const server = await openAdmin(adminAnswers({ reviews: [reviewOf(nowMs)] }));
  server.answer({ adminOrderResolve: new Refusal(codes.refused) });
  await press(page, "admin.review.decide");
  const sheet = page.getByRole("dialog", { name: t("admin.review.decideTitle") });
  await sheet.getByLabelText(t("admin.review.note")).fill("Too late");
  await press(sheet, "admin.review.close");
  await expect.element(sheet.getByRole("alert")).toHaveTextContent(t("admin.review.refused"));
  await userEvent.keyboard("{Escape}");
  await expect.element(sheet).not.toBeInTheDocument();
});

test("shows each job with its last and next run and its failures", async () => {
  await openAdmin(adminAnswers({}, nowMs));
  const rowOf = (name: string) => page.getByRole("row").filter({ hasText: name });
  await expect.element(rowOf("order checks")).toHaveTextContent(t("admin.jobs.running"));
  await expect.element(rowOf("reconciliation")).toHaveTextContent(t("admin.jobs.never"));
  const cells = rowOf("exports").getByRole("cell");
  const failedAtMs = nowMs - 2 * 3_600_000;
  await expect
    .element(cells.last())
    .toHaveTextContent(`3${formatShortDate(failedAtMs)} ${formatAs("hour", failedAtMs)}`);
});

test("shows what browsers blocked, with its page and the number of reports", async () => {
  await openAdmin();
  const row = page.getByRole("row").filter({ hasText: "cdn.example" });
  await expect.element(row).toHaveTextContent(/cdn\.example.*script-src-elem.*\/.*1,204/);
});

test("hides the page of prices from moderators", async () => {
  const server = await openPage({ as: { ...ana, nickname: "Mia", role: roles.moderator }, path: "/admin" });
  await expect.poll(() => location.pathname).toBe("/404");
  await expect.element(page.getByText(t("admin.title"))).not.toBeInTheDocument();
  expect(server.asked("adminShopInfo")).toEqual([]);
});

test("records a request of an authority with a hold, and shows its problem first", async () => {
  const server = await openAdmin(adminAnswers({}, nowMs));
  await press(page, "authority.add");
  const sheet = page.getByRole("dialog");
  await press(sheet, "common.save");
  await expect.element(sheet.getByText(t("authority.wrong"))).toBeVisible();
  await field("authority.name").fill("Example Police");
  await field("authority.country").fill("de");
  await field("authority.basis").fill("File 7");
  await sheet.getByLabelText(t("appeal.received")).fill("2026-11-28");
  await sheet.getByLabelText(t("safety.number")).fill("10482193");
  await sheet.getByRole("checkbox", { name: t("authority.hold") }).click();
  await press(sheet, "common.save");
  await expect.element(sheet).not.toBeInTheDocument();
  expect(server.asked("adminAuthorityAdd")).toMatchObject([
    {
      authority: "Example Police",
      country: "DE",
      kind: "information",
      received: "2026-11-28",
      account: "10482193",
      hold: 1,
    },
  ]);
});

test("shows holds and proposals, and closes a request", async () => {
  const server = await openAdmin(adminAnswers({}, nowMs));
  const [held, proposed, closed] = ["Example Police", "Example Court", "Example Regulator"].map((name) =>
    page.getByRole("listitem").filter({ hasText: name }),
  );
  await expect.element(proposed!).toHaveTextContent("Vera");
  await press(proposed!, "authority.outcome.disclosed");
  await expect.poll(() => server.asked("adminAuthorityClose")).toMatchObject([{ id: "102", outcome: "disclosed" }]);
  await press(held!, "authority.release");
  await expect.poll(() => server.asked("adminAuthorityHold")).toMatchObject([{ id: "103", on: 0 }]);
  await expect.element(closed!.getByRole("button")).not.toBeInTheDocument();
  await expect.element(page.getByText(t("admin.jobs.held", { count: 1 }))).toBeVisible();
});
