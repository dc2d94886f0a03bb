import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { t } from "#lib/i18n.ts";
import { newcomer, onboardingAnswers, underAge, underAgeAnswers } from "#testing/onboarding-fixtures.ts";
import { openPage } from "#testing/open-page.tsx";

const profile = () => page.getByRole("dialog", { name: t("complete.title") });
const refusal = () => page.getByRole("alertdialog", { name: t("age.title") });
const part = (name: "year" | "month" | "day") => profile().getByLabelText(t(`birth.${name}`), { exact: true });
const next = () => profile().getByRole("button", { name: t("common.next") });
const mine = () => profile().getByRole("checkbox", { name: t("birth.mine") });
const woman = () => profile().getByRole("radio", { name: t("gender.female") });
const button = (name: string) => page.getByRole("button", { name });

/** The options of a list, in order. */
const offered = (name: "year" | "month" | "day") =>
  [...(part(name).element() as HTMLSelectElement).options].map(({ text }) => text);

/** `day` is YYYY-M-D, the values of the three lists. */
async function expectChoice(day: string): Promise<void> {
  const [year, month, date] = day.split("-");
  await expect.element(part("year")).toHaveValue(year ?? "");
  await expect.element(part("month")).toHaveValue(month ?? "");
  await expect.element(part("day")).toHaveValue(date ?? "");
}

test("[AGE-4, AGE-5] starts the picker at 2006-10-28, and shows the date in words and the age", async () => {
  const server = await openPage({ as: newcomer, answers: onboardingAnswers() });
  await expect.element(profile().getByRole("heading")).toHaveFocus();
  await expectChoice("2006-10-28");
  await expect.element(profile().getByText("October 28, 2006")).toBeVisible();
  // The day shrinks with the month and the leap year.
  await part("day").selectOptions("28");
  await part("month").selectOptions("1");
  await part("day").selectOptions("31");
  await part("month").selectOptions("2");
  await expectChoice("2006-2-28");
  expect(offered("day")).toHaveLength(28);
  await part("year").selectOptions("2004");
  await expect.poll(() => offered("day")).toHaveLength(29);
  // The last year is followed by the earlier ones, and the first of those by the later ones.
  expect(offered("year").at(0)).toBe("2019");
  await part("year").selectOptions(t("birth.earlier"));
  await expect.poll(() => offered("year").at(-1)).toBe("1926");
  await expectChoice("1979-2-28");
  await part("year").selectOptions(t("birth.later"));
  await expectChoice("1980-2-28");
  await part("year").selectOptions(t("birth.earlier"));
  await part("year").selectOptions("1960");
  await expect.element(profile().getByText("February 28, 1960")).toBeVisible();
  expect(server.asked("userUpdate")).toEqual([]);
  // Closing the dialog leaves the user signed in; Start opens it again.
  await profile()
    .getByRole("button", { name: t("common.close") })
    .click();
  await expect.element(button(t("home.account"))).toBeVisible();
  await button(t("home.start")).click();
  await expect.element(profile()).toBeVisible();
});

