import type { Locator } from "@playwright/test";
import { codes } from "@fava/wire/codes.ts";
import { heldAnswer } from "@fava/web/testing/held-answer.ts";
import { Refusal, silence } from "@fava/web/testing/fixture-world.ts";
import { galleryNowMs } from "@fava/web/testing/fixtures.ts";
import { newcomer, underAge } from "@fava/web/testing/onboarding-fixtures.ts";
import { chooseAna, openProvider } from "../../support/provider-window.ts";
import { holdToast } from "../hold-toast.ts";
import type { Words } from "../../support/words.ts";
import { type Scene, scene } from "../scene.ts";

const dayMs = 86_400_000;
const deleted = new Refusal(codes.forbidden, {
  reason: "account_deleted",
  until: galleryNowMs + 20 * dayMs,
  restore_token: "restore",
});

export const onboardingScenes: readonly Scene[] = [
  scene("a new user enters birthday and gender", { as: newcomer }, async ({ page, said, show, world }) => {
    const saving = heldAnswer<Refusal>();
    world.server.answer({ userUpdate: () => saving.answer });
    const profile = page.getByRole("dialog", { name: said("complete.title") });
    await profile.waitFor();
    const next = profile.getByRole("button", { name: said("common.next") });
    await show("onboarding-profile", { inView: [next] });
    await next.press("Enter");
    await page.getByText(said("gender.choose")).waitFor();
    await show("onboarding-profile-missing");
    await profile.getByLabel(said("birth.year")).selectOption("other");
    await show("onboarding-earlier-years");
    await giveProfile(profile, said);
    await page.locator("dialog[open] output").waitFor();
    await show("onboarding-saving");
    saving.give(new Refusal(codes.forbidden));
  }),
  scene(
    "a user without a gender",
    { as: { ...newcomer, birthday: "2006-10-28", birth_year: 2006 } },
    async ({ page, said, show }) => {
      await page.getByRole("dialog", { name: said("complete.title") }).waitFor();
      await show("onboarding-gender");
    },
  ),
  scene(
    "a birthday that fails to save",
    { as: newcomer, answers: { userUpdate: silence } },
    async ({ page, said, show, world }) => {
      world.expectErrors(/ERR_EMPTY_RESPONSE/);
      await giveProfile(page.getByRole("dialog", { name: said("complete.title") }), said);
      await holdToast(page);
      await show("onboarding-not-saved");
    },
  ),
  scene("a minor", { as: underAge }, async ({ page, said, show }) => {
    await page.getByRole("alertdialog", { name: said("age.title") }).waitFor();
    await show("onboarding-under-age", { inView: [page.getByRole("button", { name: said("common.ok") })] });
  }),
  scene(
    "restoring a deleted account, in time and too late",
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

async function giveProfile(sheet: Locator, said: Words): Promise<void> {
  await sheet.getByRole("checkbox", { name: said("birth.mine") }).check();
  await sheet.getByRole("radio", { name: said("gender.female") }).check();
  await sheet.getByRole("button", { name: said("common.next") }).click();
}
