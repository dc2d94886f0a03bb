import { expect } from "@playwright/test";
import { meetForBeans, meterPill, openMeter, openStatement, spentIn, statementRows } from "../../support/beans.ts";
import { callScreen, expectCallState, expectHome, test } from "../../support/people.ts";
import { openCardPage, payWith } from "../../support/shop.ts";
import { words, wordsIn } from "../../support/words.ts";

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

test(
  "shows low beans after 10 s, hides the notice after a top-up, and continues the call",
  { tag: "@deep" },
  async ({ person }) => {
    const [payer, other] = await Promise.all([person({ name: "Low Payer" }), person({ name: "Low Other" })]);
    await meetForBeans(payer, other, 1_600);
    const popup = payer.getByRole("dialog", { name: words("topUp.title") });
    await expect(popup).toBeVisible({ timeout: 30_000 });
    const bar = payer.getByText(words("low.left"));
    await expect(bar.first()).toBeVisible();
    await popup.getByRole("button", { name: new RegExp(`^${wordsIn("en", "topUp.all")}`) }).click();
    const shop = payer.getByRole("dialog", { name: words("shop.title") });
    await shop.getByRole("radio", { name: /\b10,000 beans/ }).check();
    await shop.getByRole("button", { name: words("shop.continue") }).click();
    const cardPage = await openCardPage(payer, payer.getByRole("dialog", { name: words("pay.title") }));
    await payWith(cardPage, "success");
    await expect(payer.getByRole("dialog", { name: words("pay.completeTitle") })).toBeVisible();
    await payer.keyboard.press("Escape");
    await expect(bar).toHaveCount(0);
    await expectCallState(payer, "in-call");
    const panel = await openMeter(payer);
    await expect(panel.getByText(/^[67] min/)).toBeVisible();
  },
);
