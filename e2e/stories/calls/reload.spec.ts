import { expect } from "@playwright/test";
import { giveBeans, openMeter, spentIn, wishForWomen } from "../../support/beans.ts";
import { engineOf } from "../../support/engine.ts";
import { offerOf, reloadAndReturn } from "../../support/open-call.ts";
import { expectHome, expectTogether, meet, startAgain, test, toasts } from "../../support/people.ts";
import { words } from "../../support/words.ts";

test(
  "[MATCH-3] returns to the call after a reload while the partner waits, and says after a crash if the partner has left",
  { tag: "@firefox-deep" },
  async ({ person, partner }) => {
    test.setTimeout(240_000);
    const [ana, bo] = await Promise.all([
      person({ name: "Ana Reloads" }, { isUsedUp: true }),
      partner({ name: "Bo Waits" }),
    ]);
    await giveBeans(ana, 50_000);
    await wishForWomen(ana);
    await meet(ana, bo);
    const panel = await openMeter(ana);
    await expect.poll(() => spentIn(panel), { timeout: 40_000 }).toBeGreaterThan(100);
    const spent = await spentIn(panel);

    await reloadAndReturn(ana, "Ana Reloads", { page: bo, name: "Bo Waits" });
    const again = await openMeter(ana);
    const goneOn = await spentIn(again);
    expect(goneOn).toBeGreaterThanOrEqual(spent);
    await expect.poll(() => spentIn(again), { timeout: 40_000 }).toBeGreaterThan(goneOn);

    const context = ana.context();
    await engineOf(ana).crash(ana);
    const next = await context.newPage();
    await next.goto("/");
    await expect(offerOf(next, "Bo Waits")).toBeVisible();
    await bo.keyboard.press("ArrowRight");
    await expect(toasts(next).getByText(words("openCall.gone", { name: "Bo Waits" }))).toBeVisible();
    await expectHome(next);
    await startAgain(next);
    await expectTogether(next, bo);
  },
);
