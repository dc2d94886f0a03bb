import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { notificationKinds } from "@fava/wire/notifications.ts";
import { spokenLanguages } from "@fava/wire/talk.ts";
import { formatSoon } from "#lib/format-date.ts";
import { t } from "#lib/i18n.ts";
import { readStored } from "#lib/storage.ts";
import { type Answers, Refusal } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { expectToast } from "#testing/page-steps.ts";
import { fakePush, pushKey } from "#testing/push-browser.ts";

const hourMs = 3_600_000;
const portuguese = spokenLanguages.indexOf("pt");
const startsAtMs = Date.now() + 5 * hourMs;
const kind = notificationKinds.indexOf("hour");

const card = () => page.getByRole("region", { name: t("hour.of", { topic: "Portuguese" }) });
const reminder = () => card().getByRole("button", { name: t("hour.remind") });
const question = () => page.getByRole("dialog", { name: t("notify.hourAsk") });

/** Ana's home with one hour; the server stores her reminder. */
async function openHome(startMs = startsAtMs, answers: Answers = {}) {
  let reminds: 0 | 1 = 0;
  const hour = { id: 7, language: portuguese, interest: null, starts_at: startMs, ends_at: startMs + hourMs };
  return openPage({
    as: ana,
    answers: {
      pushInfo: { key: pushKey, choice: null },
      pushAdd: ({ kinds, names, quiet, offset_min }) => ({ kinds, names, quiet, offset_min }),
      hourList: () => ({ rows: [{ ...hour, reminds }] }),
      hourRemind: ({ on }) => {
        reminds = on;
        return {};
      },
      ...answers,
    },
  });
}

test("announces the next hour, and reminds of it after our own question and the browser's", async () => {
  const fake = fakePush({ permission: "default" });
  const server = await openHome();
  await expect.element(card()).toHaveTextContent(formatSoon(startsAtMs));
  await reminder().click();
  expect([fake.asked(), server.asked("hourRemind")]).toEqual([0, []]);
  await question()
    .getByRole("button", { name: t("notify.turnOn") })
    .click();
  await expect.element(reminder()).toHaveAttribute("aria-pressed", "true");
  expect(server.asked("pushAdd")).toMatchObject([{ kinds: [kind] }]);
  await reminder().click();
  await expect.element(reminder()).toHaveAttribute("aria-pressed", "false");
  expect(server.asked("hourRemind")).toMatchObject([
    { id: 7, on: 1 },
    { id: 7, on: 0 },
  ]);
});

test("offers no reminder for 30 days after 'not now'", async () => {
  fakePush({ permission: "default" });
  await openHome();
  await reminder().click();
  await question()
    .getByRole("button", { name: t("notify.later") })
    .click();
  await expect.element(reminder()).not.toBeInTheDocument();
  expect(readStored("hoursDeclined")).not.toBeNull();
});

test("shows a running hour with its end, and none that is over", async () => {
  fakePush({ permission: "granted" });
  const startMs = Date.now() - hourMs / 2;
  await openHome(startMs);
  await expect.element(card()).toHaveTextContent(t("hour.now", { time: formatSoon(startMs + hourMs) }));
  expect(reminder().query()).toBeNull();
});

test("says that a reminder failed, which can be pressed again", async () => {
  fakePush({ permission: "granted" });
  const server = await openHome(startsAtMs, { hourRemind: new Refusal(codes.slowDown, { retry_after: 60 }) });
  await reminder().click();
  await question()
    .getByRole("button", { name: t("notify.turnOn") })
    .click();
  await expectToast(t("notify.failed"));
  await expect.element(reminder()).toHaveAttribute("aria-pressed", "false");
  expect(server.asked("hourRemind")).toHaveLength(1);
});
