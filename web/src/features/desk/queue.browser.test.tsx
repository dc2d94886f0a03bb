import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { claimMs } from "@fava/wire/limits.ts";
import type { Claim } from "@fava/wire/moderation.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { ada } from "#testing/admin-fixtures.ts";
import { caseIdOf, caseQueue } from "#testing/desk-case-fixtures.ts";
import { deskAnswers, mia } from "#testing/desk-fixtures.ts";
import { claimOf } from "#testing/desk-makers.ts";
import { openDesk, openFirstCase } from "#testing/desk-steps.ts";
import { type FixtureWorld, Refusal } from "#testing/fixture-world.ts";
import { heldAnswer } from "#testing/held-answer.ts";
import { openPage } from "#testing/open-page.tsx";
import { expectToast } from "#testing/page-steps.ts";

const [marko, jon, , zola] = [0, 1, 2, 3].map(caseIdOf);
const queue = () => page.getByRole("navigation", { name: t("desk.tab.reports") });
const about = (name: string) => page.getByRole("complementary", { name });
const claims = (server: FixtureWorld) => server.asked("adminClaim").map(({ item, on }) => [item, on]);
const decided = (server: FixtureWorld) =>
  server.asked("adminReportOperate").map(({ id, operation }) => [id, operation]);
const read = (server: FixtureWorld) => server.asked("adminCase").map(({ id }) => id);

test("moves by J and K, releases the claim and continues on S, and claims both cases on a decision", async () => {
  const server = await openDesk("/reportReview");
  await openFirstCase();
  await userEvent.keyboard("j");
  await expect.element(about("Jon")).toBeVisible();
  await userEvent.keyboard("k");
  await expect.element(about("Marko")).toBeVisible();
  expect(claims(server)).toEqual([]);
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByText(t("desk.claim.mine"))).toBeVisible();
  await userEvent.keyboard("s");
  await expect.element(about("Jon")).toBeVisible();
  await expect
    .poll(() => claims(server))
    .toEqual([
      [`case:${marko}`, 1],
      [`case:${marko}`, 0],
    ]);
  await userEvent.keyboard("a");
  // Kai's case is skipped, because Vera has claimed it.
  await expect.element(about("Zola")).toBeVisible();
  await expect
    .poll(() => claims(server).slice(2))
    .toEqual([
      [`case:${jon}`, 1],
      [`case:${zola}`, 1],
    ]);
});

/** Rejects the report of the open case, and opens the figures before the page sends the decision. */
async function decideAndLeave(meanwhile: () => void = () => undefined): Promise<void> {
  // The first press asks for a confirmation, the second confirms.
  await userEvent.keyboard("rr");
  await expect.element(page.getByRole("button", { name: t("desk.undo") })).toBeVisible();
  meanwhile();
  await page.getByRole("link", { name: new RegExp(`^${t("desk.tab.figures")}`) }).click();
}

test("sends what could still be undone when the tab is left", async () => {
  const server = await openDesk("/reportReview");
  await openFirstCase();
  await decideAndLeave();
  await expect.poll(() => decided(server)).toEqual([[marko, 2]]);
});

test("reports a rejection that comes after the tab was left", async () => {
  const refused = new Refusal(403, { reason: "not_claimed" });
  const server = await openDesk("/reportReview", { adminReportOperate: refused });
  await openFirstCase();
  await decideAndLeave();
  await expect.poll(() => decided(server)).toEqual([[marko, 2]]);
  await expectToast(t("desk.refused.notClaimed"));
});

test("sends what was pending offline at leaving the tab once the network is back", async () => {
  const server = await openDesk("/reportReview");
  await openFirstCase();
  await decideAndLeave(() => {
    server.goAway();
    window.dispatchEvent(new Event("offline"));
  });
  await expect.element(page.getByRole("button", { name: t("desk.again") })).toBeVisible();
  expect(decided(server)).toEqual([]);
  server.comeBack();
  window.dispatchEvent(new Event("online"));
  await expect.poll(() => decided(server)).toEqual([[marko, 2]]);
});

