import { expect, type Page } from "@playwright/test";
import { ada, adminAnswers } from "@fava/web/testing/admin-fixtures.ts";
import { deskAnswers, mia } from "@fava/web/testing/desk-fixtures.ts";
import { heldAnswer } from "@fava/web/testing/held-answer.ts";
import { test } from "../support/fixture-page.ts";

test.use({ offered: { pages: "as built" } });

const pages = {
  "/admin": { as: ada, answers: adminAnswers(), part: /\/assets\/AdminPage-.*\.js/ },
  "/reportReview": { as: mia, answers: deskAnswers(), part: /\/assets\/DeskPage-.*\.js/ },
} as const;

async function expectFrame(page: Page): Promise<void> {
  await expect(page.getByRole("banner").getByText("fava")).toBeVisible();
  await expect(page.locator("main")).toHaveAttribute("aria-busy", "true");
}

for (const [path, { as, answers, part }] of Object.entries(pages))
  test(`shows the frame of ${path} before the user is known, and while its chunk loads`, async ({ world }) => {
    const who = heldAnswer<typeof as>();
    const script = heldAnswer<void>();
    const page = await world.open({
      as,
      path,
      answers: { ...answers, myInfo: () => who.answer },
      prepare: async (context) => {
        await context.route(part, async (route) => {
          await script.answer;
          await route.continue();
        });
      },
    });
    await expectFrame(page);
    await expect(page.getByRole("heading")).toHaveCount(0);
    who.give(as);
    // Its chunk is loading: still the frame, and nothing of the page.
    await expectFrame(page);
    script.give();
    await expect(page.getByRole("heading", { level: 1 })).toBeAttached();
  });
