import { expect, type Locator, type Page } from "@playwright/test";
import {
  choose,
  expectFocusSeen,
  expectNoPointer,
  expectOnTitle,
  press,
  watchPointers,
} from "../../support/keyboard.ts";
import {
  expectCallState,
  expectHome,
  expectLeftBy,
  expectToast,
  expectTogether,
  startChat,
  test,
} from "../../support/people.ts";
import { words } from "../../support/words.ts";

const dialog = (page: Page, key: string) => page.getByRole("dialog", { name: words(key) });
const button = (place: Page | Locator, key: string, name?: string) =>
  place.getByRole("button", { name: words(key, name === undefined ? {} : { name }) });

// This user has neither mouse nor touch; the others may.
test("lets a user start, write, report, press Next, block, escape and end", { tag: "@deep" }, async ({ person }) => {
  test.setTimeout(240_000);
  const page = await person({ name: "Keys Caller" }, { before: watchPointers });
  const ana = await person({ name: "Ana Called" });
  await press(page, button(page, "home.start"));
  const rules = dialog(page, "rules.title");
  await expectOnTitle(rules);
  await press(page, button(rules, "rules.ok"));
  await expectCallState(page, "searching");
  // The focus is within the call, on no element that a key would press by accident.
  await expect(page.locator("#call main")).toBeFocused();
  await startChat(ana);
  await expectTogether(page, ana);
  await expect(page.locator("#call main")).toBeFocused();
  await page.keyboard.press("t");
  const field = page.getByRole("textbox");
  await expect(field).toBeFocused();
  await expectFocusSeen(page);
  await page.keyboard.type("hello by keys");
  await page.keyboard.press("Enter");
  await expect(ana.getByRole("log").getByText("hello by keys")).toBeVisible();
  // Escape leaves the field first, and does not end the call.
  await page.keyboard.press("Escape");
  await expect(field).not.toBeFocused();
  await expectCallState(page, "in-call");

  const flag = button(page, "people.reportName", "Ana Called");
  await press(page, flag);
  const report = dialog(page, "report.title");
  await expectOnTitle(report);
  await page.keyboard.press("Escape");
  await expect(report).toBeHidden();
  await expect(flag).toBeFocused();
  await expectCallState(page, "in-call");
  await page.keyboard.press("Enter");
  await choose(page, report, report.getByRole("radio").nth(1));
  await press(page, button(report, "report.send"));
  await expectToast(page, "report.sent");
  await expect(report).toBeHidden();
  await expect(flag).toBeFocused();

  await page.keyboard.press("ArrowRight");
  await expectCallState(page, "searching");
  await expectLeftBy(ana, "Keys Caller");
  await ana.keyboard.press("Escape");
  await expectHome(ana);
  const bo = await person({ name: "Bo Called" });
  await startChat(bo);
  await expectCallState(page, "in-call");
  await press(page, button(page, "people.blockName", "Bo Called"));
  await expectCallState(page, "searching");
  await bo.keyboard.press("Escape");
  await expectHome(bo);

  const otto = await person({ name: "Otto EmergencyExit" });
  await startChat(otto);
  await expectCallState(page, "in-call");
  await press(page, button(page, "panic.button"));
  await expect(page.getByText(words("panic.outText", { name: "Otto EmergencyExit" }))).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: words("panic.title") })).toBeFocused();
  const reasons = page.getByRole("group", { name: words("panic.reason") });
  await choose(page, reasons, reasons.getByRole("radio").first());
  await press(page, button(page, "panic.meet"));
  await expectCallState(page, "searching");
  await press(page, button(page, "search.stop"));
  await expectHome(page);
  await expect(page.locator("#page").locator("main, main *").and(page.locator(":focus"))).toHaveCount(1);
  await expectNoPointer(page);
});