test.each([0, -660_000, 660_000])(
  "renews an old own claim on a key press, and drops an expired one, with a server clock %d ms ahead",
  async (serverAheadMs) => {
    const serverNowMs = () => Date.now() + serverAheadMs;
    const old = claimOf(null, serverNowMs() + claimMs - 61_000);
    const answers = { ...deskAnswers(), adminClaim: { claim: old } };
    const server = await openPage({ as: mia, path: "/reportReview", answers, serverAheadMs });
    await openFirstCase();
    await userEvent.keyboard("{Enter}");
    await expect.element(page.getByText(t("desk.claim.mine"))).toBeVisible();
    await expect.element(page.getByText(/8:5\d$/)).toBeVisible();
    server.answer({ adminClaim: { claim: claimOf(null, serverNowMs() + 1_500) } });
    await userEvent.keyboard("g");
    await expect
      .poll(() => claims(server))
      .toEqual([
        [`case:${marko}`, 1],
        [`case:${marko}`, 1],
      ]);
    await expect.element(page.getByText(t("desk.claim.mine"))).not.toBeInTheDocument();
    await expect.element(page.getByRole("button", { name: t("desk.claim"), exact: true })).toBeVisible();
  },
);

test("rejects a decision on an open case that turns out to be another moderator's", async () => {
  const byVera = claimOf("Vera", Date.now() + claimMs);
  const server = await openDesk("/reportReview", { adminClaim: { claim: byVera } });
  await openFirstCase();
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByText(t("desk.closed.lost", { name: isolate("Vera") }))).toBeVisible();
  await userEvent.keyboard("a");
  await expect.element(page.getByRole("button", { name: t("desk.undo") })).not.toBeInTheDocument();
  expect(claims(server)).toHaveLength(1);
});

test("prefetches the next free case, but none in the restricted queue, where each view is logged", async () => {
  const server = await openPage({ as: ada, path: "/reportReview", answers: deskAnswers() });
  await openFirstCase();
  await expect.poll(() => read(server)).toEqual([marko, marko, jon]);
  await page.getByRole("radio", { name: t("desk.box.restrictedCount", { count: "1" }) }).click();
  await expect.poll(() => server.asked("adminReportList").at(-1)).toMatchObject({ box: "restricted" });
  await expect.element(about("Marko")).not.toBeInTheDocument();
  const before = read(server).length;
  await queue().getByRole("button", { name: "Jon" }).click();
  await expect.element(about("Jon")).toBeVisible();
  expect(read(server).slice(before)).toEqual([jon]);
});

test("reports a rejected decision, and shows the queue as the server has it", async () => {
  const server = await openDesk("/reportReview", {
    adminReportOperate: new Refusal(403, { reason: "not_claimed" }),
  });
  await openFirstCase();
  await userEvent.keyboard("a");
  await expect.element(queue().getByRole("button", { name: "Marko" })).not.toBeInTheDocument();
  const before = server.asked("adminReportList").length;
  // The next decision sends the pending one at once.
  await userEvent.keyboard("a");
  await expectToast(t("desk.refused.notClaimed"));
  await expect.element(queue().getByRole("button", { name: "Marko" })).toBeVisible();
  await expect.poll(() => server.asked("adminReportList").length).toBeGreaterThan(before);
});

test("subtracts a decided case from the count once, also when more rows arrive", async () => {
  const server = await openDesk("/reportReview");
  await openFirstCase();
  const waiting = (count: number) => queue().getByRole("heading", { name: t("desk.waiting", { count }) });
  await expect.element(waiting(14)).toBeVisible();
  const tab = page.getByRole("link", { name: new RegExp(`^${t("desk.tab.reports")}`) });
  await expect.element(tab).toHaveTextContent(/14$/);
  await userEvent.keyboard("a");
  await expect.element(waiting(13)).toBeVisible();
  // The tab shows the same number as the list.
  await expect.element(tab).toHaveTextContent(/13$/);
  // The second decision sends the first one, which the server no longer counts.
  await userEvent.keyboard("a");
  await expect.poll(() => server.asked("adminReportOperate").map(({ id }) => id)).toEqual([marko]);
  server.answer({ adminReportList: caseQueue(Date.now(), { rows: [], next: null, waiting: 13 }) });
  const more = queue().getByRole("button", { name: t("desk.more") });
  await more.click();
  await expect.element(more).not.toBeInTheDocument();
  await expect.element(waiting(12)).toBeVisible();
});

