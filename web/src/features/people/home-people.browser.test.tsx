import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { SocialEvent } from "@fava/wire/messages.ts";
import type { Person } from "@fava/wire/people.ts";
import { ringMs } from "@fava/wire/limits.ts";
import { t } from "#lib/i18n.ts";
import { readStored } from "#lib/storage.ts";
import type { Answers, FixtureWorld } from "#testing/fixture-world.ts";
import { ana, personOf } from "#testing/fixtures.ts";
import { openPage, phone } from "#testing/open-page.tsx";
import { startOf } from "#testing/page-steps.ts";
import { newcomer, onboardingAnswers } from "#testing/onboarding-fixtures.ts";
import { nobodyAnswers, relationAnswers } from "#testing/people-fixtures.ts";

const hourMs = 3_600_000;
const bo = personOf("Bo", { followStatus: 2, presence: "online" });
const noor = personOf("Noor", { followStatus: 2, presence: "offline" });
const dov = personOf("Dov");
const eli = personOf("Eli");

const people = () => page.getByRole("region", { name: t("people.home") });
const faces = () => people().getByRole("listitem").getByRole("button");
const names = () =>
  faces()
    .elements()
    .map((face) => face.getAttribute("aria-label"));
const until = () => Date.now() + 5 * hourMs;

function told({ user_id: userId, externalId, nickname, avatar }: Person, state: "both" | "waiting"): SocialEvent {
  return { kind: "meet", userId, externalId, nickname, avatar, state };
}

async function openHome(answers: Answers) {
  return openPage({
    as: ana,
    stored: { neverShowRule: "1" },
    answers: { ...nobodyAnswers, ...relationAnswers(), ...answers },
  });
}

/** The page has its chat session, over which news arrive. */
async function socketOpened(server: FixtureWorld): Promise<void> {
  await expect.poll(() => server.hasSocket && server.socket.heard("hello").length).toBe(1);
}

test("shows a member without people only the invitation", async () => {
  const server = await openHome({});
  await expect.poll(() => server.asked("homePeople")[0]).toMatchObject({ user_id: ana.user_id });
  await expect.element(page.getByRole("button", { name: t("home.start") })).toBeVisible();
  await expect.poll(() => readStored("homePeople")).toBe(0);
  await expect.element(page.getByRole("button", { name: t("invite.title") })).toBeVisible();
  expect(people().query()).toBeNull();
});

test("shows each person once: a card for a mutual wish, missed calls, other wishes, friends online", async () => {
  await openHome({
    homePeople: {
      meets: [
        { person: dov, until: until() },
        { person: eli, until: until() },
        { person: bo, until: until() },
      ],
      missed: [noor],
      friends: [bo],
    },
    ring: { state: "ringing", id: "ring-1", until: Date.now() + ringMs },
  });
  await expect.element(people().getByRole("button", { name: startOf("people.both") })).toHaveAccessibleName(/Dov/);
  expect(names()).toEqual([
    t("people.missedName", { name: "Noor" }),
    t("people.bothName", { name: "Eli" }),
    t("people.bothName", { name: "Bo" }),
    t("invite.title"),
  ]);
  expect(readStored("homePeople")).toBe(1);
});

test("starts the search for the person of the card, who waits", async () => {
  const server = await openHome({
    homePeople: {
      meets: [
        { person: eli, until: until() },
        { person: dov, until: until() },
      ],
      missed: [],
      friends: [],
    },
  });
  await expect.element(people().getByRole("button", { name: startOf("people.both") })).toHaveAccessibleName(/Eli/);
  await socketOpened(server);
  server.socket.social(told(dov, "waiting"));
  const join = people().getByRole("button", { name: startOf("people.waits") });
  await expect.element(join).toHaveAccessibleName(/Dov/);
  await join.click();
  await expect.poll(() => server.asked("matchStart")[0]).toMatchObject({ with_user_id: dov.user_id });
});

test("calls a friend, and calls back, by the keyboard", async () => {
  const server = await openHome({
    homePeople: { meets: [], missed: [noor], friends: [bo] },
    ring: { state: "ringing", id: "ring-1", until: Date.now() + ringMs },
    ringCancel: {},
  });
  await expect.element(faces().first()).toHaveAccessibleName(t("people.missedName", { name: "Noor" }));
  (faces().first().element() as HTMLElement).focus();
  await userEvent.tab();
  expect(document.activeElement).toHaveAccessibleName(t("ring.callName", { name: "Bo" }));
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => server.asked("ring")).toMatchObject([{ other_id: bo.user_id }]);
});

test("follows friends who come and go, new wishes and blocks", async () => {
  const server = await openHome({ homePeople: { meets: [], missed: [], friends: [bo] } });
  await socketOpened(server);
  await expect.element(faces().first()).toBeVisible();
  server.socket.say({ type: "presence", externalId: bo.externalId, presence: "offline" });
  await expect.element(people()).not.toBeInTheDocument();
  server.socket.say({ type: "presence", externalId: bo.externalId, presence: "online" });
  await expect.element(faces().first()).toHaveAccessibleName(t("ring.callName", { name: "Bo" }));
  server.answer({
    homePeople: {
      meets: [{ person: dov, until: until() }],
      missed: [],
      friends: [{ ...noor, presence: "online" }, bo],
    },
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  server.socket.say({ type: "presence", externalId: noor.externalId, presence: "online" });
  server.socket.social(told(dov, "both"));
  await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
  vi.advanceTimersByTime(5_000);
  await expect.element(people().getByRole("button", { name: startOf("people.both") })).toHaveAccessibleName(/Dov/);
  expect(server.asked("homePeople")).toHaveLength(2);
  expect(names()).toHaveLength(3);
  server.socket.social({ kind: "hidden", userId: dov.user_id, externalId: dov.externalId, unread_total: 0 });
  await expect.element(people().getByRole("button", { name: startOf("people.both") })).not.toBeInTheDocument();
});

test("scrolls sideways within the width of a phone", async () => {
  const many = Array.from({ length: 12 }, (_, at) =>
    personOf(`Friend ${at} of the long name`, { followStatus: 2, presence: "online" }),
  );
  await openPage({ as: ana, window: phone, answers: { homePeople: { meets: [], missed: [], friends: many } } });
  await expect.element(faces().first()).toBeVisible();
  expect(faces().elements()).toHaveLength(13);
  expect(document.documentElement.scrollWidth).toBe(innerWidth);
});

test("asks for nobody before the profile is complete", async () => {
  const server = await openPage({ as: newcomer, answers: onboardingAnswers() });
  await expect.element(page.getByRole("dialog", { name: t("complete.title") })).toBeVisible();
  expect(server.asked("homePeople")).toEqual([]);
});
