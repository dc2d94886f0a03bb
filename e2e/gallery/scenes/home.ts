import { expect } from "@playwright/test";
import { ana } from "@fava/web/testing/fixtures.ts";
import { scene } from "../scene.ts";

export const homeScenes = [
  scene("the home screen of a member", { as: { ...ana, credit5: 48_200 } }, async ({ page, said, show }) => {
    await expect(page.getByRole("button", { name: said("home.account") })).toBeVisible();
    await show("home-member", { inView: [page.getByRole("button", { name: said("home.start") })] });
  }),
];
