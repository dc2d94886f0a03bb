import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { priceListCountryDefault } from "@fava/wire/limits.ts";
import { t } from "#lib/i18n.ts";
import { walletOf } from "#testing/bean-fixtures.ts";
import { silence } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { noPacks, sixPacks, tillOf } from "#testing/shop-fixtures.ts";
import { openShop, stubWindows } from "#testing/shop-steps.ts";

const shop = () => page.getByRole("dialog", { name: t("shop.title") });
const packs = () => shop().getByRole("radio");
const proceed = () => shop().getByRole("button", { name: t("shop.continue") });

async function pressBalance(): Promise<void> {
  await page.getByRole("button", { name: t("home.beans", { n: 0, count: "0" }), exact: true }).click();
}

test("updates the price of an exact amount while typing, which excludes a pack", async () => {
  stubWindows();
  const till = tillOf(ana);
  await openPage({ as: ana, answers: till.answers });
  await openShop();
  await expect.element(proceed()).toBeDisabled();
  await expect.element(shop().getByText(t("shop.nothing"))).toBeVisible();
  expect(shop().getByRole("radio", { checked: true }).elements()).toEqual([]);
  await packs().last().click();
  await expect.element(proceed()).toBeEnabled();

  const field = shop().getByRole("textbox");
  for (const wrong of ["1599", "100001"]) {
    await field.fill(wrong);
    await expect.element(field).toHaveAttribute("aria-invalid", "true");
    await expect.element(proceed()).toBeDisabled();
  }
  await field.fill("3200");
  await expect.element(field).not.toHaveAttribute("aria-invalid");
  expect(shop().getByRole("radio", { checked: true }).elements()).toEqual([]);
  await expect.element(shop().getByRole("status")).toHaveTextContent("$3.20");
  await packs().first().click();
  await expect.element(field).toHaveValue("");

  await field.fill("3200");
  await proceed().click();
  const pay = page.getByRole("dialog", { name: t("pay.title"), exact: true });
  await pay.getByRole("button", { name: t("pay.go", { money: "$3.20" }) }).click();
  await expect.element(page.getByRole("dialog", { name: t("pay.waitTitle") })).toBeVisible();
  expect(till.asked.at(-1)).toMatchObject({ recharge_id: 0, golds: 3_200, amount: "3.20" });
});

test("lists the cheapest pack first, and sets a daily cap by one press", async () => {
  let wallet = walletOf({ cap: { beans: null, pending: null, spent_today: 0 } });
  const server = await openPage({
    as: ana,
    answers: {
      ...tillOf(ana).answers,
      beanWallet: () => wallet,
      beanCap: ({ beans }) => {
        wallet = walletOf({ cap: { beans, pending: null, spent_today: 0 } });
        return wallet.cap;
      },
    },
  });
  await openShop();
  await expect.element(packs().first()).toHaveAccessibleName(/^6 min 10,000 beans \$9\.99/);
  await expect.element(packs().last()).toHaveAccessibleName(/\b1,030,000 beans/);
  const choice = shop().getByRole("button", { name: t("cap.preset", { count: "16,000", money: "$15.99" }) });
  await choice.click();
  await expect.element(choice).toHaveAttribute("aria-pressed", "true");
  expect(server.asked("beanCap")).toMatchObject([{ beans: 16_000 }]);
});

test("[BEANS-11] requests an empty price list again with country 18", async () => {
  const till = tillOf(ana);
  const countries: number[] = [];
  await openPage({
    as: ana,
    answers: {
      ...till.answers,
      priceList: ({ country_id }) => {
        countries.push(country_id);
        return country_id === priceListCountryDefault ? sixPacks : noPacks;
      },
    },
  });
  await openShop();
  expect(packs().elements()).toHaveLength(6);
  expect(countries).toEqual([ana.country_id, priceListCountryDefault]);
  expect(ana.country_id).not.toBe(priceListCountryDefault);
});

test("reports prices that cannot be loaded, with a retry button", async () => {
  const server = await openPage({ as: ana, answers: { ...tillOf(ana).answers, priceList: () => silence } });
  await pressBalance();
  await expect.element(shop().getByRole("alert")).toHaveTextContent(t("shop.failed"));
  await expect.element(proceed()).toBeDisabled();
  server.answer({ priceList: () => sixPacks });
  await shop()
    .getByRole("button", { name: t("common.retry") })
    .click();
  await expect.poll(() => packs().elements()).toHaveLength(6);
});

test("reports an empty offer, with a retry button", async () => {
  const server = await openPage({ as: ana, answers: { ...tillOf(ana).answers, priceList: () => noPacks } });
  await pressBalance();
  await expect.element(shop().getByRole("alert")).toHaveTextContent(t("shop.empty"));
  server.answer({ priceList: () => sixPacks });
  await shop()
    .getByRole("button", { name: t("common.retry") })
    .click();
  await expect.poll(() => packs().elements()).toHaveLength(6);
});

test("shows the time that a pack buys, and the price of 1,000 beans with three fraction digits", async () => {
  await openPage({ as: ana, answers: tillOf(ana).answers });
  await openShop();
  const smallest = shop().getByRole("radio", { name: /\b10,000 beans/ });
  await expect.element(smallest).toHaveAccessibleName("6 min 10,000 beans $9.99 $0.999 / 1,000");
});
