import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { widenOfferMs } from "@fava/wire/limits.ts";
import type { SocialEvent } from "@fava/wire/messages.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import { formatDate } from "#lib/format-date.ts";
import { t } from "#lib/i18n.ts";
import { expectCallState, expectHome, openCall, searchesBegun } from "#testing/call-page.ts";
import type { Answers } from "#testing/fixture-world.ts";
import { ana, personOf } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { expectToast, startOf, toasts } from "#testing/page-steps.ts";
import { nobodyAnswers, recentRow, type RecentRow, relationAnswers } from "#testing/people-fixtures.ts";
import { openPeoplePanel, peopleTab, rowOf } from "#testing/people-steps.ts";

const dov = personOf("Dov");
const { user_id: userId, externalId, nickname, avatar } = dov;

/** The server's event about a wish to meet Dov again. */
function told(state: "both" | "waiting" | "over"): SocialEvent {
  return { kind: "meet", userId, externalId, nickname, avatar, state };
}

/** Opens Ana's recent people, with only Dov among them. */
async function openRecent(meet: RecentRow["meet"], answers: Answers = {}) {
  const server = await openPage({
    as: ana,
    stored: { neverShowRule: "1" },
    answers: {
      ...nobodyAnswers,
      recentList: { rows: [recentRow(dov, Date.now(), { meet })], next: null },
      meetAgain: ({ on }) => ({ meet: on === 1 ? "asked" : "none" }),
      ...answers,
    },
  });
  const panel = await openPeoplePanel();
  await peopleTab("recent").click();
  return { server, row: rowOf(panel, "Dov") };
}

const waiting = () => page.getByRole("heading", { name: t("search.waitingFor", { name: "Dov" }) });

test("sends “meet again” secretly, turns green once both want to, and searches for that one user", async () => {
  const { server, row } = await openRecent("none");
  await row.getByRole("button", { name: startOf("people.meet") }).click();
  const asked = row.getByRole("button", { name: startOf("people.asked") });
  await expect.element(asked).toHaveAttribute("aria-pressed", "true");
  // The user can withdraw the wish and send it again.
  await asked.click();
  await expect.element(row.getByRole("button", { name: startOf("people.meet") })).toBeVisible();
  await row.getByRole("button", { name: startOf("people.meet") }).click();
  await expect.element(asked).toBeVisible();
  expect(server.asked("meetAgain")).toMatchObject([1, 0, 1].map((on) => ({ other_id: userId, on })));
  await expect.element(row.getByRole("button", { name: startOf("people.both") })).not.toBeInTheDocument();

  server.socket.social(told("both"));
  await expectToast(t("people.bothToast", { name: "Dov" }));
  await row.getByRole("button", { name: startOf("people.both") }).click();
  await expect.element(waiting()).toBeVisible();
  await expectCallState("searching");
  await expect.poll(() => server.asked("matchStart")[0]).toMatchObject({ with_user_id: userId });
});

test("shows that the other user waits in the list and in a toast with a button that starts the call", async () => {
  const { server, row } = await openRecent("both");
  server.socket.social(told("waiting"));
  await expect.element(row.getByRole("button", { name: startOf("people.waits") })).toBeVisible();
  await expectToast(t("people.waitingToast", { name: "Dov" }));
  // The toast is above the dialog, so that its button can be pressed.
  await toasts().getByText(t("people.start"), { exact: true }).click();
  await expect.element(waiting()).toBeVisible();
  await expect.poll(() => server.asked("matchStart")[0]).toMatchObject({ with_user_id: userId });
});

test("does not match the previous partner for 90 days after one press, with an undo", async () => {
  let answerRecent = () => {};
  const recent = new Promise<{ rows: []; next: null }>((resolve) => {
    answerRecent = () => resolve({ rows: [], next: null });
  });
  const { server, roomId } = await openCall({ answers: { ...relationAnswers(), recentList: () => recent } });
  // After a while the running search offers wider filters in the place of the actions for the last partner.
  const setTimer = window.setTimeout.bind(window);
  vi.spyOn(window, "setTimeout").mockImplementation((run, ms, ...values) =>
    setTimer(run, ms === widenOfferMs ? 10 * widenOfferMs : ms, ...values),
  );
  server.socket.push({ code: pushCodes.otherLeft, roomId, reason: "left" });
  const apart = page.getByRole("button", { name: startOf("people.apart") });
  await expect.element(apart).toHaveAttribute("aria-pressed", "false");
  await apart.click();
  await expect.element(apart).toHaveAttribute("aria-pressed", "true");
  const meet = page.getByRole("button", { name: startOf("people.meet") });
  await expect.element(meet).toHaveAttribute("aria-disabled", "true");
  meet.element().dispatchEvent(new MouseEvent("click", { bubbles: true }));
  await expectToast(t("people.apartToast", { name: "Bo", day: formatDate(Date.now() + 90 * 86_400_000) }));
  // The response to a request before the press is older than the press.
  answerRecent();
  await new Promise((resolve) => setTimeout(resolve, 100));
  await expect.element(apart).toHaveAttribute("aria-pressed", "true");
  await apart.click();
  await expectToast(t("people.apartOver", { name: "Bo" }));
  await expect.element(apart).toHaveAttribute("aria-pressed", "false");
  await expect.element(meet).not.toHaveAttribute("aria-disabled");
  expect(server.asked("apart")).toMatchObject([{ on: 1 }, { on: 0 }]);
});

test("returns a waiting user to home with a message when the other one changes their mind", async () => {
  const { server, row } = await openRecent("both");
  await row.getByRole("button", { name: startOf("people.both") }).click();
  await expect.element(waiting()).toBeVisible();
  await expect.poll(() => searchesBegun(server)).toBe(1);
  server.socket.social(told("over"));
  await expectToast(t("search.meetOver"));
  await expectHome();
  // The user's own wish to meet again stays.
  server.answer({ recentList: { rows: [recentRow(dov, Date.now(), { meet: "asked" })], next: null } });
  const panel = await openPeoplePanel();
  await peopleTab("recent").click();
  await expect
    .element(rowOf(panel, "Dov").getByRole("button", { name: startOf("people.asked") }))
    .toHaveAttribute("aria-pressed", "true");
});

test("shows the same to a waiting user whom the other one blocks", async () => {
  const { server, row } = await openRecent("both");
  await row.getByRole("button", { name: startOf("people.both") }).click();
  await expect.element(waiting()).toBeVisible();
  await expect.poll(() => searchesBegun(server)).toBe(1);
  server.answer({ recentList: { rows: [], next: null } });
  server.socket.social({ kind: "hidden", userId, externalId, unread_total: 0 });
  await expectToast(t("search.meetOver"));
  await expectHome();
  await expect.poll(() => server.asked("matchStop").length).toBe(1);
  const panel = await openPeoplePanel();
  await peopleTab("recent").click();
  await expect.element(panel.getByText(t("people.empty.recent"))).toBeVisible();
});
