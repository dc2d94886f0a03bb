import { expect, type Page } from "@playwright/test";
import { ana } from "@fava/web/testing/fixtures.ts";
import { transparencyReport } from "@fava/web/testing/transparency-fixtures.ts";
import { test } from "../support/fixture-page.ts";
import { words, wordsIn } from "../support/words.ts";

const languages = ["en", "zh-CN", "ar", "tr", "id"] as const;
/** The indexed pages, each with the keys of its title and description. */
const pages = {
  "/": ["app.title", "app.description"],
  "/safety": ["page.safety", "found.safety"],
  "/aboutUs": ["page.about", "found.about"],
  "/communityRules": ["page.rules", "found.rules"],
  "/notice": ["notice.title", "found.notice"],
  "/transparency": ["transparency.title", "found.transparency"],
  "/userAgreement": ["page.terms", "found.terms"],
  "/privacyPolicy": ["page.privacy", "found.privacy"],
  "/accessibility": ["page.accessibility", "found.accessibility"],
} as const;

const addressOf = (path: string, language: string) => (language === "en" ? path : `${path}?lang=${language}`);

/** What search engines and previews read in the current page, or in the HTML of a page. */
const headOf = (page: Page, html?: string) =>
  page.evaluate((sent) => {
    const read = sent === undefined ? document : new DOMParser().parseFromString(sent, "text/html");
    const content = (selector: string) => read.querySelector(selector)?.getAttribute("content") ?? "";
    const links = [...read.querySelectorAll<HTMLLinkElement>("link[rel='alternate'][hreflang]")];
    return {
      language: read.documentElement.lang,
      direction: read.documentElement.dir,
      title: read.title,
      description: content("meta[name='description']"),
      canonical: read.querySelector<HTMLLinkElement>("link[rel='canonical']")?.href ?? "",
      alternates: links.map((link) => [link.hreflang, link.href]),
    };
  }, html);

function expectedHead(origin: string, path: keyof typeof pages, language: string) {
  const [title, description] = pages[path];
  return {
    language,
    direction: language === "ar" ? "rtl" : "ltr",
    title: path === "/" ? wordsIn(language, title) : `${wordsIn(language, title)} · Fava`,
    description: wordsIn(language, description),
    canonical: origin + addressOf(path, language),
    alternates: expect.arrayContaining([
      ...languages.map((other) => [other, origin + addressOf(path, other)]),
      ["x-default", origin + path],
    ]) as unknown,
  };
}

test("shows the words of every page without JavaScript, in each of the five languages", async ({ world }) => {
  const page = await world.open({ javaScriptEnabled: false });
  const heading = page.getByRole("heading", { level: 1 });
  for (const language of languages) {
    await page.goto(addressOf("/", language));
    await expect(heading).toHaveText(wordsIn(language, "home.title"));
    await expect(page.getByRole("button", { name: wordsIn(language, "home.start") })).toBeVisible();
  }
  for (const [index, path] of Object.keys(pages).slice(1).entries()) {
    // The rendering is the same in all languages; the text is checked in each.
    const seen = languages[index % languages.length] ?? "en";
    await page.goto(addressOf(path, seen));
    await expect(heading, `${path} in ${seen}`).toBeVisible();
    expect((await page.getByRole("main").innerText()).length, `${path} in ${seen}`).toBeGreaterThan(100);
    for (const language of languages) {
      const sent = await (await fetch(world.url + addressOf(path, language))).text();
      expect(sent, path).toMatch(new RegExp(`<html[^>]* lang="${language}"`));
      expect(textOf(sent, "h1"), `${path} in ${language}`).not.toBe("");
      expect(textOf(sent, "main").length, `${path} in ${language}`).toBeGreaterThan(100);
      expect(textOf(sent, "main"), `${path} in ${language}`).not.toContain("{company}");
    }
  }
});

test("keeps title and metadata at hydration, without an error or a layout shift", async ({ world }) => {
  const page = await world.open({ before: noteHeading, answers: { transparency: transparencyReport } });
  for (const [index, path] of (Object.keys(pages) as (keyof typeof pages)[]).entries()) {
    // Hydration is the same in all languages.
    const seen = languages[index % languages.length] ?? "en";
    await page.goto(addressOf(path, seen));
    // It has hydrated the server's elements instead of creating new ones.
    await page.waitForFunction(isAlive);
    expect(await page.evaluate(() => document.querySelector("h1") === window.firstHeading), path).toBe(true);
    expect(await headOf(page), `${path} in ${seen}`).toEqual(expectedHead(world.url, path, seen));
    for (const language of languages) {
      const sent = await (await fetch(world.url + addressOf(path, language))).text();
      expect(await headOf(page, sent), `${path} in ${language}`).toEqual(expectedHead(world.url, path, language));
    }
  }
});

