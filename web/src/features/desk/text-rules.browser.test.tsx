import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { ada } from "#testing/admin-fixtures.ts";
import { deskAnswers, mia } from "#testing/desk-fixtures.ts";
import { openPage } from "#testing/open-page.tsx";

const open = (as: typeof ada) => openPage({ path: "/reportReview/figures", as, answers: deskAnswers(Date.now()) });
const rules = () => page.getByRole("region", { name: t("disputed.title") });

test("shows administrators each text rule with its rate, and marks those that are disputed too often", async () => {
  await open(ada);
  const row = rules().getByRole("row", { name: /^id:31/ });
  await expect.element(row).toHaveTextContent(t("disputed.marked"));
  for (const text of ["12", "7", "58%", t("disputed.kinds.threat"), "Indonesian", "mati lampu"])
    await expect.element(row).toHaveTextContent(text);
  await expect.element(rules().getByRole("row", { name: /^en:12/ })).not.toHaveTextContent(t("disputed.marked"));
});

test("requests text rules only for administrators", async () => {
  const server = await open(mia);
  await expect.element(page.getByRole("figure").first()).toBeVisible();
  await expect.element(rules()).not.toBeInTheDocument();
  expect(server.asked("adminTextRules")).toEqual([]);
});
