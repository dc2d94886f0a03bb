import { expect, type Page } from "@playwright/test";
import { callAs, selfOf } from "./support/friends.ts";
import { phone, test } from "./support/looks.ts";
import { expectToast } from "./support/people.ts";
import { peopleTab } from "./support/people-panel.ts";
import { words } from "./support/words.ts";

const title = (page: Page) => page.getByRole("heading", { level: 1 });
const report = (page: Page) => page.getByRole("button", { name: words("safety.report") });
const numberField = (page: Page) => page.getByLabel(words("safety.number"));
const mail = (page: Page) => page.getByRole("link", { name: words("safety.write") });

/** What the e-mail that a link begins says. */
async function letterOf(page: Page): Promise<string> {
  const address = new URL((await mail(page).getAttribute("href")) ?? "");
  expect(address.protocol).toBe("mailto:");
  return address.searchParams.get("body") ?? "";
}

async function giveNumber(page: Page, number: string): Promise<void> {
  await numberField(page).fill(number);
  await page.getByRole("button", { name: words("safety.send") }).click();
}

test("[PAGE-45] help against blackmail is first: four steps in order, three ways to act, and on the first screen", async ({
  visit,
}) => {
  const page = await visit("/safety");
  await expect(title(page)).toHaveText("Someone is threatening you?");
  const steps = page.getByRole("main").getByRole("list").first().getByRole("listitem");
  await expect(steps.getByRole("heading")).toHaveText([
    "Do not pay",
    "Stop answering",
    "Keep proof",
    "Tell us, then the police",
  ]);
  for (const viewport of [{ width: 1440, height: 900 }, phone]) {
    await page.setViewportSize(viewport);
    for (const part of [report(page), page.getByRole("link", { name: words("safety.leave") }), steps.last()])
      await expect(part).toBeInViewport({ ratio: 1 });
  }
});

test("[PAGE-48] without a session a report goes by e-mail, with the number that was given", async ({ visit }) => {
  const page = await visit("/safety");
  await report(page).click();
  await expect(page.getByRole("heading", { name: words("safety.reportTitle") })).toBeFocused();
  await expect(page.getByRole("button", { name: words("safety.send") })).toHaveCount(0);
  await numberField(page).fill("1234 5678 9");
  await expect(numberField(page)).toHaveValue("12345678");
  expect(await letterOf(page)).toContain("12345678");
  await page.getByText(words("safety.showText")).click();
  await expect(page.getByText("I have not paid")).toBeVisible();
});

test("[FOUND-8] Report that is pressed before the safety centre is alive does its work when it is", async ({
  visit,
}) => {
  const page = await visit("/aboutUs");
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/safety-*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/safety", { waitUntil: "commit" });
  await report(page).click();
  await expect(page.locator("html[data-shell]")).toBeAttached();
  release();
  await expect(page.getByRole("heading", { name: words("safety.reportTitle") })).toBeFocused();
});

test("[PAGE-49] what to write is copied, and said; where a browser refuses, the text stands on the page", async ({
  visit,
}) => {
  const page = await visit("/safety", {
    before: () => {
      const copied: string[] = [];
      Object.assign(globalThis, { copied, mayCopy: true });
      Object.defineProperty(navigator, "clipboard", {
        value: {
          writeText: async (text: string) => {
            if (!(globalThis as unknown as { mayCopy: boolean }).mayCopy) throw new DOMException("no");
            copied.push(text);
          },
        },
      });
    },
  });
  const copy = page.getByRole("button", { name: words("safety.copy") });
  await copy.click();
  await expect(page.getByRole("status").filter({ hasText: words("safety.copied") })).toBeVisible();
  const copied = await page.evaluate(() => (globalThis as unknown as { copied: string[] }).copied);
  expect(copied).toHaveLength(1);
  expect(copied[0]).toMatch(/^Somebody I met on Fava is blackmailing me\.\n\n/);
  expect(copied[0]).not.toContain("{");
  await page.evaluate(() => Object.assign(globalThis, { mayCopy: false }));
  await copy.click();
  await expect(page.getByRole("status").filter({ hasText: words("safety.notCopied") })).toBeVisible();
});

test("[PAGE-46] leaving, by link or Escape, goes to the start page and leaves no way back here", async ({ visit }) => {
  const page = await visit("/aboutUs");
  const foot = page.getByRole("contentinfo");
  await foot.getByRole("link", { name: words("page.safety") }).click();
  await expect(page).toHaveURL(/\/safety$/);
  // The page before stays until this one has been loaded, and takes its menus with it.
  await expect(page.getByRole("link", { name: words("safety.leave") })).toBeVisible();
  // What lies over the page takes Escape first.
  await page.getByRole("button", { name: words("page.language") }).click();
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(page).toHaveURL(/\/safety$/);
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/aboutUs$/);
  await page
    .getByRole("contentinfo")
    .getByRole("link", { name: words("page.safety") })
    .click();
  await page.getByRole("link", { name: words("safety.leave") }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/aboutUs$/);
});

