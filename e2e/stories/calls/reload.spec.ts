import { expect, type Page } from "@playwright/test";
import { pushCodes } from "@fava/wire/pushes.ts";
import { giveBeans, openMeter, spentIn, wishForWomen } from "../../support/beans.ts";
import { framesOf } from "../../support/frames.ts";
import { expectHome, expectTogether, meet, startAgain, test, toasts } from "../../support/people.ts";
import { words } from "../../support/words.ts";

const offerOf = (page: Page, name: string) => page.getByRole("dialog", { name: words("openCall.title", { name }) });

test("[MATCH-3] returns to the call after a reload while the partner waits, and says after a crash if the partner has left", async ({
  person,
}) => {
  test.setTimeout(240_000);
  const [ana, bo] = await Promise.all([
    person({ name: "Ana Reloads" }, { isUsedUp: true }),
    person({ name: "Bo Waits" }),
  ]);
  await giveBeans(ana, 50_000);
  await wishForWomen(ana);
  await meet(ana, bo);
  const panel = await openMeter(ana);
  await expect.poll(() => spentIn(panel), { timeout: 40_000 }).toBeGreaterThan(100);
  const spent = await spentIn(panel);

  await ana.reload();
  await expect(bo.getByRole("heading", { name: words("openCall.may", { name: "Ana Reloads" }) })).toBeVisible();
  await expect(bo.getByRole("button", { name: words("call.next") })).toBeVisible();
  await offerOf(ana, "Bo Waits")
    .getByRole("button", { name: words("openCall.button", { name: "Bo Waits" }) })
    .click();
  await expectTogether(ana, bo);
  expect(framesOf(bo).pushes(pushCodes.otherLeft)).toEqual([]);
  const again = await openMeter(ana);
  const goneOn = await spentIn(again);
  expect(goneOn).toBeGreaterThanOrEqual(spent);
  await expect.poll(() => spentIn(again), { timeout: 40_000 }).toBeGreaterThan(goneOn);

  const context = ana.context();
  const tools = await context.newCDPSession(ana);
  const crashed = ana.waitForEvent("crash");
  // A crashed page does not respond.
  tools.send("Page.crash").catch(() => undefined);
  await crashed;
  const next = await context.newPage();
  await next.goto("/");
  await expect(offerOf(next, "Bo Waits")).toBeVisible();
  await bo.keyboard.press("ArrowRight");
  await expect(toasts(next).getByText(words("openCall.gone", { name: "Bo Waits" }))).toBeVisible();
  await expectHome(next);
  await startAgain(next);
  await expectTogether(next, bo);
});
