import { chatLineShownMs } from "@fava/wire/limits.ts";
import { afterEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { openCall } from "#testing/call-page.ts";
import { phone } from "#testing/open-page.tsx";

const field = () => page.getByRole("textbox", { name: t("call.placeholder") });
const log = () => page.getByRole("log", { name: t("call.chat") });
/** The texts of the visible lines. */
const seen = () =>
  [...document.querySelectorAll<HTMLElement>('[role="log"] [data-from]')]
    .filter((line) => getComputedStyle(line).opacity === "1")
    .map((line) => line.querySelector("p")?.textContent);

afterEach(() => vi.useRealTimers());

test("shows the last three lines for eight seconds each, and keeps all in the log for readers", async () => {
  const { server, roomId } = await openCall({ window: phone });
  await expect.element(field()).toBeVisible();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  for (const text of ["one", "two", "three", "four"]) {
    server.socket.chat(roomId, text);
    await vi.waitUntil(() => log().getByText(text, { exact: true }).query());
  }
  await vi.waitUntil(() => seen().length === 3);
  expect(seen()).toEqual(["two", "three", "four"]);
  await vi.advanceTimersByTimeAsync(chatLineShownMs);
  await vi.waitUntil(() => seen().length === 0);
  expect(log().element().textContent).toBe("onetwothreefour");
  vi.useRealTimers();
  // A user who focuses the field sees all lines.
  await field().click();
  await expect.poll(seen).toEqual(["one", "two", "three", "four"]);
});

test("keeps a line that was not sent until it is sent again", async () => {
  const { server } = await openCall({ window: phone });
  server.socket.answerLine = ({ clientId }) => ({ type: "error", code: 400, reason: "refused", clientId });
  await field().fill("not at first");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await userEvent.keyboard("{Enter}");
  await vi.waitUntil(() => page.getByText(t("call.line.failed")).query());
  (field().element() as HTMLElement).blur();
  await vi.advanceTimersByTimeAsync(2 * chatLineShownMs);
  await vi.waitUntil(() => seen().length === 1);
  expect(seen()).toEqual(["not at first"]);
});

test("puts own lines at the end and a note into the bubble of its line", async () => {
  const { server, roomId } = await openCall({ window: phone });
  server.socket.answerLine = ({ clientId }) => ({ type: "chat-stored", roomId, clientId, findings: ["phone"] });
  server.socket.chat(roomId, "hello");
  await field().fill("my number");
  await userEvent.keyboard("{Enter}");
  const note = page.getByText(t("covered.onlyDetails"));
  await expect.element(note).toBeVisible();
  const bubble = note.element().closest("small")!.parentElement!;
  expect(bubble.textContent).toContain("my number");
  const box = (element: Element) => element.getBoundingClientRect();
  const other = page.getByText("hello", { exact: true }).element().closest("p")!.parentElement!;
  expect(box(bubble).right).toBeCloseTo(box(log().element()).right, 0);
  expect(box(other).left).toBeCloseTo(box(log().element()).left, 0);
});

test("keeps the last line in view while the field grows", async () => {
  const { server, roomId } = await openCall({ window: phone });
  for (let n = 1; n <= 12; n += 1) server.socket.chat(roomId, `A line that is long enough for two rows, number ${n}`);
  const last = log().getByText(/number 12$/);
  await expect.element(last).toBeVisible();
  const heightPx = log().element().clientHeight;
  await field().fill("so much to say ".repeat(12));
  await expect.poll(() => log().element().clientHeight).toBeLessThan(heightPx);
  const bottomPx = (element: Element) => element.getBoundingClientRect().bottom;
  await expect.poll(() => bottomPx(last.element())).toBeLessThanOrEqual(bottomPx(log().element()));
});

test("closes the questions of a phone when a line arrives, and hides lines while they are open", async () => {
  const { server, roomId } = await openCall({ window: phone });
  const questions = () => page.getByRole("group", { name: t("call.askTitle") });
  server.socket.chat(roomId, "hello");
  await expect.poll(seen).toEqual(["hello"]);
  await page.getByRole("button", { name: t("call.reactAsk") }).click();
  await expect.element(questions()).toBeVisible();
  await expect.poll(seen).toEqual([]);
  const row = questions().element();
  const tops = [...row.querySelectorAll("button")].map((chip) => chip.getBoundingClientRect().top);
  expect(new Set(tops).size).toBe(1);
  expect(row.getBoundingClientRect().bottom).toBeLessThan(field().element().getBoundingClientRect().top);
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(questions().getByRole("button").nth(1)).toHaveFocus();
  server.socket.chat(roomId, "are you there?");
  await expect.element(questions()).not.toBeInTheDocument();
  await expect.poll(seen).toContain("are you there?");
});
