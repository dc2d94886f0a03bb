import { reactionsBurstMax } from "@fava/wire/limits.ts";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { watchAnnouncements } from "#testing/announcements.ts";
import { callState, openCall } from "#testing/call-page.ts";
import { phone } from "#testing/open-page.tsx";

const row = () => page.getByRole("group", { name: t("call.react"), exact: true });
const opener = () => page.getByRole("button", { name: t("call.react"), exact: true });
const heart = () => row().getByRole("button", { name: t("reaction.heart") });
const floating = (whose: "own" | "other") => document.querySelectorAll(`[data-whose="${whose}"] > span`).length;

test("sends reactions from a row beside the field, shows them over the own picture and names them", async () => {
  const { server, roomId } = await openCall();
  const said = watchAnnouncements();
  await opener().click();
  await expect.element(heart()).toHaveFocus();
  for (let times = 0; times < reactionsBurstMax + 2; times += 1) await userEvent.keyboard("{Enter}");
  expect(server.socket.heard("reaction").length).toBeLessThan(reactionsBurstMax + 2);
  expect(server.socket.heard("reaction")[0]).toMatchObject({ roomId, reaction: "heart" });
  expect(said).toContain(`polite: ${t("call.you")}: ${t("reaction.heart")}`);
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(row().getByRole("button", { name: t("reaction.laugh") })).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(row()).not.toBeInTheDocument();
  await expect.element(opener()).toHaveFocus();
  expect(callState()).toBe("in-call");
});

test("shows a reaction of the partner over their picture for two seconds", async () => {
  const { server, roomId } = await openCall();
  const said = watchAnnouncements();
  server.socket.say({ type: "reaction", roomId, reaction: "party" });
  await expect.poll(() => floating("other")).toBe(1);
  expect(floating("own")).toBe(0);
  expect(said).toEqual([`polite: Bo: ${t("reaction.party")}`]);
  await expect.poll(() => floating("other"), { timeout: 5_000 }).toBe(0);
});

test("shows nothing over a picture that the frame checks hide, and still names the reaction", async () => {
  const { server, roomId } = await openCall();
  server.socket.say({ type: "shield", roomId, other: "hidden", own: "warned" });
  await expect.element(page.getByText(t("shield.hidden"))).toBeVisible();
  const said = watchAnnouncements();
  server.socket.say({ type: "reaction", roomId, reaction: "wow" });
  await opener().click();
  await heart().click();
  await expect.poll(() => said).toContain(`polite: Bo: ${t("reaction.wow")}`);
  expect([floating("other"), floating("own")]).toEqual([0, 0]);
  expect(server.socket.heard("reaction")).toHaveLength(1);
});

test("ignores a reaction of another room", async () => {
  const { server, roomId } = await openCall();
  const said = watchAnnouncements();
  server.socket.say({ type: "reaction", roomId: "another", reaction: "wow" });
  server.socket.say({ type: "reaction", roomId, reaction: "wave" });
  await expect.poll(() => said).toEqual([`polite: Bo: ${t("reaction.wave")}`]);
});

test("offers reactions on a phone above the questions, by one button, below 70 % of the height", async () => {
  const { server } = await openCall({ window: phone });
  expect(opener().elements()).toEqual([]);
  await page.getByRole("button", { name: t("call.reactAsk") }).click();
  await expect.element(heart()).toBeVisible();
  expect(heart().element().getBoundingClientRect().top).toBeGreaterThan(0.7 * innerHeight);
  await heart().click();
  expect(server.socket.heard("reaction")).toHaveLength(1);
});
