import { expect } from "@playwright/test";
import { acceptRules, expectHome, expectTogether, signIn, test } from "../../support/people.ts";
import { words } from "../../support/words.ts";

test("leads from a link, through sign-in and its maker's consent, to one call", async ({ person, visitor }) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Invites" }), visitor({ devices: "allowed" })]);
  await ana.getByRole("button", { name: words("invite.title") }).click();
  await ana.getByRole("button", { name: words("invite.make") }).click();
  const link = await ana.getByRole("textbox", { name: words("invite.address") }).inputValue();
  await ana.goto("/safety");

  await bo.goto(link);
  await bo
    .getByRole("dialog", { name: words("invite.asked") })
    .getByRole("button", { name: words("login.open") })
    .click();
  await signIn(bo, "bo");
  await expect(bo.getByRole("dialog", { name: words("invite.waiting", { name: "Ana Invites" }) })).toBeVisible();

  const question = ana.getByRole("alertdialog", { name: /opened your link$/ });
  await question.getByRole("button", { name: /^Call / }).click();
  await acceptRules(ana);
  const ring = bo.getByRole("alertdialog", { name: words("ring.isCalling", { name: "Ana Invites" }) });
  await ring.getByRole("button", { name: words("ring.accept") }).click();
  await acceptRules(bo);
  await expectTogether(ana, bo);
  await bo.getByRole("button", { name: words("call.end") }).click();
  await expectHome(bo);

  await bo.goto(link);
  await bo.getByRole("button", { name: words("invite.go") }).click();
  await expect(bo.getByRole("dialog", { name: words("invite.gone") })).toBeVisible();
});
