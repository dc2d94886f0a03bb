import { expect, type Page } from "@playwright/test";
import {
  giveBeans,
  meterPill,
  openMeter,
  openStatement,
  spentIn,
  statementRows,
  wishForWomen,
} from "../../support/beans.ts";
import { callScreen, expectCallState, expectHome, meet, test } from "../../support/people.ts";
import { expectBalance, openCardPage, payWith } from "../../support/shop.ts";
import { words, wordsIn } from "../../support/words.ts";

/** Matches a user who pays 1,600 beans a minute to meet a woman. */
async function meetForBeans(payer: Page, other: Page, beans: number): Promise<void> {
  await giveBeans(payer, beans);
  await wishForWomen(payer);
  await meet(payer, other);
}

test("stops the meter with the partner's camera, and shows the same in the statement", async ({ person }) => {
  const [payer, other] = await Promise.all([person({ name: "Meter Payer" }), person({ name: "Meter Other" })]);
  await meetForBeans(payer, other, 50_000);
  await expect(other.getByText(words("call.free"))).toBeVisible();
  await expect(meterPill(other)).toBeHidden();

  const panel = await openMeter(payer);
  await expect(panel.getByText(words("meter.limit.balance"))).toBeVisible();
  await expect.poll(() => spentIn(panel), { timeout: 40_000 }).toBeGreaterThan(100);
  await expect(panel.getByText(words("meter.freeWere"))).toBeVisible();
  const camera = callScreen(other).getByRole("button", { name: words("home.camMute") });
  await camera.click();
  await expect(panel.getByText(words("meter.stop.camera_off"))).toBeVisible();
  const standing = await spentIn(panel);
  await camera.click();
  await expect(panel.getByText(words("meter.stop.camera_off"))).toBeHidden();
  await expect.poll(() => spentIn(panel)).toBeGreaterThan(standing);
  await camera.click();
  await expect(panel.getByText(words("meter.stop.camera_off"))).toBeVisible();
  const spent = await spentIn(panel);

  await payer.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(meterPill(payer)).toBeFocused();
  await expectCallState(payer, "in-call");
  await payer.keyboard.press("Escape");
  await expectHome(payer);

  // The clock stood from the camera's last stop until the end, so the last meter is what was paid.
  const sheet = await openStatement(payer);
  const rows = statementRows(sheet);
  await expect(rows).toHaveCount(2);
  const call = rows.filter({ hasText: words("statement.call").source.slice(1, -1) });
  const numbers = (await call.locator("td[data-number]").allInnerTexts()).map((text) =>
    Number(text.replace("−", "-").replaceAll(",", "")),
  );
  expect(numbers).toEqual([-spent, 50_000 - spent]);
  await sheet.getByRole("radio", { name: words("statement.filter.2") }).check();
  await expect(rows).toHaveCount(1);
  await sheet.getByRole("radio", { name: words("statement.filter.1") }).check();
  await expect(sheet.getByText(words("statement.emptyFilter"))).toBeVisible();
});

test("shows low beans after 10 s, hides the notice after a top-up, and continues the call", async ({ person }) => {
  const [payer, other] = await Promise.all([person({ name: "Low Payer" }), person({ name: "Low Other" })]);
  await meetForBeans(payer, other, 1_600);
  const popup = payer.getByRole("dialog", { name: words("topUp.title") });
  await expect(popup).toBeVisible({ timeout: 30_000 });
  const bar = payer.getByText(words("low.left"));
  await expect(bar.first()).toBeVisible();
  await popup.getByRole("button", { name: new RegExp(`^${wordsIn("en", "topUp.all")}`) }).click();
  const shop = payer.getByRole("dialog", { name: words("shop.title") });
  await shop.getByRole("radio", { name: /^10,000/ }).check();
  await shop.getByRole("button", { name: words("shop.continue") }).click();
  const cardPage = await openCardPage(payer, payer.getByRole("dialog", { name: words("pay.title") }));
  await payWith(cardPage, "success");
  await expect(payer.getByRole("dialog", { name: words("pay.completeTitle") })).toBeVisible();
  await payer.keyboard.press("Escape");
  await expect(bar).toHaveCount(0);
  await expectCallState(payer, "in-call");
  const panel = await openMeter(payer);
  await expect(panel.getByText(/^[67] min/)).toBeVisible();
});

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
