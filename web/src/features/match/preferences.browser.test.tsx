import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { ana, countryOf } from "#testing/fixtures.ts";
import { openPage, phone } from "#testing/open-page.tsx";
import { expectToast } from "#testing/page-steps.ts";

const preferences = () => page.getByRole("dialog", { name: t("pref.title") });
const region = () => page.getByRole("button", { name: /^From/ });
const save = () => preferences().getByRole("button", { name: t("common.save") });
const brazil = countryOf("BR").country_id;

test("stores the preferences in the browser and reports them with type 3", async () => {
  const server = await openPage({ as: ana });
  await page.getByRole("radio", { name: /^Women/ }).click();
  const { user_id } = ana;
  const women = { user_id, type: 3, sex: 2, country: -1, language: "en" };
  await expect.poll(() => server.asked("active")).toEqual([women]);
  expect(localStorage.getItem("filterGender")).toBe("2");

  await region().click();
  await preferences()
    .getByRole("radio", { name: /^One country/ })
    .click();
  await preferences().getByRole("searchbox").fill("brazil");
  await preferences().getByRole("radio", { name: "Brazil" }).click();
  await save().click();
  await expectToast(t("pref.saved"));
  await expect.poll(() => server.asked("active")).toEqual([women, { ...women, country: brazil }]);
  const country: unknown = JSON.parse(localStorage.getItem("filterCountry") ?? "null");
  expect(country).toEqual({ mode: "country", id: brazil });
});

test("restores the stored preferences on load", async () => {
  const filterCountry = JSON.stringify({ mode: "country", id: brazil });
  await openPage({ as: ana, stored: { filterGender: "2", filterCountry } });
  await expect.element(region()).toHaveTextContent("Brazil");
  await expect.element(page.getByRole("radio", { name: /^Women/ })).toBeChecked();
});

test("changes nothing when the preferences close without Save", async () => {
  const server = await openPage({ as: ana });
  await region().click();
  await preferences()
    .getByRole("radio", { name: /^Women/ })
    .click();
  await preferences()
    .getByRole("radio", { name: /^Global/ })
    .click();
  await userEvent.keyboard("{Escape}");
  await expect.element(preferences()).not.toBeInTheDocument();
  await expect.element(region()).toHaveFocus();
  await expect.element(page.getByRole("radio", { name: /^Everyone/ })).toBeChecked();
  expect(localStorage.getItem("filterGender")).toBeNull();
  expect(localStorage.getItem("filterCountry")).toBeNull();
  expect(server.asked("active")).toEqual([]);
});

test("searches countries without accents and case, and reports no match; on a phone it is a page", async () => {
  await openPage({ window: phone });
  await region().click();
  await preferences()
    .getByRole("radio", { name: /^One country/ })
    .click();
  const list = page.getByRole("dialog", { name: t("region.title") });
  await expect.element(list.getByRole("heading").first()).toHaveFocus();
  await list.getByRole("searchbox").fill("TURKIY");
  await expect.poll(() => list.getByRole("radio").elements()).toHaveLength(1);
  await expect.element(list.getByRole("radio")).toHaveAccessibleName("Türkiye");
  await list.getByRole("searchbox").fill("zzz");
  await expect.element(list.getByText(t("region.none"))).toBeVisible();
  await list.getByRole("button", { name: t("common.back") }).click();
  await expect.element(preferences().getByRole("heading").first()).toHaveFocus();
});

test("shows on a phone in one line what a choice without a price costs", async () => {
  await openPage({ as: ana, window: { width: 360, height: 640 } });
  await region().click();
  const total = preferences().getByText(t("price.perMinute")).element().parentElement;
  await expect.poll(() => total?.querySelector("b")?.textContent).toBe(t("price.free"));
  const { lineHeight } = getComputedStyle(total?.querySelector("b") ?? document.body);
  expect(total?.querySelector("b")?.getBoundingClientRect().height).toBeLessThan(1.5 * parseFloat(lineHeight));
});