test("[AGE-5] enables Next once the date was set or confirmed and a gender chosen, and says why before", async () => {
  const server = await openPage({ as: newcomer, answers: onboardingAnswers() });
  const isOpen = (open: boolean) => expect.poll(() => next().element().ariaDisabled).toBe(open ? null : "true");
  await isOpen(false);
  expect(
    profile()
      .getByRole("radio")
      .elements()
      .map((radio) => (radio as HTMLInputElement).checked),
  ).toEqual([false, false]);
  await expect.element(profile().getByText(t("gender.choose"))).not.toBeInTheDocument();
  (next().element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(profile().getByText(t("birth.choose"))).toBeVisible();
  await expect.element(profile().getByText(t("gender.choose"))).toBeVisible();
  await woman().click();
  await expect.element(profile().getByText(t("gender.choose"))).not.toBeInTheDocument();
  await isOpen(false);
  await expect.element(mine()).toHaveAccessibleDescription("October 28, 2006 That makes you 20.");
  await mine().click();
  await isOpen(true);
  await mine().click();
  await isOpen(false);
  await part("day").selectOptions("27");
  await expect.element(mine()).toBeChecked();
  await isOpen(true);
  // Another range of years moves the date, so that the confirmation is needed again.
  await part("year").selectOptions(t("birth.earlier"));
  await isOpen(false);
  await part("year").selectOptions("1971");
  expect(server.asked("userUpdate")).toEqual([]);
  await next().click();
  await expect.element(profile()).not.toBeInTheDocument();
  expect(server.asked("userUpdate")).toMatchObject([{ birth_year: 1971, birthday: "1971-10-27", sex: 2 }]);
});

test("asks only for the missing one of the two", async () => {
  const person = { ...newcomer, birthday: "2006-10-28", birth_year: 2006 };
  const server = await openPage({ as: person, answers: onboardingAnswers(person) });
  await expect.element(profile().getByRole("heading")).toHaveFocus();
  expect(part("year").elements()).toEqual([]);
  await woman().click();
  await next().click();
  await expect.element(profile()).not.toBeInTheDocument();
  const [asked] = server.asked("userUpdate");
  expect(asked).toMatchObject({ sex: 2 });
  expect(asked).not.toHaveProperty("birthday");
});

test("does not ask for what another page has stored first, but for the rest", async () => {
  const elsewhere = { ...newcomer, birthday: "2001-01-01", birth_year: 2001 };
  let known = newcomer;
  await openPage({
    as: newcomer,
    answers: {
      myInfo: () => known,
      userUpdate: ({ birthday, sex = known.sex }) => {
        if (birthday !== undefined) {
          known = elsewhere;
          return new Refusal(codes.forbidden, { reason: "already_set", field: "birthday" });
        }
        known = { ...known, sex, profile_complete: true };
        return known;
      },
    },
  });
  await mine().click();
  await woman().click();
  await next().click();
  await expect.poll(() => part("year").elements()).toEqual([]);
  await next().click();
  await expect.element(profile()).not.toBeInTheDocument();
  expect(known).toMatchObject({ birthday: "2001-01-01", sex: 2 });
});

test("covers the page with the current step while it takes long", async () => {
  const { userUpdate } = onboardingAnswers();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await openPage({
    as: newcomer,
    answers: {
      userUpdate: async (input) => {
        await held;
        if (typeof userUpdate !== "function") throw new Error("userUpdate must be a function of the request");
        return userUpdate(input);
      },
    },
  });
  await mine().click();
  await woman().click();
  await next().click();
  await expect.poll(() => document.querySelector("dialog[open] output")?.textContent).toBe(t("birth.saving"));
  expect(document.querySelector("dialog[open]:modal")).not.toBeNull();
  release();
  await expect.element(profile()).not.toBeInTheDocument();
  expect(document.querySelector("dialog[open] output")).toBeNull();
});

test("[AGE-6, AGE-7] tells a minor the date of the next try, also on Start", async () => {
  await openPage({ as: newcomer, answers: underAgeAnswers() });
  await part("year").selectOptions("2015");
  await woman().click();
  await next().click();
  await expect.element(refusal().getByText("October 28, 2033")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(refusal()).toBeVisible();
  await refusal()
    .getByRole("button", { name: t("common.ok") })
    .click();
  await expect.element(refusal()).not.toBeInTheDocument();
  await button(t("home.start")).click();
  await expect.element(refusal().getByText("October 28, 2033")).toBeVisible();
  await refusal()
    .getByRole("button", { name: t("login.contact") })
    .click();
  await expect.element(page.getByRole("dialog", { name: t("login.contact") })).toBeVisible();
});

test("[AGE-7] refuses a user refused before at once, without questions", async () => {
  await openPage({ as: underAge });
  await expect.element(refusal().getByText("October 28, 2033")).toBeVisible();
  await expect.element(profile()).not.toBeInTheDocument();
  await refusal()
    .getByRole("button", { name: t("common.ok") })
    .click();
  await expect.element(refusal()).not.toBeInTheDocument();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
});
