import { expect, type Page } from "@playwright/test";
import { test } from "./support/looks.ts";
import { signIn } from "./support/people.ts";
import { words } from "./support/words.ts";

const login = (page: Page) => page.getByRole("dialog", { name: words("login.tagline") });
const heading = (page: Page) => page.getByRole("heading", { level: 1 });

test("[GUARD-1] a protected route without a session opens the popup over home; another route closes it", async ({
  visit,
}) => {
  const page = await visit("/photoReview");
  await expect(login(page)).toBeVisible();
  await expect(page.getByRole("heading", { name: words("home.title"), includeHidden: true })).toBeVisible();
  // A moderator who signs in here stands before the desk.
  await signInThere(page, "mia");
  await expect(heading(page)).toHaveText(words("desk.title.photos"));
  await page.goto("/reportReview");
  await expect(heading(page)).toHaveText(words("desk.title.reports"));
});

test("[GUARD-2] a role below 2 is shown the same words as for a path that does not exist", async ({ visit }) => {
  const page = await visit("/", { expected: /404/ });
  await signIn(page, "kate");
  await expect(page.getByRole("button", { name: words("home.account") })).toBeVisible();
  await page.goto("/avatarAudit");
  await expect(page).toHaveURL(/\/404$/);
  const refused = await page.getByRole("main").innerText();
  const answer = await page.goto("/there/is/nothing");
  expect(answer?.status()).toBe(404);
  await expect(page).toHaveURL(/\/404$/);
  expect(await page.getByRole("main").innerText()).toBe(refused);
  await page.getByRole("link", { name: words("page.notFound.meet") }).click();
  await expect(page.getByRole("button", { name: words("home.start") })).toBeVisible();
});

test("[PAGE-2] the four pages have text of their own and one heading in each of the five languages", async ({
  visit,
}) => {
  const page = await visit("/aboutUs");
  for (const path of ["/aboutUs", "/privacyPolicy", "/userAgreement", "/communityRules"]) {
    const seen = new Set<string>();
    for (const language of ["en", "zh-CN", "ar", "tr", "id"]) {
      await page.evaluate((value) => localStorage.setItem("language", value), language);
      await page.goto(path);
      await expect(page.locator(`html[lang="${language}"]`)).toBeAttached();
      await expect(heading(page)).toHaveCount(1);
      const text = await page.getByRole("main").innerText();
      expect(text.length, `${path} in ${language}`).toBeGreaterThan(400);
      seen.add(text);
    }
    expect(seen.size, path).toBe(5);
  }
});

test("[PAGE-32] the cooperation panel lies over the page and goes by its button, Escape or a click anywhere", async ({
  visit,
}) => {
  const page = await visit("/aboutUs");
  const panel = page.getByRole("dialog", { name: words("page.cooperation") });
  const open = page.getByRole("button", { name: words("page.contact") });
  await open.click();
  await expect(panel.getByRole("heading")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await open.click();
  await expect(async () => {
    await page.mouse.click(20, 300);
    await expect(panel).toBeHidden({ timeout: 1_000 });
  }).toPass();
  await open.click();
  await panel.getByRole("button", { name: words("common.close") }).click();
  await expect(panel).toBeHidden();
});

test("[GUARD-20] pages forbid scripts that are not ours, and foreign uses of camera and microphone", async ({
  product,
}) => {
  expect((await fetch(`${product.url}/readyz`)).status).toBe(200);
  for (const path of ["/", "/aboutUs", "/404"]) {
    const { headers } = await fetch(product.url + path);
    const policy = headers.get("content-security-policy") ?? "";
    const scripts = policy.split(";").find((rule) => rule.trim().startsWith("script-src")) ?? "";
    expect(scripts.trim(), path).toBe("script-src 'self'");
    expect(policy, path).not.toContain("unsafe-");
    expect(headers.get("permissions-policy") ?? "", path).toContain("camera=(self)");
  }
});

test("[UI-32] the first screen needs at most 120 KB of JavaScript, compressed with gzip", async ({
  visit,
  product,
}) => {
  const page = await visit("/", {
    before: () => {
      const watcher = new MutationObserver(() => {
        if (!document.querySelector("h1")) return;
        watcher.disconnect();
        performance.mark("first-screen");
      });
      watcher.observe(document, { childList: true, subtree: true });
    },
  });
  await expect(heading(page)).toBeVisible();
  const scripts = await page.evaluate(() => {
    const shownAt = performance.getEntriesByName("first-screen")[0]?.startTime ?? Number.POSITIVE_INFINITY;
    const loaded = performance.getEntriesByType("resource").filter(({ startTime }) => startTime < shownAt);
    return [...new Set(loaded.map(({ name }) => name).filter((name) => name.endsWith(".js")))];
  });
  expect(scripts.length).toBeGreaterThan(1);
  let bytes = 0;
  for (const address of scripts) {
    const answer = await page.request.get(address, { headers: { "accept-encoding": "gzip" } });
    const size = Number(answer.headers()["content-length"]);
    // Very small files are not worth packing.
    if (size > 2_000) expect(answer.headers()["content-encoding"], address).toBe("gzip");
    bytes += size;
  }
  expect(bytes, scripts.join("\n").replaceAll(product.url, "")).toBeLessThanOrEqual(120 * 1024);
});

/** Signs in with the popup that is open already. */
async function signInThere(page: Page, person: string): Promise<void> {
  const opened = page.waitForEvent("popup");
  await login(page)
    .getByRole("button", { name: words("login.with", { name: "Google" }) })
    .click();
  const chooser = await opened;
  await chooser.waitForLoadState();
  await chooser.locator(`[data-person="${person}"]`).click();
}
