import { expect } from "@playwright/test";
import { notApartInPage } from "../../gallery/controls-apart.ts";
import { otherPhones, phone } from "../../support/fixture-page.ts";
import { expectCallState, meet, test } from "../../support/people.ts";
import { words } from "../../support/words.ts";

test(
  "writes, opens and closes the shield, and presses Next with one thumb, in the windows of four phones",
  { tag: "@deep" },
  async ({ person }) => {
    test.setTimeout(180_000);
    const [ana, bo] = await Promise.all([person({ name: "Ana Thumb" }), person({ name: "Bo Desk" })]);
    const before = ana.viewportSize();
    await meet(ana, bo);
    const shield = ana.getByRole("button", { name: words("panic.button") });
    const getOut = ana.getByText(words("panic.outText", { name: "Bo Desk" }));
    const field = (page: typeof ana) => page.getByRole("textbox", { name: words("call.placeholder") });
    const expectApart = () => expect.poll(() => ana.evaluate(`(${notApartInPage})(0)`)).toEqual([]);
    for (const [name, size] of Object.entries({ phone, ...otherPhones })) {
      await ana.setViewportSize(size);
      await expectApart();
      await field(bo).fill(`seen on ${name}`);
      await field(bo).press("Enter");
      await expect(ana.getByRole("log").getByText(`seen on ${name}`, { exact: true })).toBeVisible();
      await shield.click();
      await expect(getOut).toBeVisible();
      await expectApart();
      await shield.click();
      await expect(getOut).toBeHidden();
      await ana.getByRole("button", { name: words("msg.menu", { name: "Bo Desk" }) }).click();
      await expect(ana.getByRole("menuitem", { name: words("people.blockName", { name: "Bo Desk" }) })).toBeVisible();
      await ana.keyboard.press("Escape");
    }
    await expectCallState(ana, "in-call");
    await ana.getByRole("button", { name: words("call.next") }).click();
    await expectCallState(ana, "searching");
    if (before) await ana.setViewportSize(before);
  },
);
