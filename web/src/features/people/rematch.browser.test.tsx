import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
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

/** What the server tells of a wish to meet Dov again. */
function told(state: "both" | "waiting" | "over"): SocialEvent {
  return { kind: "meet", userId, externalId, nickname, avatar, state };
}

/** The recent people of Ana, who has met Dov alone. */
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

test("“meet again” is asked in secret, is green once both want to, and waits for that one person", async () => {
  const { server, row } = await openRecent("none");
  await row.getByRole("button", { name: startOf("people.meet") }).click();
  const asked = row.getByRole("button", { name: startOf("people.asked") });
  await expect.element(asked).toHaveAttribute("aria-pressed", "true");
  // It can be taken back, and asked anew.
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

test("that the other waits is told with a button that starts the call, and stands in the list", async () => {
  const { server, row } = await openRecent("both");
  server.socket.social(told("waiting"));
  await expect.element(row.getByRole("button", { name: startOf("people.waits") })).toBeVisible();
  await expectToast(t("people.waitingToast", { name: "Dov" }));
  // Over the dialog as well.
  await toasts().getByText(t("people.start"), { exact: true }).click();
  await expect.element(waiting()).toBeVisible();
  await expect.poll(() => server.asked("matchStart")[0]).toMatchObject({ with_user_id: userId });
});

test("whoever was here a moment ago is not met again for 90 days after one press, and that can be undone", async () => {
  const { server, roomId } = await openCall({
    answers: { ...relationAnswers(), recentList: { rows: [], next: null } },
  });
  // Searching on offers to widen after a while, in the place of what can be done about the last one.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  server.socket.push({ code: pushCodes.otherLeft, roomId, reason: "left" });
  const apart = page.getByRole("button", { name: startOf("people.apart") });
  await expect.element(apart).toHaveAttribute("aria-pressed", "false");
  await apart.click();
  await expect.element(apart).toHaveAttribute("aria-pressed", "true");
  const meet = page.getByRole("button", { name: startOf("people.meet") });
  await expect.element(meet).toHaveAttribute("aria-disabled", "true");
  meet.element().dispatchEvent(new MouseEvent("click", { bubbles: true }));
  await expectToast(t("people.apartToast", { name: "Bo", day: formatDate(Date.now() + 90 * 86_400_000) }));
  await apart.click();
  await expectToast(t("people.apartOver", { name: "Bo" }));
  await expect.element(apart).toHaveAttribute("aria-pressed", "false");
  await expect.element(meet).not.toHaveAttribute("aria-disabled");
  expect(server.asked("apart")).toMatchObject([{ on: 1 }, { on: 0 }]);
});

test("whoever waits for somebody who changes their mind is told and is at home", async () => {
  const { server, row } = await openRecent("both");
  await row.getByRole("button", { name: startOf("people.both") }).click();
  await expect.element(waiting()).toBeVisible();
  await expect.poll(() => searchesBegun(server)).toBe(1);
  server.socket.social(told("over"));
  await expectToast(t("search.meetOver"));
  await expectHome();
  // One's own wish is left.
  server.answer({ recentList: { rows: [recentRow(dov, Date.now(), { meet: "asked" })], next: null } });
  const panel = await openPeoplePanel();
  await peopleTab("recent").click();
  await expect
    .element(rowOf(panel, "Dov").getByRole("button", { name: startOf("people.asked") }))
    .toHaveAttribute("aria-pressed", "true");
});

test("whoever waits for somebody who blocks them is told the same, and is at home", async () => {
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
