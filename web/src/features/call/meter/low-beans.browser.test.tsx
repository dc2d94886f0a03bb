import { lowBeansNoticeMs } from "@fava/wire/limits.ts";
import type { Meter } from "@fava/wire/meter.ts";
import { afterEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type Key, t } from "#lib/i18n.ts";
import { expectCallState, expectHome, openCall } from "#testing/call-page.ts";
import type { FixtureWorld } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { meterPush, testMeter, ranOutPush } from "#testing/meter-fixtures.ts";
import { tillOf } from "#testing/shop-fixtures.ts";
import { stubWindows } from "#testing/shop-steps.ts";

const poor = { ...ana, credit5: 1_600 };
/** One second into the last minute. */
const lastMinute: Partial<Meter> = { counted_ms: 11_000, spent: 27, balance: 1_573, left_ms: 59_000 };

const popup = () => page.getByRole("dialog", { name: t("topUp.title") });
const press = (key: Key) => page.getByRole("button", { name: t(key), exact: true }).click();
/** The text of the call screen, also while a dialog covers it. */
const screen = () => document.querySelector("#call")?.textContent ?? "";
const ends = (seconds: number) => t("low.ends", { n: seconds, count: String(seconds) });

/** The page's clock once a call is open; only the test moves it. */
let nowMs = 0;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

interface PaidCall {
  server: FixtureWorld;
  readonly say: (change: Partial<Meter>, isEnough?: boolean) => void;
  readonly runOut: (change: Partial<Meter>) => void;
  /** What screen readers announced, oldest first. */
  readonly said: readonly string[];
}

/** A call that costs Ana 1,600 beans a minute, with enough for one minute. */
async function openPaidCall(): Promise<PaidCall> {
  const { server, roomId } = await openCall(
    // Women only.
    { as: poor, answers: tillOf(poor).answers, stored: { filterGender: "2" } },
    { remote: { price: 1_600 } },
  );
  nowMs = Date.now();
  vi.spyOn(Date, "now").mockImplementation(() => nowMs);
  const said: string[] = [];
  const region = document.getElementById("said-polite");
  if (region)
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) said.push(node.textContent ?? "");
    }).observe(region, { childList: true });
  return {
    server,
    said,
    say: (change, isEnough = true) => server.socket.push(meterPush(roomId, testMeter(change), { isEnough })),
    runOut: (change) => server.socket.push(ranOutPush(roomId, testMeter(change))),
  };
}

/** The server reports that the next minute is not covered, and the notice is due. */
async function runLow({ say }: PaidCall, change: Partial<Meter> = {}): Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  say({ ...lastMinute, ...change }, false);
  await vi.advanceTimersByTimeAsync(lowBeansNoticeMs - 1);
  expect(page.getByRole("button", { name: t("low.letEnd"), exact: true }).elements()).toEqual([]);
  expect(popup().elements()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  vi.useRealTimers();
}

test("reports low beans after ten seconds, each fact once, with the current balance", async () => {
  const paid = await openPaidCall();
  await runLow(paid);
  await expect.element(popup()).toBeVisible();
  await expect.element(popup().getByText(t("topUp.text", { count: "1,573", price: "1,600" }))).toBeVisible();
  await expect.poll(screen).toContain(ends(59));
  expect(screen()).not.toContain(t("low.topUp"));
  expect(paid.said).toContain(ends(59));
  nowMs += 9_000;
  await expect.poll(screen).toContain(ends(50));
  await expect.element(popup().getByText(t("topUp.text", { count: "1,333", price: "1,600" }))).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.poll(screen).toContain(t("low.topUp"));
  nowMs += 40_000;
  await expect.poll(screen).toContain(ends(10));
  await expect.poll(() => paid.said).toContain(ends(10));
  expect(paid.said.filter((line) => line === ends(50))).toEqual([]);
  nowMs += 60_000;
  await expect.poll(screen).toContain(ends(0));
  await expectCallState("in-call");
});

test("shows the two largest packs in the low-beans dialog, none preselected, and leads to all packs", async () => {
  const paid = await openPaidCall();
  await runLow(paid);
  const packs = () => popup().getByRole("group", { name: t("shop.packs") });
  await expect.poll(() => packs().getByRole("radio").elements()).toHaveLength(2);
  await expect.element(packs().getByRole("radio").nth(0)).toHaveAccessibleName(/\b770,000 beans/);
  await expect.element(packs().getByRole("radio").nth(1)).toHaveAccessibleName(/\b1,030,000 beans/);
  expect(popup().getByRole("radio", { checked: true }).elements()).toEqual([]);
  await expect.element(popup().getByRole("button", { name: t("shop.continue") })).toBeDisabled();
  await packs().getByRole("button").click();
  const shop = page.getByRole("dialog", { name: t("shop.title") });
  await expect.poll(() => shop.getByRole("radio").elements()).toHaveLength(6);
  await expectCallState("in-call");
});

