import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import type { OwnTalk } from "@fava/wire/talk.ts";
import { t } from "#lib/i18n.ts";
import { callState } from "#testing/call-page.ts";
import { type Answers, Refusal } from "#testing/fixture-world.ts";
import { ana, countryOf } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { expectToast } from "#testing/page-steps.ts";
import { OwnProfile } from "#testing/profile-fixtures.ts";

const [brazil, japan] = [countryOf("BR").country_id, countryOf("JP").country_id];
const preferences = () => page.getByRole("dialog", { name: t("pref.title") });
const excluded = () => page.getByRole("dialog", { name: t("talk.leftOutTitle") });
const add = () => excluded().getByRole("combobox", { name: t("talk.addCountry") });
const save = () => excluded().getByRole("button", { name: t("profile.save") });
const remove = (name: string) => excluded().getByRole("button", { name: t("talk.remove", { name }) });
const entry = (count = 0) =>
  preferences().getByRole("button", { name: count === 0 ? t("talk.leftOutTitle") : t("talk.leftOutCount", { count }) });

/** Ana's match preferences; the server has `stored` as her excluded countries. */
async function openPreferences({
  stored = {},
  answers = {},
  kept,
}: { stored?: Partial<OwnTalk>; answers?: Answers; kept?: Record<string, string> } = {}) {
  const server = await openPage({ as: ana, ...(kept && { stored: kept }) });
  const own = new OwnProfile(server, ana);
  own.talk = { ...own.talk, ...stored };
  server.answer({ ...own.answers, ...answers });
  await page.getByRole("button", { name: /^From/ }).click();
  await expect.element(preferences()).toBeVisible();
  return { server, own };
}

test("excludes countries in the match preferences, the user's own first, shows their number, and includes them again", async () => {
  const { server, own } = await openPreferences();
  await entry().click();
  await expect.element(save()).toHaveAttribute("aria-disabled", "true");
  const [, first] = add().getByRole("option").elements();
  expect(first?.textContent).toBe(t("talk.ownCountry", { name: ana.country_name }));
  await add().selectOptions(t("talk.ownCountry", { name: ana.country_name }));
  await add().selectOptions("Japan");
  await save().click();
  await expectToast(t("pref.saved"));
  expect(server.asked("talkUpdate")).toMatchObject([{ leaves_out: [ana.country_id, japan] }]);
  await entry(2).click();
  await remove("Japan").click();
  await save().click();
  await expect.element(entry(1)).toBeVisible();
  expect(own.talk.leaves_out).toEqual([ana.country_id]);
});

test("offers no more countries at the limit, and drops unsaved changes", async () => {
  await openPreferences({ stored: { leaves_out: [brazil], leaves_out_max: 2 } });
  await entry(1).click();
  await add().selectOptions("Japan");
  await expect.element(add()).not.toBeInTheDocument();
  await excluded()
    .getByRole("button", { name: t("common.back") })
    .click();
  await entry(1).click();
  await expect.element(remove("Brazil")).toBeVisible();
  await expect.element(remove("Japan")).not.toBeInTheDocument();
});

test("shows nothing of it when no country can be excluded", async () => {
  const { server } = await openPreferences({ stored: { leaves_out_max: 0 } });
  await expect.poll(() => server.asked("talkInfo")).toHaveLength(1);
  await expect.element(preferences().getByRole("radio").first()).toBeVisible();
  await expect.element(entry()).not.toBeInTheDocument();
});

test("shows why saving failed, and keeps the changes", async () => {
  await openPreferences({ answers: { talkUpdate: new Refusal(codes.slowDown) } });
  await entry().click();
  await add().selectOptions("Japan");
  await save().click();
  await expect.element(excluded().getByText(t("talk.tooOften"))).toBeVisible();
  await expect.element(remove("Japan")).toBeVisible();
});

test("excludes no country of the filter, and lets no excluded one be chosen", async () => {
  const filterCountry = JSON.stringify({ mode: "country", id: brazil });
  await openPreferences({ stored: { leaves_out: [japan] }, kept: { filterCountry } });
  await expect.element(preferences().getByRole("radio", { name: "Japan" })).toBeDisabled();
  await expect.element(preferences().getByRole("radio", { name: "Brazil", exact: true })).toBeChecked();
  await entry(1).click();
  await expect.element(excluded().getByText(t("talk.searchedCountry", { name: "Brazil" }))).toBeVisible();
  expect(add().getByRole("option", { name: "Brazil" }).elements()).toEqual([]);
  expect(add().getByRole("option", { name: "Germany" }).elements()).toHaveLength(1);
});

test("ends a search whose country is rejected, says why, and opens the preferences", async () => {
  const filterCountry = JSON.stringify({ mode: "country", id: brazil });
  const matchStart = new Refusal(codes.badInput, { field: "country" });
  const told = { neverShowRule: "1", searchChecksTold: "1" };
  await openPage({ as: ana, stored: { ...told, filterCountry }, answers: { matchStart } });
  await page.getByRole("button", { name: t("home.start") }).click();
  await expectToast(t("search.countryRefused"));
  await expect.element(preferences()).toBeVisible();
  await expect.poll(callState).toBeNull();
});
