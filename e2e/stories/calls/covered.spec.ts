import { expect, type Locator, type Page } from "@playwright/test";
import { openDesk } from "../../support/desk-person.ts";
import { selfOf } from "../../support/friends.ts";
import { expectHome, meet, test } from "../../support/people.ts";
import { rowsOf } from "../../support/product-database.ts";
import { words } from "../../support/words.ts";

const insult = "you are a worthless piece of shit";
const chatOf = (page: Page) => page.getByRole("log", { name: words("call.chat") });
const press = (page: Page, key: string): Locator => chatOf(page).getByRole("button", { name: words(key) });

async function say(page: Page, text: string): Promise<void> {
  const field = page.getByRole("textbox", { name: words("call.placeholder") });
  await field.fill(text);
  await field.press("Enter");
  await expect(field).toHaveValue("");
}

test(
  "masks contact data in a call, and covers abuse, which can be shown, reported, disputed and folded",
  { tag: "@deep" },
  async ({ person, product }) => {
    const [ana, bo] = await Promise.all([person({ name: "Ana Rude" }), person({ name: "Bo Calm" })]);
    await meet(ana, bo);
    await say(ana, "write me at ana.lima@example.com please");
    const details = chatOf(bo).locator("p");
    await expect(details).toHaveText(/^write me at .* please$/);
    await expect(details).not.toContainText("example");
    await expect(details.getByTitle(words("covered.hiddenBy"))).toBeVisible();
    await expect(chatOf(ana).locator("mark")).toContainText("ana.lima@example.com");
    await expect(chatOf(ana).getByText(words("covered.onlyDetails"))).toBeVisible();

    await say(ana, insult);
    await expect(press(bo, "covered.show")).toBeVisible();
    await expect(chatOf(bo)).not.toContainText(insult);
    await press(bo, "covered.show").click();
    await expect(chatOf(bo).getByText(insult)).toBeVisible();
    await press(bo, "covered.reportLine").click();
    await expect(press(bo, "covered.reported")).toBeVisible();
    await expect(chatOf(bo)).not.toContainText(insult);

    await expect(chatOf(ana).getByText(words("covered.own"))).toBeVisible();
    await press(ana, "covered.notMeant").last().click();
    await expect(press(ana, "covered.noted")).toBeVisible();
    const { user_id: writerId } = await selfOf(ana);
    const disputed = "select kind from text_findings where writer_id = $1 and disputed_at is not null";
    await expect.poll(async () => (await rowsOf(product, disputed, [writerId])).length).toBeGreaterThan(0);

    await say(ana, "you dirty whore");
    await say(ana, "kill yourself");
    await expect(chatOf(bo).getByText("3 lines that may hurt").first()).toBeVisible();
    await expect(chatOf(bo).getByText(words("covered.threatHelp"))).toBeVisible();
    await press(bo, "covered.leave").click();
    await expect(bo.getByRole("heading", { name: words("panic.title") })).toBeVisible();
    await bo.getByRole("button", { name: words("panic.home") }).click();
    await expectHome(bo);
    const reported = "select 1 from reports where reported_id = $1 and reason_id = 5";
    const blocked = "select 1 from blocks where other_id = $1";
    for (const rows of [reported, blocked])
      await expect.poll(async () => (await rowsOf(product, rows, [writerId])).length).toBeGreaterThan(0);

    const mia = await person("mia");
    await openDesk(mia, "/reportReview");
    await mia
      .getByRole("navigation", { name: words("desk.tab.reports") })
      .getByText("Ana Rude")
      .click();
    const line = (text: string) => mia.getByRole("listitem").filter({ hasText: text });
    await expect(line(insult).getByText(words("evidence.covered.insult"))).toBeVisible();
    await expect(line(insult).getByText(words("evidence.reported"))).toBeVisible();
    await expect(line("ana.lima@example.com").getByText(words("evidence.hidden.email"))).toBeVisible();
  },
);
