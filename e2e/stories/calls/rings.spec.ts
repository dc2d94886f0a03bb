import { expect } from "@playwright/test";
import { befriend } from "../../support/friends.ts";
import { acceptRules, expectHome, expectTogether, test } from "../../support/people.ts";
import { openPeoplePanel, peopleTab, rowOf } from "../../support/people-panel.ts";
import { words } from "../../support/words.ts";

test("[RING-54] [RING-45] [RING-47] of two friends one rings in vain, then the other accepts, and both see each other", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Rings" }), person({ name: "Bo Takes" })]);
  await befriend(ana, bo);
  const ring = async () => {
    const panel = await openPeoplePanel(ana);
    await peopleTab(ana, "friends").click();
    await rowOf(panel, "Bo Takes")
      .getByRole("button", { name: words("ring.callName", { name: "Bo Takes" }) })
      .click();
  };
  const question = bo.getByRole("alertdialog", { name: words("ring.isCalling", { name: "Ana Rings" }) });

  await ring();
  await acceptRules(ana);
  await question.getByRole("button", { name: words("ring.decline") }).click();
  await ana
    .getByRole("dialog", { name: words("ring.notTaken", { name: "Bo Takes" }) })
    .getByRole("button", { name: words("common.ok") })
    .click();
  await expect(question).toBeHidden();

  await ring();
  await acceptRules(ana);
  await question.getByRole("button", { name: words("ring.accept") }).click();
  await acceptRules(bo);
  await expectTogether(ana, bo);
  await bo.getByRole("button", { name: words("call.end") }).click();
  await Promise.all([expectHome(ana), expectHome(bo)]);
});