test("has previews with a picture, and a title and description in the page's language", async ({ world }) => {
  const page = await world.open({ path: "/safety?lang=tr" });
  const graph = (name: string) =>
    page.locator(`meta[property="og:${name}"]`).evaluate((element) => element.getAttribute("content"));
  expect(await graph("title")).toBe(`${wordsIn("tr", "page.safety")} · Fava`);
  expect(await graph("description")).toBe(wordsIn("tr", "found.safety"));
  expect(await graph("url")).toBe(`${world.url}/safety?lang=tr`);
  expect(await graph("locale")).toBe("tr");
  const picture = await page.request.get((await graph("image")) ?? "");
  expect(picture.headers()["content-type"]).toBe("image/png");
  expect(await picture.body()).toHaveProperty("length", expect.any(Number));
});

test("does not store the language of an address until the user chooses one", async ({ world }) => {
  const page = await world.open({ path: "/aboutUs?lang=tr" });
  await expect(page.locator("html[lang='tr']:not([data-shell])")).toBeAttached();
  expect(await page.evaluate(() => localStorage.getItem("language"))).toBeNull();
  await page.goto("/aboutUs");
  await expect(page.locator("html[lang='en']")).toBeAttached();
});

test.describe("while its chunks load", () => {
  test.use({ offered: { pages: "as built" } });

  test("prefers a stored language to the address, and never shows the other", async ({ world }) => {
    const page = await world.open({ isUsedUp: true });
    await page.evaluate(() => localStorage.setItem("language", "id"));
    await page.addInitScript(noteSeen);
    for (const path of ["/?lang=tr", "/safety"]) {
      await page.goto(path);
      await expect(page.locator("html[lang='id']:not([data-shell])")).toBeAttached();
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      expect(await page.evaluate(() => window.seenHeadings)).toHaveLength(1);
    }
  });

  test("shows a signed-in user their own home screen at once", async ({ world }) => {
    const page = await world.open({ as: ana, isUsedUp: true });
    await expect(page.getByRole("button", { name: words("home.account") })).toBeVisible();
    await page.addInitScript(noteSeen);
    await page.reload();
    await expect(page.getByRole("button", { name: words("home.account") })).toBeVisible();
    const seen = await page.evaluate(() => window.seenHeadings);
    expect(seen).not.toContain(wordsIn("en", "home.title"));
  });
});

test("navigates without a reload, and updates the address to share", async ({ world }) => {
  const page = await world.open({ path: "/safety?lang=tr" });
  await expect(page.locator("html:not([data-shell])")).toBeAttached();
  await page.evaluate(() => Object.assign(window, { same: true }));
  await page
    .getByRole("contentinfo")
    .getByRole("link", { name: wordsIn("tr", "page.about") })
    .click();
  await expect(page).toHaveTitle(`${wordsIn("tr", "page.about")} · Fava`);
  await expect(page.locator("link[rel='canonical']")).toHaveAttribute("href", `${world.url}/aboutUs?lang=tr`);
  await page.goBack();
  await expect(page).toHaveTitle(`${wordsIn("tr", "page.safety")} · Fava`);
  expect(await page.evaluate(() => "same" in window)).toBe(true);
});

declare global {
  interface Window {
    firstHeading: Element | null;
    seenHeadings: string[];
  }
}

/** The text of the only element of this kind. */
function textOf(html: string, element: string): string {
  const inside = new RegExp(`<${element}[ >][^]*?</${element}>`).exec(html)?.[0] ?? "";
  return inside.replaceAll(/<[^>]*>/g, "").trim();
}

/** Whether React has hydrated or created the heading. */
function isAlive(): boolean {
  return Object.keys(document.querySelector("h1") ?? {}).some((key) => key.startsWith("__react"));
}

/** Remembers the heading of the server's page. */
function noteHeading(): void {
  document.addEventListener("readystatechange", () => {
    window.firstHeading ??= document.querySelector("h1");
  });
}

/** Records every distinct visible heading, frame by frame. */
function noteSeen(): void {
  window.seenHeadings = [];
  const look = () => {
    const heading = document.querySelector("h1");
    const text = heading?.checkVisibility({ visibilityProperty: true }) ? heading.textContent : "";
    if (text !== "" && text !== window.seenHeadings.at(-1)) window.seenHeadings.push(text);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
