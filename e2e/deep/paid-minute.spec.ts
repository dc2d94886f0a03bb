import { expect } from "@playwright/test";
import { meetForBeans } from "../support/beans.ts";
import { expectCallState, test } from "../support/people.ts";
import { expectBalance } from "../support/shop.ts";
import { words } from "../support/words.ts";

test("closes the call at the end of the paid minute, and searches on without a filter", async ({ person }) => {
  // A whole minute has to pass.
  test.setTimeout(200_000);
  const [payer, other] = await Promise.all([person({ name: "Out Payer" }), person({ name: "Out Other" })]);
  await meetForBeans(payer, other, 1_600);
  const popup = payer.getByRole("dialog", { name: words("topUp.title") });
  await popup.getByRole("button", { name: words("topUp.end") }).click({ timeout: 30_000 });
  await expect(popup).toHaveCount(0);
  await payer.getByRole("button", { name: words("low.letEnd") }).click();
  await expect(payer.getByRole("button", { name: words("low.topUp") })).toBeHidden();
  const said = payer.locator("#said-polite").getByText("Video ends in 10 seconds unless you top up");
  await expect(said).toBeAttached({ timeout: 80_000 });

  const over = payer.getByRole("dialog", { name: words("ranOut.title.balance") });
  await expect(over).toBeVisible({ timeout: 30_000 });
  await expect(over).toContainText("1,600");
  await expectCallState(other, "searching");
  await over.getByRole("button", { name: words("ranOut.free") }).click();
  await expectCallState(payer, "in-call");
  await expect(payer.getByText(words("call.free"))).toBeVisible();
  await payer.getByRole("button", { name: words("call.end") }).click();
  await expectBalance(payer, "0");
});
