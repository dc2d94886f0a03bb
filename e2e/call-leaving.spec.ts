import { expect } from "@playwright/test";
import { pushCodes } from "@fava/wire/pushes.ts";
import { framesOf } from "./support/frames.ts";
import {
  callScreen,
  expectCallState,
  expectHome,
  expectLeftBy,
  expectTogether,
  meet,
  startChat,
  test,
} from "./support/people.ts";
import { words } from "./support/words.ts";

declare global {
  interface Window {
    /** How often the right arrow was pressed in the moment a match was shown. */
    earlyArrows: number;
  }
}

/** Presses the right arrow in the very moment that a match is shown. */
function pressNextTooEarly(): void {
  window.earlyArrows = 0;
  let seen = "";
  new MutationObserver(() => {
    const status = document.querySelector("[data-match-state]")?.getAttribute("data-status") ?? "";
    if (status === seen) return;
    seen = status;
    if (status !== "connecting") return;
    window.earlyArrows += 1;
    window.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", code: "ArrowRight", bubbles: true }));
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-status"] });
}

test("[CALL-3] next does nothing in the first moment of a match, nor while typing", async ({ person }) => {
  const [ana, bo] = await Promise.all([person("ana", { before: pressNextTooEarly }), person("bo")]);
  await meet(ana, bo);
  expect(await ana.evaluate(() => window.earlyArrows)).toBeGreaterThan(0);
  const field = ana.getByRole("textbox", { name: words("call.placeholder") });
  await field.fill("hello");
  await field.press("Home");
  await field.press("ArrowRight");
  await field.press("ArrowRight");
  await expectTogether(ana, bo);
  for (const page of [ana, bo]) expect(framesOf(page).pushes(pushCodes.matched)).toHaveLength(1);
});

test("[CALL-3] [MATCH-3] next searches on; the other is told, searches by itself, and both meet again", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([person("ana"), person("bo")]);
  await meet(ana, bo);
  // The first press may fall into the moment in which it does nothing.
  await expect(async () => {
    await ana.keyboard.press("ArrowRight");
    await expect(callScreen(ana)).toHaveAttribute("data-status", "searching", { timeout: 500 });
  }).toPass();
  await expectLeftBy(bo, "Ana");
  await expectTogether(ana, bo);
  for (const page of [ana, bo]) expect(framesOf(page).pushes(pushCodes.matched)).toHaveLength(2);
  expect(framesOf(bo).pushes(pushCodes.otherLeft)).toHaveLength(1);
});

test("[CALL-2] Escape leaves the text field first and ends the call only then", async ({ person }) => {
  const [ana, bo] = await Promise.all([person("ana"), person("bo")]);
  await meet(ana, bo);
  const field = ana.getByRole("textbox", { name: words("call.placeholder") });
  await field.fill("half a thought");
  await ana.keyboard.press("Escape");
  await expect(field).not.toBeFocused();
  await expectCallState(ana, "in-call");
  await ana.keyboard.press("Escape");
  await expectHome(ana);
  await expectLeftBy(bo, "Ana");
  await expect(ana.getByText(words("home.offTitle"))).toBeVisible();
  await bo.keyboard.press("Escape");
  await expectHome(bo);
});

test("[MATCH-3] who closes the page leaves; the other searches by itself and meets the next one", async ({
  person,
}) => {
  const [ana, bo, theo] = await Promise.all([person("ana"), person("bo"), person("theo")]);
  await meet(ana, bo);
  await bo.close();
  await expectLeftBy(ana, "Bo");
  await expect(callScreen(ana).getByLabel(words("call.you")).locator("video")).toBeVisible();
  await startChat(theo);
  await expectTogether(ana, theo);
});
