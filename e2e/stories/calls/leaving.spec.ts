import { expect } from "@playwright/test";
import { pushCodes } from "@fava/wire/pushes.ts";
import { framesOf } from "../../support/frames.ts";
import {
  callScreen,
  expectCallState,
  expectLeftBy,
  expectTogether,
  meet,
  startChat,
  test,
} from "../../support/people.ts";
import { words, wordsIn } from "../../support/words.ts";

test("[CALL-3] [MATCH-3] next searches on; the other is told, searches by itself, and both meet again", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Next" }), person({ name: "Bo Next" })]);
  await meet(ana, bo);
  // The first press may fall into the moment in which it does nothing.
  await expect(async () => {
    await ana.keyboard.press("ArrowRight");
    await expect(callScreen(ana)).toHaveAttribute("data-status", "searching", { timeout: 500 });
  }).toPass();
  await expectLeftBy(bo, "Ana Next");
  await expectTogether(ana, bo);
  for (const page of [ana, bo]) expect(framesOf(page).pushes(pushCodes.matched)).toHaveLength(2);
  expect(framesOf(bo).pushes(pushCodes.otherLeft)).toHaveLength(1);
});

test("[CALL-81] [CALL-88] [MATCH-3] who closes the page may come back for twelve seconds; then the other searches by itself, can still do something about them, and meets the next one", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Waits" }), person({ name: "Bo Closes" })]);
  await meet(ana, bo);
  await bo.close();
  await expect(ana.getByRole("heading", { name: words("openCall.may", { name: "Bo Closes" }) })).toBeVisible();
  await expectCallState(ana, "in-call");
  await expect(callScreen(ana)).toHaveAttribute("data-status", "searching", { timeout: 20_000 });
  await expectLeftBy(ana, "Bo Closes");
  const follow = ana.getByRole("button", { name: `${wordsIn("en", "people.follow")} Bo Closes` });
  await follow.click();
  await expect(ana.getByRole("button", { name: `${wordsIn("en", "people.following")} Bo Closes` })).toBeVisible();
  await ana.getByRole("button", { name: `${wordsIn("en", "people.meet")} Bo Closes` }).click();
  await expect(ana.getByRole("button", { name: `${wordsIn("en", "people.asked")} Bo Closes` })).toBeVisible();
  await expect(ana.getByRole("button", { name: `${wordsIn("en", "msg.report")} Bo Closes` })).toBeVisible();
  await expect(callScreen(ana).getByLabel(words("call.you")).locator("video")).toBeVisible();
  const theo = await person({ name: "Theo Comes" });
  await startChat(theo);
  await expectTogether(ana, theo);
});
