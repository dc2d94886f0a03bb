import { expect, test } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { codes } from "@fava/wire/codes.ts";
import { type Answers, Refusal } from "#testing/fixture-world.ts";
import { ana, otherUserOf, personOf } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { startOf } from "#testing/page-steps.ts";
import { nobodyAnswers, relationAnswers, wholeProfile } from "#testing/people-fixtures.ts";
import { followButton, openPeoplePanel, profileOf, rowOf } from "#testing/people-steps.ts";

const zoe = personOf("Zoe Quince");

const searchbox = (place: Locator) => place.getByRole("searchbox");

/** Opens Ana's search, which finds Zoe by the start of her name and by her number. */
async function openFind(answers: Answers = {}) {
  const server = await openPage({
    as: ana,
    answers: {
      ...nobodyAnswers,
      ...relationAnswers(),
      userSearch: ({ text, sex }) => {
        const isFound =
          sex !== 1 && (text === "10482193" || zoe.nickname.toLowerCase().startsWith((text ?? "").toLowerCase()));
        return { rows: isFound ? [zoe] : [], next: null };
      },
      ...answers,
    },
  });
  const panel = await openPeoplePanel();
  await panel.getByRole("button", { name: t("find.title") }).click();
  return { server, find: page.getByRole("dialog", { name: t("find.title") }) };
}

test("searches by the filters alone without a text", async () => {
  const { server, find } = await openFind();
  await find.getByLabelText(t("find.sex")).selectOptions(t("find.women"));
  await expect.element(find.getByText(t("find.lead"))).toBeVisible();
  await find.getByRole("button", { name: t("find.go") }).click();
  await expect.element(rowOf(find, "Zoe Quince")).toBeVisible();
  expect(server.asked("userSearch")).toMatchObject([{ text: "", sex: 2, minAge: 18, maxAge: 65, country: 0 }]);
});

test("searches by nickname or number, sex, age and country, and says when it finds nobody", async () => {
  const { server, find } = await openFind();
  await searchbox(find).fill("nobody has this name");
  await userEvent.keyboard("{Enter}");
  await expect.element(find.getByText(t("find.nobody"))).toBeVisible();
  await searchbox(find).fill("  zoe qu ");
  await find.getByRole("button", { name: t("find.go") }).click();
  await expect.element(rowOf(find, "Zoe Quince")).toBeVisible();
  expect(server.asked("userSearch").at(-1)).toMatchObject({
    text: "zoe qu",
    sex: 0,
    minAge: 18,
    maxAge: 65,
    country: 0,
  });

  await searchbox(find).fill("10482193");
  await find.getByLabelText(t("find.ageFrom")).selectOptions("30");
  await find.getByLabelText(t("find.ageTo")).selectOptions(t("find.andOver", { age: "65" }));
  await find.getByLabelText(t("find.country")).selectOptions("Brazil");
  await find.getByLabelText(t("find.sex")).selectOptions(t("find.women"));
  await searchbox(find).click();
  await userEvent.keyboard("{Enter}");
  await expect.element(rowOf(find, "Zoe Quince")).toBeVisible();
  const asked = { text: "10482193", sex: 2, minAge: 30, maxAge: 65, country: zoe.country_id };
  expect(server.asked("userSearch").at(-1)).toMatchObject(asked);

  // After a search a filter applies at once, and not what is typed since.
  await searchbox(find).fill("unsent");
  await find.getByLabelText(t("find.sex")).selectOptions(t("find.men"));
  await expect.element(find.getByText(t("find.nobody"))).toBeVisible();
  expect(server.asked("userSearch").at(-1)).toMatchObject({ text: "10482193", sex: 1 });
});

