import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { activateLanguage, t } from "#lib/i18n.ts";
import { openPage, phone } from "#testing/open-page.tsx";

const textPages = ["/aboutUs", "/privacyPolicy", "/userAgreement", "/communityRules", "/safety", "/accessibility"];
const languages = ["en", "zh-CN", "ar", "tr", "id"] as const;
const panel = () => page.getByRole("dialog", { name: t("page.cooperation") });
const heading = () => page.getByRole("heading", { level: 1 });

/** The links inside an element whose addresses start like this. */
const linksIn = (part: Element, address: string) => [...part.querySelectorAll(`a[href^="${address}"]`)];

for (const path of textPages) {
  test(`has its own text and one heading for ${path} in each of the five languages`, async () => {
    await openPage({ path });
    const seen = new Set<string>();
    for (const language of languages) {
      await activateLanguage(language);
      const text = () => document.querySelector("main:has(h1)")?.textContent ?? "";
      // The previous language stays until the text is loaded.
      await expect.poll(() => text().length > 400 && !seen.has(text()), { message: language }).toBe(true);
      expect(document.documentElement.lang).toBe(language);
      expect(heading().elements()).toHaveLength(1);
      // The page says so if it has no text in the language; these languages have one.
      await expect.element(page.getByText(t("page.onlyEnglish"))).not.toBeInTheDocument();
      seen.add(text());
    }
  });
}

test("shows three features, the long section, a copyright line and links on About us", async () => {
  await openPage({ path: "/aboutUs" });
  const main = page.getByRole("main");
  const features = page.getByRole("region", { name: t("page.aboutFeatures") }).getByRole("article");
  await expect.element(features.first()).toBeVisible();
  expect(features.elements()).toHaveLength(3);
  for (const feature of features.all()) {
    await expect.element(feature.getByRole("heading")).toBeVisible();
    expect(feature.element().querySelector("svg")?.checkVisibility()).toBe(true);
  }
  const info = page.getByRole("region", { name: t("page.aboutInfo") });
  await expect.element(info.getByRole("article").first()).toBeVisible();
  await expect.element(main.getByText(/©/)).toBeVisible();
  for (const link of linksIn(main.element(), "/userAgreement")) expect(link.getAttribute("target")).toBe("_blank");
  expect(linksIn(main.element(), "/userAgreement").length).toBeGreaterThan(0);
  await page.getByRole("button", { name: t("page.contact") }).click();
  await expect.element(panel().getByRole("link").first()).toBeVisible();
  expect(linksIn(panel().element(), "mailto:")).toHaveLength(2);
  expect(linksIn(panel().element(), "tel:")).toHaveLength(1);
  await panel().click({ position: { x: 8, y: 8 } });
  await expect.element(panel()).not.toBeInTheDocument();
  await main
    .getByRole("link", { name: t("page.rules") })
    .first()
    .click();
  await expect.poll(() => location.pathname).toBe("/communityRules");
});

test("opens the cooperation panel above the page, and closes it by its button, Escape or a click anywhere", async () => {
  await openPage({ path: "/aboutUs" });
  const open = page.getByRole("button", { name: t("page.contact") });
  await open.click();
  await expect.element(panel().getByRole("heading")).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(panel()).not.toBeInTheDocument();
  await expect.element(open).toHaveFocus();
  await open.click();
  await expect.element(panel().getByRole("heading")).toHaveFocus();
  await heading().click();
  await expect.element(panel()).not.toBeInTheDocument();
  await open.click();
  await panel()
    .getByRole("button", { name: t("common.close") })
    .click();
  await expect.element(panel()).not.toBeInTheDocument();
});

test("states the day, the tests, the gaps and a contact for complaints in the accessibility statement", async () => {
  await openPage({ path: "/aboutUs" });
  await page
    .getByRole("contentinfo")
    .getByRole("link", { name: t("page.accessibility") })
    .click();
  await expect.element(heading()).toHaveTextContent("Statement of accessibility");
  await expect.element(page.getByText(t("page.prepared", { date: "November 21, 2026" }))).toBeVisible();
  for (const name of ["What was tested, and how", "Known limits"])
    await expect.element(page.getByRole("heading", { level: 2, name })).toBeVisible();
  const complain = document.querySelector("#complain");
  expect(complain?.querySelector("a")?.getAttribute("href")).toMatch(/^mailto:/);
});

test("closes the list of a text's parts on a phone, each part large enough for a finger", async () => {
  await openPage({ path: "/privacyPolicy", window: phone });
  const contents = page.getByText(t("page.contents"));
  const parts = () => [...(contents.element().closest("details")?.querySelectorAll("a") ?? [])];
  await expect.element(contents).toBeVisible();
  expect(parts().filter((part) => part.checkVisibility())).toEqual([]);
  await contents.click();
  expect(parts().length).toBeGreaterThan(3);
  for (const part of parts()) expect(part.getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
});
