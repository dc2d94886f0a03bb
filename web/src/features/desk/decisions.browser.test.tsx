import { afterEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { ageAskMs, undoMs } from "@fava/wire/limits.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { appealDetailOf } from "#testing/desk-appeal-fixtures.ts";
import { caseIdOf, caseOf, deskFace } from "#testing/desk-case-fixtures.ts";
import { claimOf } from "#testing/desk-makers.ts";
import { openDesk, openFirstCase } from "#testing/desk-steps.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { expectToast, startOf } from "#testing/page-steps.ts";

const undo = () => page.getByRole("button", { name: t("desk.undo") });
const inQueue = (name: string) => page.getByRole("navigation").getByRole("button", { name });

/** Makes the time to undo pass only by `vi.advanceTimersByTimeAsync`. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
}

afterEach(() => vi.useRealTimers());

test("asks before a warning and a rejection while the moderator has seen nothing of the case", async () => {
  const server = await openDesk("/reportReview");
  await openFirstCase();
  holdTime();
  await userEvent.keyboard("w");
  await expectToast(t("desk.case.unseen"));
  await userEvent.keyboard("j");
  await expect.element(page.getByRole("complementary", { name: "Jon" })).toBeVisible();
  await userEvent.keyboard("r");
  await expect.element(undo()).not.toBeInTheDocument();
  await vi.advanceTimersByTimeAsync(undoMs);
  expect(server.asked("adminReportOperate")).toEqual([]);
});

test("decides by one key when the case was claimed by hand, or a frame was shown", async () => {
  await openDesk("/reportReview");
  await openFirstCase();
  await userEvent.keyboard("{Enter}");
  await userEvent.keyboard("r");
  await expect.element(undo()).toBeVisible();
  await expect.element(page.getByRole("complementary", { name: "Jon" })).toBeVisible();
  await userEvent.keyboard(" ");
  await expect
    .element(
      page
        .getByRole("region", { name: t("desk.evidence") })
        .getByRole("img")
        .first(),
    )
    .toBeVisible();
  await userEvent.keyboard("w");
  await expect.element(inQueue("Jon")).not.toBeInTheDocument();
});

test("removes a warned case from the queue, restores it on U, and sends the warning when its time is over", async () => {
  const server = await openDesk("/reportReview");
  await openFirstCase();
  holdTime();
  // The first press asks for a confirmation, the second confirms.
  await userEvent.keyboard("ww");
  await expect.element(undo()).toBeVisible();
  await expect.element(inQueue("Marko")).not.toBeInTheDocument();
  // The next case is open and claimed.
  await expect.element(page.getByRole("complementary", { name: "Jon" })).toBeVisible();
  await expect.poll(() => server.asked("adminClaim").map(({ item }) => item)).toContain(`case:${caseIdOf(1)}`);
  await userEvent.keyboard("u");
  await expect.element(inQueue("Marko")).toBeVisible();
  await vi.advanceTimersByTimeAsync(undoMs);
  expect(server.asked("adminReportOperate")).toEqual([]);

  await userEvent.keyboard("w");
  await expect.element(undo()).toBeVisible();
  await vi.advanceTimersByTimeAsync(undoMs);
  await expect
    .poll(() => server.asked("adminReportOperate").map(({ id, operation }) => [id, operation]))
    .toEqual([[caseIdOf(0), 3]]);
  await expect.element(undo()).not.toBeInTheDocument();
});

test("cancels a decision about a case that another moderator has claimed meanwhile, and says who has it", async () => {
  const untilMs = Date.now() + 600_000;
  const byVera = claimOf("Vera", untilMs);
  const server = await openDesk("/reportReview", {
    adminClaim: ({ item }) => ({ claim: item.endsWith(caseIdOf(0)) ? byVera : claimOf(null, untilMs) }),
  });
  await openFirstCase();
  await userEvent.keyboard("a");
  await expectToast(t("desk.taken", { person: isolate("Marko"), by: isolate("Vera") }));
  await expect.element(inQueue("Marko")).toBeVisible();
  server.answer({ adminCase: caseOf(0, Date.now(), { claim: byVera, closed_because: "claimed" }) });
  await inQueue("Marko").click();
  await expect.element(page.getByText(t("desk.closed.lost", { name: isolate("Vera") }))).toBeVisible();
  await expect.element(page.getByRole("button", { name: t("desk.operation.1") })).toBeDisabled();
  expect(server.asked("adminReportOperate")).toEqual([]);
});

test("answers an appeal with an outcome and a text, which can be undone before anyone reads it", async () => {
  const server = await openDesk("/reportReview/appeals");
  const noor = page.getByRole("navigation").getByRole("button", { name: "Noor" });
  const answer = page.getByRole("textbox");
  await noor.click();
  await expect
    .element(page.getByRole("heading", { level: 2, name: t("desk.appeal.title", { name: isolate("Noor") }) }))
    .toBeVisible();
  await expect.element(answer).toBeDisabled();
  holdTime();
  await userEvent.keyboard("2");
  await expect.element(answer).toHaveFocus();
  await userEvent.keyboard("It ends sooner.{Control>}{Enter}{/Control}");
  await expect
    .element(page.getByText(t("desk.appeal.did.shortened", { name: isolate("Noor") }), { exact: true }))
    .toBeVisible();
  await expect.element(noor).not.toBeInTheDocument();
  await userEvent.keyboard("u");
  await expect.element(noor).toBeVisible();
  await vi.advanceTimersByTimeAsync(undoMs);
  expect(server.asked("adminAppealOperate")).toEqual([]);

  // The server rejected the answer: its text stays in the field, to be corrected.
  await expect.element(answer).toHaveValue("It ends sooner.");
  const shortened = page.getByRole("button", { name: startOf("desk.appeal.shortened") });
  await expect.element(shortened).toHaveAttribute("aria-pressed", "true");
  await userEvent.keyboard("3");
  await expect.element(answer).toHaveFocus();
  const beans = appealDetailOf(6, Date.now()).cut_beans;
  expect(beans).toBeGreaterThan(0);
  await answer.fill("You were right.");
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await expect.element(undo()).toBeVisible();
  await vi.advanceTimersByTimeAsync(undoMs);
  await expect
    .poll(() => server.asked("adminAppealOperate"))
    .toMatchObject([{ id: "6", outcome: "lifted", answer: "You were right." }]);
});

test("tells a moderator who already decided that they may not decide again", async () => {
  const refused = new Refusal(codes.forbidden, { reason: "own_case" });
  await openDesk("/reportReview/appeals", { adminSecondOperate: refused });
  const inList = (name: string) => page.getByRole("navigation").getByRole("button", { name });
  await expect.element(inList("Kai")).toHaveTextContent("You’ve already decided on this: not yours");
  await inList("Kai").click();
  await expect.element(page.getByText("You’ve already decided on this. Someone else has to look now.")).toBeVisible();

  await inList(deskFace(3).nickname).click();
  await expect.element(page.getByRole("button", { name: t("desk.second.agree") })).toBeEnabled();
  holdTime();
  await userEvent.keyboard("3");
  await expect.element(undo()).toBeVisible();
  await vi.advanceTimersByTimeAsync(undoMs);
  await expectToast("You can’t decide this: it’s about you, or you’ve already decided on it.");
});

test("claims a second opinion when it is opened, and decides it by a key; not for one's own first decision", async () => {
  const server = await openDesk("/reportReview/appeals");
  const zola = deskFace(3).nickname;
  await page.getByRole("navigation").getByRole("button", { name: "Kai" }).click();
  await expect.element(page.getByText(t("desk.closed.first"))).toBeVisible();
  await userEvent.keyboard("3");
  expect(server.asked("adminClaim")).toEqual([]);
  await page.getByRole("navigation").getByRole("button", { name: zola }).click();
  await expect
    .element(page.getByRole("heading", { level: 2, name: t("desk.second.title", { name: isolate(zola) }) }))
    .toBeVisible();
  await expect.poll(() => server.asked("adminClaim")).toMatchObject([{ item: `case:${caseIdOf(3)}`, on: 1 }]);
  holdTime();
  await userEvent.keyboard("3");
  await expect.element(undo()).toBeVisible();
  await vi.advanceTimersByTimeAsync(undoMs);
  await expect.poll(() => server.asked("adminSecondOperate")).toMatchObject([{ id: caseIdOf(3), operation: 4 }]);
});

test("asks for an age check instead of a ban, where the server offers it", async () => {
  const nowMs = Date.now();
  const server = await openDesk("/reportReview", {
    adminCase: ({ id }) => caseOf(Number(id) - Number(caseIdOf(0)), nowMs, { may_ask_age: true }),
    adminAgeAsk: { until: nowMs + ageAskMs },
  });
  await openFirstCase();
  holdTime();
  await page.getByRole("button", { name: t("desk.operation.askAge") }).click();
  await expect.element(undo()).toBeVisible();
  await expect.element(inQueue("Marko")).not.toBeInTheDocument();
  await vi.advanceTimersByTimeAsync(undoMs);
  await expect.poll(() => server.asked("adminAgeAsk")).toMatchObject([{ id: caseIdOf(0) }]);
  expect(server.asked("adminReportOperate")).toEqual([]);
});