test("hides the notice after a top-up, and the call continues", async () => {
  const windows = stubWindows();
  const paid = await openPaidCall();
  const till = tillOf(poor);
  paid.server.answer(till.answers);
  await runLow(paid);
  await popup()
    .getByRole("radio", { name: /\b770,000 beans/ })
    .click();
  await popup().getByRole("radio", { name: "Credit or debit card" }).click();
  await popup()
    .getByRole("button", { name: t("shop.continue") })
    .click();
  await expect.element(page.getByRole("dialog", { name: t("pay.waitTitle") })).toBeVisible();
  expect(windows).toHaveLength(1);
  await expect.poll(() => windows[0]?.visited.at(-1)).toBe(till.order.pay_url);
  till.settle("paid");
  paid.say({ ...lastMinute, balance: 771_573, left_ms: 1_000_000 });
  await expect.element(page.getByRole("dialog", { name: t("pay.completeTitle") })).toBeVisible();
  await press("pay.done");
  await expect.poll(screen).not.toContain(ends(59));
  await expect.element(popup()).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: t("low.topUp"), exact: true })).not.toBeInTheDocument();
  await expectCallState("in-call");
});

test("keeps only the countdown for users who let the call end, with a top-up in the bar until then", async () => {
  const paid = await openPaidCall();
  await runLow(paid);
  await popup()
    .getByRole("button", { name: t("topUp.end") })
    .click();
  await expect.element(popup()).not.toBeInTheDocument();
  await press("low.topUp");
  await expect.element(popup()).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(popup()).not.toBeInTheDocument();
  await press("low.letEnd");
  await expect.element(page.getByRole("button", { name: t("low.topUp"), exact: true })).not.toBeInTheDocument();
  await expect.poll(screen).toContain(ends(59));
  await expectCallState("in-call");
});

test("closes the call at zero with its cost, and lets the user continue for free", async () => {
  const paid = await openPaidCall();
  paid.server.answer({ myInfo: { ...poor, credit5: 0 } });
  paid.runOut({ counted_ms: 70_000, spent: 1_600, balance: 0, left_ms: 0 });
  const over = page.getByRole("dialog", { name: t("ranOut.title.balance") });
  await expect.element(over).toBeVisible();
  await expect.element(over.getByText(/Bo/)).toBeVisible();
  await expect.element(over.getByRole("definition").nth(0)).toHaveTextContent("1,600$1.60");
  await expect.element(over.getByRole("definition").nth(1)).toHaveTextContent("1 min 10 sec");
  await expect.element(over.getByRole("definition").nth(2)).toHaveTextContent("0");
  await over.getByRole("button", { name: t("ranOut.free") }).click();
  await expectCallState("searching");
  expect(paid.server.asked("matchStart").at(-1)).toMatchObject({ sex: 0 });
});

test("leads from the end of a call to the shop, and to home", async () => {
  const paid = await openPaidCall();
  paid.runOut({ counted_ms: 70_000, spent: 1_600, balance: 0, left_ms: 0 });
  await page
    .getByRole("dialog", { name: t("ranOut.title.balance") })
    .getByRole("button", { name: t("low.topUp") })
    .click();
  const shop = page.getByRole("dialog", { name: t("shop.title") });
  await expect.element(shop.getByRole("radio").first()).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expectHome();
});

test("sells nothing when the cap ends the call: shows the countdown, then leads to the cap", async () => {
  const paid = await openPaidCall();
  await runLow(paid, { limit: "cap", balance: 40_000 });
  await expect.poll(screen).toContain(t("low.endsByCap", { n: 59, count: "59" }));
  expect(popup().elements()).toEqual([]);
  expect(page.getByRole("button", { name: t("low.topUp"), exact: true }).elements()).toEqual([]);
  paid.runOut({ limit: "cap", balance: 40_000 });
  const over = page.getByRole("dialog", { name: t("ranOut.title.cap") });
  await over.getByRole("button", { name: t("meter.changeCap") }).click();
  await expect.element(page.getByRole("dialog", { name: t("cap.title") })).toBeVisible();
});