test("[PAGE-47] [PAGE-50] signed in, a report begins with the people met lately, or with a number", async ({
  person,
}) => {
  const [page, other] = [await person({ name: "Safe Reporter" }), await person({ name: "Safe Reported" })];
  const [me, them] = [await selfOf(page), await selfOf(other)];
  await page.goto("/safety");
  // The page knows who this is.
  await expect(page.getByRole("button", { name: words("safety.send") })).toBeVisible();
  await report(page).click();
  await expect(page.getByRole("dialog", { name: words("people.title") })).toBeVisible();
  await expect(peopleTab(page, "recent")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(/\/safety$/);

  await giveNumber(page, "1234");
  await expect(page.getByText(words("safety.numberShort"))).toBeVisible();
  await giveNumber(page, me.user_no);
  await expect(page.getByText(words("safety.own"))).toBeVisible();
  await giveNumber(page, "99999999");
  await expect(page.getByText(words("safety.nobody"))).toBeVisible();
  expect(await letterOf(page)).toContain("99999999");
  await giveNumber(page, them.user_no);
  const sheet = page.getByRole("dialog", { name: words("report.title") });
  await expect(sheet).toContainText("Safe Reported");
  await sheet.getByRole("radio", { name: /Recording or blackmail/ }).check();
  await sheet.getByRole("button", { name: words("report.send") }).click();
  await expectToast(page, "report.sent");
});

test("[PAGE-51] the page works while banned; the notice follows where the person goes next", async ({ person }) => {
  const [page, mia] = [await person({ name: "Safe Banned" }), await person("mia")];
  const { user_id: otherId } = await selfOf(page);
  await page.goto("/safety");
  await expect(page.getByRole("button", { name: words("safety.send") })).toBeVisible();
  const { user_id: userId } = await selfOf(mia);
  const decision = { hours: 24, reason_id: 2, note: "Insulted everybody." };
  await callAs(mia, "/admin/quick/forbid", { user_id: userId, other_id: otherId, ...decision });
  await expect(page.getByText(words("safety.reportByMail"))).toBeVisible();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await report(page).click();
  await expect(page.getByRole("heading", { name: words("safety.reportTitle") })).toBeFocused();
  await page.getByRole("link", { name: words("safety.leave") }).click();
  await expect(page.getByRole("alertdialog", { name: words("ban.title") })).toBeVisible();
});

test("[PAGE-44] help lines come from settings, by phone and page; without one the list is left out", async ({
  visit,
}) => {
  const page = await visit("/safety");
  await expect(page.getByText(/^The address is/)).toBeVisible();
  await expect(page.getByRole("heading", { name: words("safety.helpLines") })).toHaveCount(0);
  await page.route("**/api/get/language", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: { help_lines: unknown } };
    body.data.help_lines = [{ name: "Line of the test", phone: "+1 (555) 01", url: "https://line.test/" }];
    await route.fulfill({ response: answer, json: body });
  });
  await page.reload();
  await expect(page.getByRole("heading", { name: words("safety.helpLines") })).toBeVisible();
  const line = page.getByRole("listitem").filter({ hasText: "Line of the test" });
  await expect(line.getByRole("link", { name: /555/ })).toHaveAttribute("href", "tel:+155501");
  await expect(line.getByRole("link", { name: /line\.test/ })).toHaveAttribute("href", "https://line.test/");
});

test("[PAGE-52] the safety centre is one press away: from the start page, the user menu, the foot and 404", async ({
  visit,
  person,
}) => {
  const page = await visit("/", { expected: /404/ });
  await page
    .getByRole("contentinfo")
    .getByRole("link", { name: words("home.foot.safety") })
    .click();
  await expect(title(page)).toHaveText("Someone is threatening you?");
  await page.goto("/nowhere");
  const ways = page.getByRole("navigation", { name: words("page.notFound.ways") });
  await expect(ways.getByRole("link")).toHaveText([
    words("page.notFound.meet"),
    words("page.notFound.home"),
    words("page.safety"),
  ]);
  await ways.getByRole("link", { name: words("page.safety") }).click();
  await expect(page).toHaveURL(/\/safety$/);
  const member = await person({ name: "Safe Menu" });
  await member.getByRole("button", { name: words("home.account") }).click();
  await member.getByRole("menuitem", { name: words("menu.safety") }).click();
  await expect(title(member)).toHaveText("Someone is threatening you?");
});
