import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { newcomer, onboardingAnswers, underAge, underAgeAnswers } from "#testing/onboarding-fixtures.ts";
import { openPage } from "#testing/open-page.tsx";

const birthday = () => page.getByRole("dialog", { name: t("birth.title") });
const confirm = () => page.getByRole("alertdialog", { name: t("birth.check") });
const gender = () => page.getByRole("dialog", { name: t("gender.title") });
const refusal = () => page.getByRole("alertdialog", { name: t("age.title") });
const part = (name: "year" | "month" | "day") => birthday().getByLabelText(t(`birth.${name}`));
const next = () => page.getByRole("dialog").getByRole("button", { name: t("common.next") });
const button = (name: string) => page.getByRole("button", { name });

/** What a list offers, in its order. */
const offered = (name: "year" | "month" | "day") =>
  [...(part(name).element() as HTMLSelectElement).options].map(({ text }) => text);

/** `day` is written YYYY-M-D, as the three lists stand. */
async function expectChoice(day: string): Promise<void> {
  const [year, month, date] = day.split("-");
  await expect.element(part("year")).toHaveValue(year ?? "");
  await expect.element(part("month")).toHaveValue(month ?? "");
  await expect.element(part("day")).toHaveValue(date ?? "");
}

test("[AGE-4, AGE-5] the picker stands on 2006-10-28, asks once more, and Change it keeps the choice", async () => {
  const server = await openPage({ as: newcomer, answers: onboardingAnswers() });
  await expect.element(birthday().getByRole("heading")).toHaveFocus();
  await expectChoice("2006-10-28");
  // The day shrinks with the month and the leap year.
  await part("day").selectOptions("28");
  await part("month").selectOptions("1");
  await part("day").selectOptions("31");
  await part("month").selectOptions("2");
  await expectChoice("2006-2-28");
  expect(offered("day")).toHaveLength(28);
  await part("year").selectOptions("2004");
  await expect.poll(() => offered("day")).toHaveLength(29);
  // Earlier years take the list's place.
  expect(offered("year").at(0)).toBe("2019");
  await birthday()
    .getByRole("button", { name: t("birth.earlier") })
    .click();
  await expect.poll(() => offered("year").at(-1)).toBe("1926");
  await part("year").selectOptions("1960");

  await next().click();
  await expect.element(confirm().getByText("February 28, 1960")).toBeVisible();
  await expect.element(confirm().getByRole("heading")).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(confirm()).toBeVisible();
  await confirm()
    .getByRole("button", { name: t("birth.edit") })
    .click();
  await expectChoice("1960-2-28");
  expect(server.asked("userUpdate")).toEqual([]);
  // The cross leaves the person signed in; Start asks again.
  await birthday()
    .getByRole("button", { name: t("common.close") })
    .click();
  await expect.element(button(t("home.account"))).toBeVisible();
  await button(t("home.start")).click();
  await expect.element(birthday()).toBeVisible();
});

test("[AGE-8] no gender is chosen for the person, and Next says why it does nothing", async () => {
  const server = await openPage({ as: { ...newcomer, birthday: "2006-10-28", birth_year: 2006 } });
  await expect.element(gender().getByRole("heading")).toHaveFocus();
  expect(
    gender()
      .getByRole("radio")
      .elements()
      .map((radio) => (radio as HTMLInputElement).checked),
  ).toEqual([false, false]);
  await expect.element(next()).toHaveAttribute("aria-disabled", "true");
  await expect.element(gender().getByText(t("gender.choose"))).not.toBeInTheDocument();
  (next().element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(gender().getByText(t("gender.choose"))).toBeVisible();
  await expect.element(gender().getByText(t("gender.once"))).toBeVisible();
  expect(server.asked("userUpdate")).toEqual([]);
});

test("[UI-2] what takes longer covers the page with what is being done, until it is done", async () => {
  const { userUpdate } = onboardingAnswers();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await openPage({
    as: newcomer,
    answers: {
      userUpdate: async (input) => {
        await held;
        if (typeof userUpdate !== "function") throw new Error("a new person is known by what was asked");
        return userUpdate(input);
      },
    },
  });
  await next().click();
  await button(t("birth.yes")).click();
  await expect.poll(() => document.querySelector("dialog[open] output")?.textContent).toBe(t("birth.saving"));
  expect(document.querySelector("dialog[open]:modal")).not.toBeNull();
  release();
  await expect.element(gender()).toBeVisible();
  expect(document.querySelector("dialog[open] output")).toBeNull();
});

test("[AGE-6, AGE-7, ERR-10] who is under age reads from which day on, and Start says the same, not the question", async () => {
  await openPage({ as: newcomer, answers: underAgeAnswers() });
  await part("year").selectOptions("2015");
  await next().click();
  await button(t("birth.yes")).click();
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

test("[AGE-7, AGE-9] who was refused before is refused at once, and asked for nothing", async () => {
  await openPage({ as: underAge });
  await expect.element(refusal().getByText("October 28, 2033")).toBeVisible();
  await expect.element(birthday()).not.toBeInTheDocument();
  await refusal()
    .getByRole("button", { name: t("common.ok") })
    .click();
  await expect.element(refusal()).not.toBeInTheDocument();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
});
