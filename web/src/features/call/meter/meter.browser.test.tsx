import type { Meter } from "@fava/wire/meter.ts";
import { afterEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { formatDuration } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { walletOf } from "#testing/bean-fixtures.ts";
import { expectCallState, expectHome, openCall } from "#testing/call-page.ts";
import type { FixtureWorld } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { meterPush, testMeter } from "#testing/meter-fixtures.ts";
import type { PageOptions } from "#testing/open-page.tsx";

const pill = () => page.getByRole("button", { name: t("meter.pillLabel", { beans: "1,600", money: "$1.60" }) });
const panel = () => page.getByRole("dialog", { name: t("meter.title") });
/** Price, spent, and counted time. */
const fact = (index: 0 | 1 | 2) => panel().getByRole("definition").nth(index);

/** The page's clock once a call is open; only the test moves it. */
let nowMs = 0;

afterEach(() => {
  vi.restoreAllMocks();
});

interface PaidCall {
  server: FixtureWorld;
  roomId: string;
  /** Sends a meter of the server. */
  readonly say: (change?: Partial<Meter>) => void;
}

/** A call that costs Ana 1,600 beans a minute. */
async function openPaidCall(answers: PageOptions["answers"] = {}): Promise<PaidCall> {
  const { server, roomId } = await openCall({ as: { ...ana, credit5: 50_000 }, answers }, { remote: { price: 1_600 } });
  nowMs = Date.now();
  vi.spyOn(Date, "now").mockImplementation(() => nowMs);
  return { server, roomId, say: (change) => server.socket.push(meterPush(roomId, testMeter(change))) };
}

function pass(seconds: number): void {
  nowMs += seconds * 1_000;
}

test("shows time left and what ends it, beans spent and counted time, and keeps counting", async () => {
  const { say } = await openPaidCall();
  say();
  await pill().click();
  await expect.element(panel().getByRole("heading")).toHaveFocus();
  await expect.element(panel().getByText(formatDuration(1_790))).toBeVisible();
  await expect.element(panel().getByText(t("meter.limit.balance"))).toBeVisible();
  await expect.element(fact(0)).toHaveTextContent("1,600 a minute$1.60");
  await expect.element(fact(1)).toHaveTextContent("1,867$1.87");
  await expect
    .element(fact(2))
    .toHaveTextContent(`${formatDuration(80)}${t("meter.freeWere", { time: formatDuration(10) })}`);
  pass(6);
  await expect.element(fact(1)).toHaveTextContent("2,027$2.03");
  await expect.element(fact(2)).toHaveTextContent(formatDuration(86));
  await expect.element(panel().getByText(formatDuration(1_784))).toBeVisible();
  // A meter of the server replaces the page's own count.
  say({ counted_ms: 81_000, spent: 1_894, left_ms: 60_000 });
  await expect.element(fact(1)).toHaveTextContent("1,894$1.90");
  await expect.element(panel().getByText(formatDuration(60), { exact: true })).toBeVisible();
});

test("stops the meter while nothing counts, and says why", async () => {
  const { server, roomId, say } = await openPaidCall();
  say();
  await pill().click();
  await expect.element(fact(1)).toHaveTextContent("1,867");
  say({ clock: "stopped", stopped: "camera_off" });
  await expect.element(panel().getByRole("status")).toHaveTextContent(t("meter.stop.camera_off"));
  await expect.element(pill().getByText(t("meter.stopped"))).toBeVisible();
  pass(6);
  say({ clock: "running" });
  await expect.element(panel().getByRole("status")).not.toBeInTheDocument();
  await expect.element(fact(1)).toHaveTextContent("1,867");
  pass(3);
  await expect.element(fact(1)).toHaveTextContent("1,947");

  server.socket.say({ type: "shield", roomId, other: "checking", own: "clear" });
  say({ clock: "stopped", stopped: "blurred" });
  await expect.element(panel().getByRole("status")).toHaveTextContent(t("meter.stop.blurred"));
  await expect.element(pill().getByText(t("meter.paused"))).toBeVisible();
  server.socket.say({ type: "shield", roomId, other: "clear", own: "clear" });
  say({ clock: "running" });
  await expect.element(panel().getByRole("status")).not.toBeInTheDocument();
  window.remotePerson.stall();
  await expect.element(panel().getByRole("status")).toHaveTextContent(t("meter.stop.reconnecting"));
  // Only this page has seen media stop: the server still counts.
  say({ clock: "running" });
  await expect.element(panel().getByRole("status")).not.toBeInTheDocument();
});

test("counts the free seconds down first, without cost", async () => {
  const { say } = await openPaidCall();
  say({ clock: "free", counted_ms: 4_000, spent: 0, balance: 50_000 });
  await pill().click();
  await expect.element(fact(1)).toHaveTextContent(/^0/);
  await expect
    .element(fact(2))
    .toHaveTextContent(`${formatDuration(4)}${t("meter.freeLeft", { time: formatDuration(6) })}`);
  pass(5);
  await expect
    .element(fact(2))
    .toHaveTextContent(`${formatDuration(9)}${t("meter.freeLeft", { time: formatDuration(1) })}`);
  await expect.element(fact(1)).toHaveTextContent(/^0/);
  pass(4);
  await expect
    .element(fact(2))
    .toHaveTextContent(`${formatDuration(13)}${t("meter.freeWere", { time: formatDuration(10) })}`);
  await expect.element(fact(1)).toHaveTextContent("80");
});

test("closes the meter on Escape before the call ends; the other keys work meanwhile", async () => {
  const { say } = await openPaidCall();
  say();
  await pill().click();
  await expect.element(panel().getByRole("heading")).toHaveFocus();
  const controls = page.getByRole("toolbar", { name: t("call.controls") });
  const microphone = controls.getByRole("button", { name: t("home.micMute") });
  await expect.element(microphone).toHaveAttribute("aria-pressed", "false");
  await userEvent.keyboard("m");
  await expect.element(microphone).toHaveAttribute("aria-pressed", "true");
  await expect.element(panel()).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(panel()).not.toBeInTheDocument();
  await expect.element(pill()).toHaveFocus();
  await expectCallState("in-call");
  await userEvent.keyboard("{Escape}");
  await expectHome();
});

test("shows what the day has cost, and leads to the cap", async () => {
  let wallet = walletOf({ cap: { beans: null, pending: null, spent_today: 4_800 } });
  const { say, server } = await openPaidCall({
    beanWallet: () => wallet,
    beanCap: ({ beans }) => {
      wallet = walletOf({ cap: { beans, pending: null, spent_today: 4_800 } });
      return wallet.cap;
    },
  });
  say();
  await pill().click();
  await expect.element(panel().getByText(t("meter.todayNoCap", { spent: "4,800" }))).toBeVisible();
  await panel()
    .getByRole("button", { name: t("meter.setCap") })
    .click();
  const cap = page.getByRole("dialog", { name: t("cap.title") });
  await cap.getByRole("textbox").fill("40000");
  await cap.getByRole("button", { name: t("common.save") }).click();
  await expect.element(cap).not.toBeInTheDocument();
  await expect.element(panel().getByText(t("meter.today", { spent: "4,800", cap: "40,000" }))).toBeVisible();
  await expect.element(panel().getByRole("meter")).toHaveAttribute("max", "40000");
  await expect.element(panel().getByRole("button", { name: t("meter.changeCap") })).toBeVisible();
  // The next meter of the server names what ends the call now; the day's spending has changed as well.
  wallet = walletOf({ cap: { ...wallet.cap, spent_today: 6_400 } });
  pass(1);
  say({ limit: "cap" });
  await expect.element(panel().getByText(t("meter.limit.cap"))).toBeVisible();
  await expect.element(panel().getByText(t("meter.today", { spent: "6,400", cap: "40,000" }))).toBeVisible();
  expect(server.asked("beanCap")).toMatchObject([{ beans: 40_000 }]);
});

test("shows no meter to a user who pays nothing, but that the call is free", async () => {
  await openCall();
  await expect.element(page.getByText(t("call.free"))).toBeVisible();
  expect(document.querySelector("#call [aria-haspopup=dialog][aria-expanded]")).toBeNull();
});
