import { twoChoiceAnswerMs } from "@fava/wire/limits.ts";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { watchAnnouncements } from "#testing/announcements.ts";
import { callState, openCall } from "#testing/call-page.ts";
import { phone } from "#testing/open-page.tsx";

const card = () => page.getByRole("region", { name: t("call.both") });
/** The answers of the first question, whose texts are loaded with it. */
const [first, second] = ["Beach", "Mountains"] as const;
const answer = (which: "a" | "b") => card().getByRole("button", { name: which === "a" ? first : second });
const asked = (roomId: string, question = 1, left_ms = twoChoiceAnswerMs) =>
  ({ type: "two-choice", roomId, question, left_ms }) as const;

test("asks both from the questions, and shows both choices once both have chosen", async () => {
  const { server, roomId } = await openCall();
  await page.getByRole("button", { name: t("call.both") }).click();
  await expect.poll(() => server.socket.heard("two-choice")).toHaveLength(1);
  expect(server.socket.heard("two-choice")[0]).toMatchObject({ roomId });
  expect(server.socket.heard("two-choice")[0]).not.toHaveProperty("choice");
  const said = watchAnnouncements();
  server.socket.say(asked(roomId));
  await expect.element(answer("a")).toHaveFocus();
  expect(said).toEqual([`polite: ${t("call.bothAsked", { first, second })}`]);
  await userEvent.keyboard("{Enter}{Enter}");
  expect(server.socket.heard("two-choice").slice(1)).toMatchObject([{ question: 1, choice: 0 }]);
  await expect.element(card().getByText(t("search.waitingFor", { name: isolate("Bo") }))).toBeVisible();
  server.socket.say({ ...asked(roomId, 1, 0), choices: { own: 0, other: 1 } });
  await expect.element(card().getByText("Bo")).toBeVisible();
  const both = { own: first, name: "Bo", other: second };
  expect(said.at(-1)).toBe(`polite: ${t("call.bothSaid", both)}`);
  await card()
    .getByRole("button", { name: t("call.bothAgain") })
    .click();
  await expect.poll(() => server.socket.heard("two-choice")).toHaveLength(3);
  expect(server.socket.heard("two-choice")[2]).not.toHaveProperty("choice");
  expect(callState()).toBe("in-call");
});

test("shows a partner's question without taking the focus", async () => {
  const { server, roomId } = await openCall();
  const field = page.getByRole("textbox", { name: t("call.placeholder") });
  await field.click();
  server.socket.say(asked(roomId));
  await expect.element(answer("b")).toBeVisible();
  await expect.element(field).toHaveFocus();
});

test("opens a closed card again while the server would not ask another question", async () => {
  const { server, roomId } = await openCall();
  server.socket.say(asked(roomId));
  await card()
    .getByRole("button", { name: t("common.close") })
    .click();
  await expect.element(card()).not.toBeInTheDocument();
  await page.getByRole("button", { name: t("call.both") }).click();
  await expect.element(answer("a")).toBeVisible();
  expect(server.socket.heard("two-choice")).toEqual([]);
});

test("closes when the time to answer is over", async () => {
  const { server, roomId } = await openCall();
  server.socket.say(asked(roomId, 1, 1_500));
  await expect.element(answer("a")).toBeVisible();
  await expect.element(card()).not.toBeInTheDocument();
});

test("stands at the foot of a phone, below 70 % of the height", async () => {
  const { server, roomId } = await openCall({ window: phone });
  server.socket.say(asked(roomId));
  await expect.element(answer("a")).toBeVisible();
  expect(card().element().getBoundingClientRect().top).toBeGreaterThan(0.7 * innerHeight);
});
