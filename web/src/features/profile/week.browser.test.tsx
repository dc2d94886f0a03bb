import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { formatSpan } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { ana } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { chooseInMenu } from "#testing/page-steps.ts";
import { nobodyAnswers } from "#testing/people-fixtures.ts";

const week = () => page.getByRole("region", { name: t("profile.week") });

async function openProfile(myWeek: { people: number; countries: number; seconds: number }) {
  const server = await openPage({
    as: ana,
    answers: { ...nobodyAnswers, newPhoto: { avatar: null, photos: [] }, myWeek },
  });
  await chooseInMenu("menu.profile");
  await expect.poll(() => server.asked("myWeek")[0]).toMatchObject({ user_id: ana.user_id });
}

test("shows people, countries and time of the last week, as read-only figures", async () => {
  await openProfile({ people: 14, countries: 6, seconds: 11_580 });
  await expect.element(week().getByText(t("profile.weekText"))).toBeVisible();
  const figures = week().getByRole("definition").elements();
  expect(figures.map((figure) => figure.textContent)).toEqual(["14", "6", formatSpan(11_580)]);
});

test("shows nothing without a call", async () => {
  await openProfile({ people: 0, countries: 0, seconds: 0 });
  await expect.element(page.getByRole("region", { name: t("profile.facts") })).toBeVisible();
  expect(week().query()).toBeNull();
});
