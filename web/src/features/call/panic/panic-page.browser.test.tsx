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

test("[SAFE-220] the panic key removes picture and sound and ends both own tracks within a frame", async () => {
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

test("[SAFE-220] while a line is written, X is a letter", async () => {
  await openCall({ answers });
  const field = page.getByRole("textbox", { name: t("call.placeholder") });
  await field.click();
  await userEvent.keyboard("x");
  await expect.element(field).toHaveValue("x");
  expect(callState()).toBe("in-call");
});

test("block and report go after five seconds, with the reason that was said", async () => {
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

test("without a reason the report has the general one", async () => {
  const server = await pressPanic();
  vi.advanceTimersByTime(undoMs);
  await expect.element(page.getByText(t("panic.sent", { name }))).toBeVisible();
  expect(server.asked("feedback")).toMatchObject([{ id: 7 }]);
});

test("undo takes block and report back, and not the leaving", async () => {
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

test("leaving the page before the time is over sends both at once", async () => {
  const server = await pressPanic();
  await page.getByRole("button", { name: t("panic.home") }).click();
  await expectHome();
  await expect.poll(() => sent(server)).toHaveLength(2);
});

test("what does not arrive is said, and sent again by a press", async () => {
  const server = await pressPanic({ answers: { feedback: silence } });
  vi.advanceTimersByTime(undoMs);
  await expect.element(page.getByText(t("panic.failed"))).toBeVisible();
  server.answer({ feedback: {} });
  await page.getByRole("button", { name: t("common.retry") }).click();
  await expect.element(page.getByText(t("panic.sent", { name }))).toBeVisible();
});

test("own words are sent by a button of their own, and a U in them takes nothing back", async () => {
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
