import { expect } from "@playwright/test";
import { appealStatusOf, appealToken, banPush, checkFactsOf } from "@fava/web/testing/appeal-fixtures.ts";
import { Refusal } from "@fava/web/testing/fixture-world.ts";
import { ana, otherUserOf } from "@fava/web/testing/fixtures.ts";
import { emptyPath, type PageWorld, test } from "../support/fixture-page.ts";
import { words } from "../support/words.ts";

const askedFor = ({ server }: PageWorld) => server.asked("appealStatus").map(({ appeal_token: token }) => token);

test("explains the page for an address without a ban's token", async ({ world }) => {
  const forged = `1.1767225600000.${"a".repeat(43)}`;
  const page = await world.open({ answers: { appealStatus: new Refusal(400) } });
  const none = page.getByRole("heading", { level: 1, name: words("appeal.noneTitle") });
  for (const address of ["/appeal", "/appeal#1.2.short", `/appeal#${forged}`]) {
    await page.goto(emptyPath);
    await page.goto(address);
    await expect(none).toBeVisible();
  }
  // The page sends no request for a string that cannot be a token.
  expect(askedFor(world)).toEqual([forged]);
  await page.getByRole("link", { name: words("appeal.signIn") }).click();
  await expect(page.getByRole("button", { name: words("home.start") })).toBeVisible();
});

test("tells a user whose call was cut when, why and until when, and how to appeal", async ({ world }) => {
  const facts = checkFactsOf(Date.now());
  const page = await world.open({
    as: ana,
    devices: "allowed",
    answers: { userInfo: otherUserOf("Bo"), appealStatus: appealStatusOf(facts.at, { ban: facts }) },
  });
  await page.getByRole("button", { name: words("home.start") }).click();
  await page.getByRole("button", { name: words("rules.ok") }).click();
  await world.match(page);
  await expect(page.locator("[data-match-state]")).toHaveAttribute("data-status", "in-call");
  world.server.socket.push(banPush(facts));
  const ended = page.getByRole("alertdialog", { name: words("ended.title") });
  await expect(ended).toBeVisible();
  await expect(page.locator("[data-match-state]")).toHaveCount(0);
  for (const key of ["ended.yourTime", "statementOf.inCall.check", "ended.until", "ended.untilText", "ended.todayText"])
    await expect(ended.getByText(new RegExp(words(key).source.slice(1, -1), "u")).first()).toBeVisible();
  await expect(ended.getByText(words("ended.wrongText"))).toBeVisible();
  await ended.getByRole("link", { name: words("ended.mistake") }).click();
  await expect(page.getByRole("complementary", { name: words("appeal.decision") })).toContainText("software");
  expect(askedFor(world)).toEqual([appealToken]);
});