test("reports a queue and a case that failed to load, and loads them again on request", async () => {
  const server = await openDesk("/reportReview", { adminReportList: new Refusal(500), adminCase: new Refusal(500) });
  await expect.element(queue().getByText(t("desk.failed"))).toBeVisible();
  server.answer({ adminReportList: caseQueue(Date.now()) });
  await queue()
    .getByRole("button", { name: t("desk.again") })
    .click();
  await queue().getByRole("button", { name: "Marko" }).click();
  await expect.element(page.getByText(t("desk.case.failed"))).toBeVisible();
  server.answer(deskAnswers());
  await page.getByRole("button", { name: t("desk.again") }).click();
  await expect.element(about("Marko")).toBeVisible();
});

test("releases a claim that is granted after its item was left, unless that was opened again", async () => {
  const claimed = heldAnswer<{ claim: Claim }>();
  const server = await openDesk("/reportReview", { adminClaim: () => claimed.answer });
  await openFirstCase();
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => claims(server)).toEqual([[`case:${marko}`, 1]]);
  await userEvent.keyboard("s");
  await expect.element(about("Jon")).toBeVisible();
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => claims(server).slice(1)).toEqual([[`case:${jon}`, 1]]);
  await userEvent.keyboard("s");
  await expect.element(about("Zola")).toBeVisible();
  await userEvent.keyboard("k");
  await userEvent.keyboard("k");
  await expect.element(about("Jon")).toBeVisible();
  await userEvent.keyboard("{Enter}");
  claimed.give({ claim: { mine: true, name: "Mia", until: Date.now() + claimMs } });
  await expect.poll(() => claims(server).slice(2)).toEqual([[`case:${marko}`, 0]]);
  await expect.element(page.getByText(t("desk.claim.mine"))).toBeVisible();
});

test("releases an undecided item, and does not confuse it with the same number of the other kind", async () => {
  const lists = deskAnswers().adminAppealList;
  if (typeof lists !== "object" || !("appeals" in lists)) throw new Error("adminAppealList must have two lists");
  const [second, appeal] = [lists.seconds[0], lists.appeals[0]];
  if (!second || !appeal) throw new Error("a second and an appeal are needed");
  const server = await openDesk("/reportReview/appeals", {
    adminAppealList: { seconds: [{ ...second, id: appeal.id }], appeals: [appeal] },
    adminAppealOperate: {},
  });
  const row = (name: string) => page.getByRole("navigation").getByRole("button", { name });
  await row(second.person.nickname).click();
  await expect.poll(() => claims(server)).toEqual([[`case:${appeal.id}`, 1]]);
  await row(appeal.person.nickname).click();
  await expect
    .poll(() => claims(server))
    .toEqual([
      [`case:${appeal.id}`, 1],
      [`case:${appeal.id}`, 0],
      [`appeal:${appeal.id}`, 1],
    ]);
  await userEvent.keyboard("2");
  await expect.element(page.getByRole("textbox")).toHaveFocus();
  await userEvent.keyboard("A day is enough.{Control>}{Enter}{/Control}");
  await expect.element(row(appeal.person.nickname)).not.toBeInTheDocument();
  await expect.element(row(second.person.nickname)).toBeVisible();
  await page.getByRole("link", { name: new RegExp(`^${t("desk.tab.figures")}`) }).click();
  await expect
    .poll(() => server.asked("adminAppealOperate"))
    .toMatchObject([{ id: appeal.id, outcome: "shortened", hours: 24, answer: "A day is enough." }]);
  expect(server.asked("adminSecondOperate")).toEqual([]);
});
