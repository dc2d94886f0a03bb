import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { spokenLanguages } from "@fava/wire/talk.ts";
import { t } from "#lib/i18n.ts";
import { ada, adminAnswers } from "#testing/admin-fixtures.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { openPage } from "#testing/open-page.tsx";

const add = () => page.getByRole("button", { name: t("admin.hours.add") });
const sheet = () => page.getByRole("dialog", { name: t("admin.hours.add") });
const row = (name: string) => page.getByRole("row", { name });

async function openHours() {
  const server = await openPage({ as: ada, path: "/admin", answers: adminAnswers() });
  await expect.element(row("Portuguese")).toBeVisible();
  return server;
}

test("adds an hour at the administrator's own time, and removes one", async () => {
  const server = await openHours();
  await add().click();
  await sheet().getByLabelText(t("admin.hours.topic")).selectOptions("Turkish");
  await sheet().getByLabelText(t("admin.hours.start")).fill("2027-01-07T20:30");
  await sheet()
    .getByRole("button", { name: t("admin.hours.add") })
    .click();
  await expect.element(row("Turkish")).toBeVisible();
  expect(server.asked("adminHourAdd")).toMatchObject([
    {
      spoken: spokenLanguages.indexOf("tr"),
      interest: -1,
      starts_at: new Date(2027, 0, 7, 20, 30).getTime(),
      minutes: 30,
      is_weekly: 1,
    },
  ]);
  await page.getByRole("button", { name: t("admin.hours.remove", { topic: "Turkish" }) }).click();
  await expect.element(row("Turkish")).not.toBeInTheDocument();
});

test("says what is wrong with an hour without a time, or one that the server refuses", async () => {
  const server = await openHours();
  await add().click();
  const send = () => sheet().getByRole("button", { name: t("admin.hours.add") });
  await send().click();
  await expect.element(sheet().getByRole("alert")).toHaveTextContent(t("admin.hours.refused"));
  expect(server.asked("adminHourAdd")).toEqual([]);
  server.answer({ adminHourAdd: new Refusal(codes.refused, { reason: "too_many" }) });
  await sheet().getByLabelText(t("admin.hours.start")).fill("2027-01-07T20:30");
  await send().click();
  await expect.element(sheet().getByRole("alert")).toHaveTextContent(t("admin.hours.refused"));
  expect(server.asked("adminHourAdd")).toHaveLength(1);
  await userEvent.keyboard("{Escape}");
  await expect.element(sheet()).not.toBeInTheDocument();
});
