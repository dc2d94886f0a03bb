import { codes } from "@fava/wire/codes.ts";
import { Refusal, silence } from "@fava/web/testing/fixture-world.ts";
import { galleryNowMs } from "@fava/web/testing/fixtures.ts";
import { newcomer, underAge } from "@fava/web/testing/onboarding-fixtures.ts";
import { chooseAna, openProvider } from "../../support/provider-window.ts";
import { holdToast } from "../hold-toast.ts";
import { type Scene, scene } from "../scene.ts";

const dayMs = 86_400_000;
const deleted = new Refusal(codes.forbidden, {
  reason: "account_deleted",
  until: galleryNowMs + 20 * dayMs,
  restore_token: "restore",
});

export const onboardingScenes: readonly Scene[] = [
  scene("a new person gives a birthday", { as: newcomer }, async ({ page, said, show, world }) => {
    // Long enough to be looked at.
    world.server.answer({ userUpdate: () => new Promise<never>(() => undefined) });
    await page.getByRole("dialog", { name: said("birth.title") }).waitFor();
    await show("onboarding-birthday");
    await page.getByRole("button", { name: said("birth.earlier") }).click();
    await page.getByRole("button", { name: said("birth.later") }).waitFor();
    await show("onboarding-earlier-years");
    await page.getByRole("button", { name: said("birth.later") }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: said("common.next") })
      .click();
    const yes = page.getByRole("button", { name: said("birth.yes") });
    await yes.waitFor();
    await show("onboarding-birthday-check", { inView: [yes] });
    await yes.click();
    await page.locator("dialog[open] output").waitFor();
    await show("onboarding-saving");
  }),
  scene(
    "a new person gives a gender",
    { as: { ...newcomer, birthday: "2006-10-28", birth_year: 2006 } },
    async ({ page, said, show }) => {
      await page.getByRole("dialog", { name: said("gender.title") }).waitFor();
      await show("onboarding-gender");
      await page.getByRole("button", { name: said("common.next") }).press("Enter");
      await page.getByText(said("gender.choose")).waitFor();
      await show("onboarding-gender-missing");
    },
  ),
  scene(
    "a birthday that does not arrive",
    { as: newcomer, answers: { userUpdate: silence } },
    async ({ page, said, show, world }) => {
      world.expectErrors(/ERR_EMPTY_RESPONSE/);
      await page
        .getByRole("dialog")
        .getByRole("button", { name: said("common.next") })
        .click();
      await page.getByRole("button", { name: said("birth.yes") }).click();
      await holdToast(page);
      await show("onboarding-not-saved");
    },
  ),
  scene("somebody under age", { as: underAge }, async ({ page, said, show }) => {
    await page.getByRole("alertdialog", { name: said("age.title") }).waitFor();
    await show("onboarding-under-age", { inView: [page.getByRole("button", { name: said("common.ok") })] });
  }),
  scene(
    "somebody comes back to a deleted account, and comes too late",
    { answers: { login: deleted, accountRestore: new Refusal(codes.forbidden) } },
    async ({ page, said, show }) => {
      await chooseAna(await openProvider(page, "Google", said));
      await page.getByRole("alertdialog", { name: said("comeBack.title") }).waitFor();
      await show("onboarding-come-back");
      await page.getByRole("button", { name: said("comeBack.yes") }).click();
      await page.getByText(said("comeBack.tooLate")).waitFor();
      await show("onboarding-come-back-too-late");
    },
  ),
];
