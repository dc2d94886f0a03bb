import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { formatTime } from "#lib/format-date.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { openDesk } from "#testing/desk-steps.ts";
import { textQuestionOf, textQuestions } from "#testing/desk-text-fixtures.ts";
import { type FixtureWorld, Refusal } from "#testing/fixture-world.ts";
import { expectToast } from "#testing/page-steps.ts";

const list = () => page.getByRole("navigation", { name: t("desk.tab.texts") });
const item = (name: string) => page.getByRole("region", { name });
const button = (key: Parameters<typeof t>[0]) => page.getByRole("button", { name: new RegExp(`^${t(key)}`) });
const claims = (server: FixtureWorld) => server.asked("adminClaim").map(({ item: what, on }) => [what, on]);
const answered = (server: FixtureWorld) => server.asked("adminTextOperate").map(({ id, operation }) => [id, operation]);
const openTexts = async (answers = {}) => {
  const server = await openDesk("/reportReview/texts", answers);
  await expect.element(list().getByText("Jon")).toBeVisible();
  return server;
};
const tab = () => page.getByRole("link", { name: new RegExp(`^${t("desk.tab.texts")}`) });

test("shows the writer, marks what was found and by which rule, and claims the opened question", async () => {
  const server = await openTexts();
  await expect.element(tab()).toHaveTextContent("5");
  await list().getByText("Jon").click();
  const open = item("Jon");
  await expect.element(open.getByText("19 18-21 21-15")).toBeVisible();
  expect(open.element().querySelector("mark")?.textContent).toBe("21-19 18-21 21-15");
  await expect.element(open.getByText(t("asked.rule", { rule: isolate("contact:phone") }))).toBeVisible();
  await expect.element(open.getByText("Volleyball and tea.", { exact: true })).toBeVisible();
  await expect.poll(() => claims(server)).toEqual([["text:701", 1]]);
  await list().getByText("Zola").click();
  await expect
    .poll(() => claims(server))
    .toEqual([
      ["text:701", 1],
      ["text:701", 0],
      ["text:703", 1],
    ]);
});

test("ends a mute by keyboard, which can be undone, and opens the next question", async () => {
  const server = await openTexts();
  await userEvent.keyboard("j");
  await expect.element(button("asked.endMute")).toBeVisible();
  await userEvent.keyboard("a");
  await expect.element(page.getByText(t("asked.did.mute_ended", { name: isolate("Marko") }))).toBeVisible();
  await expect.element(item("Jon")).toBeVisible();
  await expect.element(tab()).toHaveTextContent("4");
  await userEvent.keyboard("u");
  await expect.element(item("Marko")).toBeVisible();
  expect(answered(server)).toEqual([]);
  await userEvent.keyboard("aa");
  await expect.poll(() => answered(server)).toEqual([["700", 1]]);
});

test("asks on R before a question that was not opened by hand", async () => {
  const server = await openTexts();
  await userEvent.keyboard("jr");
  await expect.element(item("Jon")).toBeVisible();
  await userEvent.keyboard("r");
  await expectToast(t("desk.case.unseen"));
  await expect.element(item("Jon")).toBeVisible();
  await userEvent.keyboard("r");
  await expect.element(item("Zola")).toBeVisible();
  await expect.poll(() => answered(server)).toEqual([["700", 2]]);
});

test("keeps a name that came with a sign-in, or replaces it by the number", async () => {
  await openTexts();
  await list().getByText("Zola").click();
  await expect.element(page.getByText(t("asked.provider"))).toBeVisible();
  await expect.element(button("asked.keepName")).toBeVisible();
  await button("asked.toNumber").click();
  await expect.element(page.getByText(t("asked.did.name_replaced", { name: isolate("Zola") }))).toBeVisible();
});

test("shows a question that another moderator has claimed, and rejects an answer to it", async () => {
  const server = await openTexts();
  await list().getByText("Kai").click();
  await expect.element(page.getByText(t("desk.closed.claimed"))).toBeVisible();
  await expect.element(button("asked.accept")).toBeDisabled();
  await userEvent.keyboard("a");
  expect([answered(server), claims(server)]).toEqual([[], []]);
});

test("reports an answer that the server rejects, and restores the question", async () => {
  const refused = new Refusal(406, { reason: "already_decided" });
  await openTexts({ adminTextOperate: refused, adminTextList: { ...textQuestions(Date.now()), waiting: 5 } });
  await list().getByText("Jon").click();
  await button("asked.accept").click();
  await page.getByRole("link", { name: new RegExp(`^${t("desk.tab.figures")}`) }).click();
  await expectToast(t("desk.refused.decided"));
  await tab().click();
  await expect.element(list().getByText("Jon")).toBeVisible();
});

test("shows a mute with its rule, its end and its case", async () => {
  const nowMs = Date.now();
  const mute = { rule: "contact_in_chat", until: nowMs + 60_000, case_id: "20417" };
  const row = textQuestionOf(0, nowMs, { place: "mute", text: "", spans: [], mute });
  await openDesk("/reportReview/texts", {
    adminTextList: { rows: [row], next: null, waiting: 1, oldest_at: row.at },
  });
  await list().getByText("Marko").click();
  await expect.element(page.getByText(t("desk.rule.contact_in_chat"))).toBeVisible();
  await expect.element(page.getByText(t("asked.muteUntil", { time: formatTime(mute.until) }))).toBeVisible();
  await page.getByRole("link", { name: t("asked.openCase", { no: isolate("R-20417") }) }).click();
  await expect.element(page.getByRole("navigation", { name: t("desk.tab.reports") })).toBeVisible();
});
