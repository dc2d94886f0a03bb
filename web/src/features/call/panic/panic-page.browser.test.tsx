import { undoMs } from "@fava/wire/limits.ts";
import { beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { localMedia } from "#lib/media/local-media.ts";
import { callState, expectCallState, expectHome, openCall } from "#testing/call-page.ts";
import { type Answers, type FixtureWorld, silence } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { phone } from "#testing/open-page.tsx";

const name = isolate("Bo");
const answers: Answers = { feedback: {}, block: {} };
const title = () => page.getByRole("heading", { name: t("panic.title") });
const reasons = () => page.getByRole("group", { name: t("panic.reason") });

beforeEach(() => void vi.useRealTimers());

async function pressPanic(options: { answers?: Answers; window?: typeof phone } = {}): Promise<FixtureWorld> {
  const { server } = await openCall(
    { ...options, answers: { ...answers, ...options.answers } },
    { push: { id: "the-call" } },
  );
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  await userEvent.keyboard("x");
  await expect.element(title()).toHaveFocus();
  expect(callState()).toBeNull();
  return server;
}

function sent(server: FixtureWorld): object[] {
  return [...server.asked("block"), ...server.asked("feedback")];
}

test("[SAFE-220] removes video and sound and ends both local tracks within one frame", async () => {
  await openCall({ answers });
  const { media } = localMedia.getState();
  const tracks = media.status === "live" ? media.stream.getTracks() : [];
  expect(tracks.map(({ readyState }) => readyState)).toEqual(["live", "live"]);
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "x", code: "KeyX", bubbles: true }));
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(tracks.map(({ readyState }) => readyState)).toEqual(["ended", "ended"]);
  const playing = [...document.querySelectorAll("video")].filter(({ srcObject }) => srcObject !== null);
  expect(playing).toEqual([]);
  expect(callState()).toBeNull();
});

test("[SAFE-220] treats X as a letter while the user writes a line", async () => {
  await openCall({ answers });
  const field = page.getByRole("textbox", { name: t("call.placeholder") });
  await field.click();
  await userEvent.keyboard("x");
  await expect.element(field).toHaveValue("x");
  expect(callState()).toBe("in-call");
});

test("sends block and report after five seconds, with the chosen reason", async () => {
  const server = await pressPanic();
  await expect.element(page.getByText(t("panic.lead", { name }))).toBeVisible();
  await expect.poll(() => server.asked("matchStop").length).toBeGreaterThan(0);
  expect(server.asked("matchStop")).toHaveLength(1);
  await reasons()
    .getByRole("radio", { name: t("reason.report.9") })
    .click();
  expect(sent(server)).toEqual([]);
  vi.advanceTimersByTime(undoMs);
  await expect.element(page.getByText(t("panic.sent", { name }))).toBeVisible();
  expect(server.asked("block")).toHaveLength(1);
  expect(server.asked("feedback")).toMatchObject([{ id: 9, user_id: ana.user_id, call_id: "the-call" }]);
  await page.getByRole("button", { name: t("panic.meet") }).click();
  await expectCallState("searching");
  expect(server.asked("feedback")).toHaveLength(1);
});

test("sends the general reason when the user chooses none", async () => {
  const server = await pressPanic();
  vi.advanceTimersByTime(undoMs);
  await expect.element(page.getByText(t("panic.sent", { name }))).toBeVisible();
  expect(server.asked("feedback")).toMatchObject([{ id: 7 }]);
});

test("withdraws block and report on undo, but not the exit", async () => {
  const server = await pressPanic();
  await userEvent.keyboard("u");
  await expect.element(page.getByText(t("panic.undone", { name }))).toBeVisible();
  await expect.element(reasons()).not.toBeInTheDocument();
  vi.advanceTimersByTime(undoMs);
  await userEvent.keyboard("{Escape}");
  await expectHome();
  expect(sent(server)).toEqual([]);
  expect(server.asked("matchStop")).toHaveLength(1);
});

test("sends both at once when the user leaves the page early", async () => {
  const server = await pressPanic();
  await page.getByRole("button", { name: t("panic.home") }).click();
  await expectHome();
  await expect.poll(() => sent(server)).toHaveLength(2);
});

test("shows what did not arrive, and sends it again on a press", async () => {
  const server = await pressPanic({ answers: { feedback: silence } });
  vi.advanceTimersByTime(undoMs);
  await expect.element(page.getByText(t("panic.failed"))).toBeVisible();
  server.answer({ feedback: {} });
  await page.getByRole("button", { name: t("common.retry") }).click();
  await expect.element(page.getByText(t("panic.sent", { name }))).toBeVisible();
});

test("sends the user's own words by their own button, in which a U undoes nothing", async () => {
  const server = await pressPanic();
  const field = page.getByRole("textbox", { name: t("report.words") });
  await field.click();
  await userEvent.keyboard("Uh, he shouted");
  await expect.element(field).toHaveValue("Uh, he shouted");
  vi.advanceTimersByTime(undoMs);
  await expect.element(page.getByText(t("panic.sent", { name }))).toBeVisible();
  expect(server.asked("feedback").map(({ note }) => note)).toEqual([undefined]);
  await page.getByRole("button", { name: t("msg.send"), exact: true }).click();
  await expect.element(page.getByText(t("report.wordsSent"))).toBeVisible();
  await expect.poll(() => server.asked("feedback").map(({ note }) => note)).toEqual([undefined, "Uh, he shouted"]);
  await page.getByRole("button", { name: t("panic.home") }).click();
  await expectHome();
  expect(server.asked("feedback")).toHaveLength(2);
});

test("keeps both ways out of the page in view on a phone while the field has words", async () => {
  await pressPanic({ window: phone });
  vi.advanceTimersByTime(undoMs);
  await expect.element(page.getByText(t("panic.sent", { name }))).toBeVisible();
  await page.getByRole("textbox", { name: t("report.words") }).fill("He said that he recorded me.");
  await expect.element(page.getByRole("button", { name: t("msg.send"), exact: true })).toBeVisible();
  for (const key of ["panic.home", "panic.meet"] as const) {
    const button = page.getByRole("button", { name: t(key) }).element();
    expect(button.getBoundingClientRect().bottom).toBeLessThanOrEqual(window.innerHeight);
  }
});

test("keeps the page open at an Escape that belongs to an input method", async () => {
  await pressPanic();
  const field = page.getByRole("textbox", { name: t("report.words") });
  await field.click();
  const press = { key: "Escape", code: "Escape", isComposing: true, bubbles: true, cancelable: true };
  expect(field.element().dispatchEvent(new KeyboardEvent("keydown", press))).toBe(true);
  await expect.element(title()).toBeVisible();
});
