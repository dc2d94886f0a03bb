import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { capRaiseDelayMs, spendingCapBeansMax } from "@fava/wire/limits.ts";
import { formatTime } from "#lib/format-date.ts";
import { type MessageValues, t } from "#lib/i18n.ts";
import { emptyStatement, walletOf } from "#testing/bean-fixtures.ts";
import { type FixtureWorld, silence } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";

const statement = () => page.getByRole("dialog", { name: t("statement.title") });
const cap = () => page.getByRole("dialog", { name: t("cap.title") });
const save = () => cap().getByRole("button", { name: t("common.save") });
const effect = () => cap().getByRole("status");

/** Opens Ana's statement, on a server that stores a new cap as the real one does. */
async function openWithCap(change: Parameters<typeof walletOf>[0] = {}): Promise<FixtureWorld> {
  let wallet = walletOf({ balance: 0, ...change });
  const server = await openPage({
    as: ana,
    answers: {
      beanStatement: emptyStatement,
      beanWallet: () => wallet,
      beanCap: ({ beans: asked }) => {
        const beans = asked === -1 ? null : asked;
        const present = wallet.cap.beans;
        const isLower = beans !== null && (present === null || beans <= present);
        const pending = isLower ? null : { beans, from: Date.now() + capRaiseDelayMs };
        wallet = { ...wallet, cap: { ...wallet.cap, beans: isLower ? beans : present, pending } };
        return wallet.cap;
      },
    },
  });
  await page.getByRole("button", { name: t("home.account") }).click();
  await page.getByRole("menuitem", { name: t("menu.beans") }).click();
  return server;
}

async function openCap(): Promise<void> {
  await statement()
    .getByRole("button", { name: t("statement.change") })
    .click();
  await expect.element(cap().getByRole("radio", { name: t("cap.own") })).toBeVisible();
}

/** Matches a text whose time is only known to the minute. */
function around(key: "cap.later" | "cap.pendingNone", atMs: number): RegExp {
  const said = [0, 60_000].map((late) => t(key, { time: formatTime(atMs + late) } satisfies MessageValues));
  return new RegExp(said.map((text) => text.replaceAll(/[.()]/g, String.raw`\$&`)).join("|"), "u");
}

test("applies a lower cap at once, a higher one and none a day later", async () => {
  const server = await openWithCap();
  await expect.element(statement().getByText(t("statement.emptyText"))).toBeVisible();
  await openCap();
  await expect.element(cap().getByText(t("cap.nowNone", { spent: "0" }))).toBeVisible();
  await expect.element(cap().getByRole("textbox")).toHaveValue("");
  await expect.element(save()).toBeDisabled();
  await cap().getByRole("textbox").fill("5000");
  await expect.element(effect()).toHaveTextContent(t("cap.atOnce"));
  await expect.element(cap().getByText(t("cap.about", { money: "$5.00" }))).toBeVisible();
  await save().click();
  await expect.element(cap()).not.toBeInTheDocument();
  await expect.element(page.getByText(t("cap.saved")).first()).toBeVisible();
  await expect.element(statement().getByText(t("statement.capUsed", { spent: "0", cap: "5,000" }))).toBeVisible();

  await openCap();
  await expect.element(cap().getByRole("textbox")).toHaveValue("5000");
  await expect.element(effect()).toHaveTextContent(t("cap.same"));
  await expect.element(save()).toBeDisabled();
  const askedAtMs = Date.now();
  await cap().getByRole("textbox").fill("6000");
  await expect.element(effect()).toHaveTextContent(around("cap.later", askedAtMs + capRaiseDelayMs));
  await cap()
    .getByRole("radio", { name: t("cap.none") })
    .click();
  await expect.element(effect()).toHaveTextContent(around("cap.later", askedAtMs + capRaiseDelayMs));
  await save().click();
  await expect.element(cap()).not.toBeInTheDocument();
  await openCap();
  await expect.element(cap().getByText(around("cap.pendingNone", askedAtMs + capRaiseDelayMs))).toBeVisible();
  await expect.element(cap().getByText(t("cap.now", { cap: "5,000", spent: "0" }))).toBeVisible();
  await expect.element(effect()).toHaveTextContent(t("cap.keep"));
  const asked = { user_id: ana.user_id, language: "en" };
  expect(server.asked("beanCap")).toEqual([
    { ...asked, beans: 5_000 },
    { ...asked, beans: -1 },
  ]);
});

test("cannot save an invalid cap, and says what is valid", async () => {
  await openWithCap({ cap: { beans: 40_000, pending: null, spent_today: 1_600 } });
  await expect.element(statement().getByText(t("statement.capUsed", { spent: "1,600", cap: "40,000" }))).toBeVisible();
  await openCap();
  await cap()
    .getByRole("textbox")
    .fill(String(spendingCapBeansMax + 1));
  await expect.element(cap().getByRole("textbox")).toHaveAttribute("aria-invalid", "true");
  const max = new Intl.NumberFormat("en").format(spendingCapBeansMax);
  await expect.element(cap().getByText(t("cap.wrong", { max }))).toBeVisible();
  await expect.element(save()).toBeDisabled();
});

test("keeps a typed cap that got no response", async () => {
  const server = await openWithCap();
  await openCap();
  server.answer({ beanCap: silence });
  await cap().getByRole("textbox").fill("5000");
  await save().click();
  await expect.element(page.getByText(t("error.server")).first()).toBeVisible();
  await expect.element(cap().getByRole("textbox")).toHaveValue("5000");
  await expect.element(save()).toBeEnabled();
});