test("shows a profile as strangers may see it, and updates the list from it", async () => {
  const { server, find } = await openFind({
    userInfo: wholeProfile("Zoe Quince", { can_message: "no" }),
  });
  await searchbox(find).fill("zoe");
  await userEvent.keyboard("{Enter}");
  await rowOf(find, "Zoe Quince")
    .getByRole("button", { name: profileOf("Zoe Quince") })
    .click();
  const profile = page.getByRole("dialog", { name: "Zoe Quince" });
  await expect.element(profile.getByText("Architect by day")).toBeVisible();
  await expect.element(profile.getByText("Brazil")).toBeVisible();
  await expect.element(profile.getByText("Salvador")).toBeVisible();
  await expect.element(profile.getByText(t("other.number", { number: "10482193" }))).toBeVisible();
  expect(server.asked("userInfo")).toMatchObject([{ otherId: zoe.user_id }]);
  // Block and report stay visible at any scroll position.
  await expect.element(profile.getByRole("button", { name: startOf("other.block") })).toBeInViewport();
  await expect.element(profile.getByRole("button", { name: startOf("other.report") })).toBeInViewport();
  await expect.element(profile.getByText(t("other.noMessage"))).toBeVisible();
  await expect
    .element(profile.getByRole("button", { name: t("other.message") }))
    .toHaveAttribute("aria-disabled", "true");
  const words = profile.element().textContent;
  expect(words).not.toMatch(/19\d\d|20\d\d|ago|birthday/i);

  await profile.getByRole("button", { name: t("other.photo", { n: 2, name: "Zoe Quince" }) }).click();
  await expect.element(page.getByText(t("other.of", { n: "2", count: "3" }))).toBeVisible();
  await userEvent.keyboard("{ArrowRight}{ArrowRight}");
  await expect.element(page.getByText(t("other.of", { n: "1", count: "3" }))).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await followButton(profile, "people.follow").click();
  await expect.element(followButton(profile, "people.following")).toHaveAttribute("aria-pressed", "true");
  await profile.getByRole("button", { name: t("common.close") }).click();
  await expect.element(followButton(rowOf(find, "Zoe Quince"), "people.following")).toBeVisible();
});

test("gives no reason for a missing profile, and loads a failed one again on request", async () => {
  const { server, find } = await openFind({ userInfo: () => new Refusal(codes.serverError) });
  await searchbox(find).fill("zoe");
  await userEvent.keyboard("{Enter}");
  const open = rowOf(find, "Zoe Quince").getByRole("button", { name: profileOf("Zoe Quince") });
  await open.click();
  await expect.element(page.getByText(t("other.notLoaded"))).toBeVisible();
  server.answer({ userInfo: new Refusal(codes.forbidden, { reason: "not_met" }) });
  await page.getByRole("button", { name: t("common.retry") }).click();
  const gone = page.getByRole("dialog", { name: t("other.gone") });
  await expect.element(gone.getByText(t("other.goneText"))).toBeVisible();
  await gone.getByRole("button", { name: t("common.close") }).click();
  await expect.element(gone).not.toBeInTheDocument();
  server.answer({ userInfo: otherUserOf("Zoe Quince") });
  await open.click();
  await expect.element(page.getByRole("dialog", { name: "Zoe Quince" })).toBeVisible();
});

test("[PEOPLE-101] shows a rejection in a dialog, and reverts the change", async () => {
  const { find } = await openFind({ follow: new Refusal(codes.refused, { reason: "too_many" }) });
  await searchbox(find).fill("Zoe Quince");
  await userEvent.keyboard("{Enter}");
  await followButton(rowOf(find, "Zoe Quince"), "people.follow").click();
  const told = page.getByRole("alertdialog", { name: t("refused.title") });
  await expect.element(told.getByText(t("refused.too_many"))).toBeVisible();
  await told.getByRole("button", { name: t("common.ok") }).click();
  await expect.element(told).not.toBeInTheDocument();
  await expect
    .element(followButton(rowOf(find, "Zoe Quince"), "people.follow"))
    .toHaveAttribute("aria-pressed", "false");
});

test("shows what the two have in common in a profile", async () => {
  const shared = { languages: [12], interests: [] };
  const { server, find } = await openFind({ userInfo: otherUserOf("Zoe Quince", { shared }) });
  const open = rowOf(find, "Zoe Quince").getByRole("button", { name: profileOf("Zoe Quince") });
  await searchbox(find).fill("zoe");
  await userEvent.keyboard("{Enter}");
  await open.click();
  const sheet = page.getByRole("dialog", { name: "Zoe Quince" });
  await expect.element(sheet.getByText("You both speak Portuguese")).toBeVisible();
  await sheet.getByRole("button", { name: t("common.close") }).click();
  server.answer({ userInfo: otherUserOf("Zoe Quince") });
  await open.click();
  await expect.element(sheet.getByRole("button", { name: t("other.message") })).toBeVisible();
  expect(sheet.getByText(/You both/).query()).toBeNull();
});
