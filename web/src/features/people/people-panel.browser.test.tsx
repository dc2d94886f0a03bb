import { expect, test } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { formatDate } from "#lib/format-date.ts";
import { t } from "#lib/i18n.ts";
import { type Answers, Refusal, silence } from "#testing/fixture-world.ts";
import { ana, personOf } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { expectToast, startOf } from "#testing/page-steps.ts";
import {
  apartRow,
  blockedRow,
  nobodyAnswers,
  peoplePage,
  recentRow,
  relationAnswers,
} from "#testing/people-fixtures.ts";
import { chooseAboutRecent, followButton, openPeoplePanel, peopleTab, rowOf } from "#testing/people-steps.ts";

const vera = personOf("Vera");
const quin = personOf("Quin", { followStatus: 1, likeStatus: 1 });

const button = (place: Locator, name: string) => place.getByRole("button", { name, exact: true });

/** Opens Ana's panel with no people but those of `answers`. */
async function openPanel(answers: Answers) {
  const server = await openPage({ as: ana, answers: { ...nobodyAnswers, ...relationAnswers(["Quin"]), ...answers } });
  return { server, panel: await openPeoplePanel() };
}

test("moves between lists by arrow keys, around the ends, with one Tab stop and the count of each", async () => {
  const { panel } = await openPanel({
    followList: peoplePage([quin], { total: 1_018, next: "more" }),
    fansList: peoplePage([vera]),
    likeList: peoplePage([quin]),
  });
  await expect.element(peopleTab("following")).toHaveTextContent("1,018");
  await expect.element(peopleTab("fans")).toHaveTextContent("1");
  await expect.element(peopleTab("friends")).toHaveTextContent("0");
  await peopleTab("following").click();
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(peopleTab("fans")).toHaveFocus();
  await expect.element(rowOf(panel, "Vera")).toBeVisible();
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(peopleTab("likes")).toHaveAttribute("aria-selected", "true");
  await expect.element(rowOf(panel, "Quin")).toBeVisible();
  await userEvent.keyboard("{End}");
  await expect.element(peopleTab("blocked")).toHaveFocus();
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(peopleTab("recent")).toHaveFocus();
  const stops = [...document.querySelectorAll<HTMLElement>('[role="tab"]')].filter(({ tabIndex }) => tabIndex === 0);
  expect(stops).toHaveLength(1);
});

test("updates every list and count after an action of either user", async () => {
  const fan = { ...quin, followStatus: 0 } as const;
  const { server, panel } = await openPanel({ fansList: peoplePage([fan]), likeList: peoplePage([fan]) });
  await peopleTab("fans").click();
  server.answer({ friendList: peoplePage([{ ...quin, followStatus: 2, presence: "online" }]) });
  await followButton(rowOf(panel, "Quin"), "people.followBack").click();
  await expect.element(followButton(rowOf(panel, "Quin"), "people.friends")).toHaveAttribute("aria-pressed", "true");
  expect(server.asked("follow")).toMatchObject([{ followUserId: quin.user_id, on: 1 }]);

  await peopleTab("likes").click();
  await button(rowOf(panel, "Quin"), t("people.likeName", { name: "Quin" })).click();
  await expect.element(peopleTab("likes")).toHaveTextContent("0");
  await expect
    .element(button(rowOf(panel, "Quin"), t("people.likeName", { name: "Quin" })))
    .toHaveAttribute("aria-pressed", "false");

  // Quin follows Ana too, and later unfollows her.
  const relation = { kind: "relation", userId: quin.user_id, externalId: quin.externalId, likeStatus: 0 } as const;
  server.socket.social({ ...relation, followStatus: 2, isContact: true, presence: "online" });
  await expect.element(peopleTab("friends")).toHaveTextContent("1");
  await peopleTab("friends").click();
  await expect.element(rowOf(panel, "Quin").getByText(t("people.online"), { exact: true })).toBeInTheDocument();
  server.socket.social({ ...relation, followStatus: 1, isContact: false, presence: null });
  await expect.element(followButton(rowOf(panel, "Quin"), "people.following")).toBeVisible();
  await expect.element(peopleTab("friends")).toHaveTextContent("0");
  await expect.element(rowOf(panel, "Quin").getByText(t("people.online"), { exact: true })).not.toBeInTheDocument();
});

test("blocks a recent partner at once, with an undo", async () => {
  const { server, panel } = await openPanel({ recentList: { rows: [recentRow(vera, Date.now())], next: null } });
  const row = rowOf(panel, "Vera");
  await expect.element(row).toHaveTextContent("1 hr. ago");
  await expect.element(row).toHaveTextContent("4 min together");
  await expect.element(row).toHaveTextContent("22 hr left");
  await chooseAboutRecent(panel, "Vera", "people.blockName");
  await expect.element(row).not.toBeInTheDocument();
  expect(server.asked("block")).toMatchObject([{ other_id: vera.user_id }]);
  await page.getByText(t("people.undo"), { exact: true }).click();
  await expectToast(t("people.unblockedToast", { name: "Vera" }));
  expect(server.asked("unblock")).toMatchObject([{ other_id: vera.user_id }]);
  await expect.element(row).toBeVisible();
});

test("opens the menu of the last recent partner inside the dialog", async () => {
  const rows = Array.from({ length: 7 }, (_, at) => recentRow(personOf(`Person ${at}`), Date.now()));
  const { panel } = await openPanel({ recentList: { rows, next: null } });
  await rowOf(panel, "Person 6")
    .getByRole("button", { name: t("msg.menu", { name: "Person 6" }) })
    .click();
  const [dialog, menu] = [panel, page.getByRole("menu")].map((one) => one.element());
  expect(menu!.getBoundingClientRect().bottom).toBeLessThanOrEqual(dialog!.getBoundingClientRect().bottom);
  expect(dialog!.scrollHeight).toBe(dialog!.clientHeight);
});

test("does not match a recent partner for 90 days, which the row shows and its menu undoes", async () => {
  const row = recentRow(vera, Date.now(), { meet: "asked" });
  const { server, panel } = await openPanel({
    recentList: { rows: [row], next: null },
  });
  await chooseAboutRecent(panel, "Vera", "people.apartName");
  const day = formatDate(Date.now() + 90 * 86_400_000);
  await expect.element(rowOf(panel, "Vera")).toHaveTextContent(t("people.apartUntil", { day }));
  await expectToast(t("people.apartToast", { name: "Vera", day }));
  // "Not again" ends the wish to meet again, and disables it until "Not again" is undone.
  const meet = rowOf(panel, "Vera").getByRole("button", { name: startOf("people.meet") });
  await expect.element(meet).toHaveAttribute("aria-disabled", "true");
  meet.element().dispatchEvent(new MouseEvent("click", { bubbles: true }));
  expect(server.asked("meetAgain")).toEqual([]);
  await page.getByText(t("people.undo"), { exact: true }).last().click();
  await expectToast(t("people.apartOver", { name: "Vera" }));
  await expect.element(rowOf(panel, "Vera")).toHaveTextContent("4 min together");
  expect(server.asked("apart")).toMatchObject([1, 0].map((on) => ({ other_id: vera.user_id, on })));

  server.answer({ apart: new Refusal(codes.refused, { reason: "too_many" }) });
  await chooseAboutRecent(panel, "Vera", "people.apartName");
  await expect.element(page.getByRole("alertdialog").getByText(t("refused.too_many"))).toBeVisible();
  await page.getByRole("button", { name: t("common.ok") }).click();
  await expect.element(rowOf(panel, "Vera")).toHaveTextContent("4 min together");
});

test("lists unwanted matches below the blocked people, with their end and an undo", async () => {
  const until = Date.now() + 40 * 86_400_000;
  const { server, panel } = await openPanel({ apartList: { rows: [apartRow(vera, until)], next: null } });
  await peopleTab("blocked").click();
  const apart = panel.getByRole("region", { name: t("people.apart") });
  await expect.element(apart.getByText(t("people.apartIntro"))).toBeVisible();
  const row = apart.getByRole("listitem");
  await expect.element(row).toHaveTextContent(t("people.apartUntil", { day: formatDate(until) }));
  await row.getByRole("button", { name: startOf("people.apartTakeBack") }).click();
  await expect.element(row.getByRole("button", { name: startOf("people.apartTakenBack") })).toBeVisible();
  await expectToast(t("people.apartOver", { name: "Vera" }));
  expect(server.asked("apart")).toMatchObject([{ other_id: vera.user_id, on: 0 }]);
});

test("explains blocking in the list of blocked people, and unblocks", async () => {
  const { server, panel } = await openPanel({
    blockList: { rows: [blockedRow(vera, Date.UTC(2026, 9, 5))], next: null },
  });
  await peopleTab("blocked").click();
  await expect.element(panel.getByText(t("people.blockedIntro"))).toBeVisible();
  const row = panel.getByRole("listitem").filter({ hasText: "Vera" });
  await expect.element(row).toHaveTextContent("Blocked October 5, 2026");
  await row.getByRole("button", { name: startOf("people.unblock") }).click();
  await expect.element(row.getByRole("button", { name: startOf("people.unblocked") })).toBeVisible();
  await expectToast(t("people.unblockedToast", { name: "Vera" }));
  expect(server.asked("unblock")).toMatchObject([{ other_id: vera.user_id }]);
  // Unblocking does not restore the follow.
  server.answer({ recentList: { rows: [recentRow(vera, Date.now())], next: null } });
  await peopleTab("recent").click();
  await expect.element(rowOf(panel, "Vera")).toBeVisible();
});

test("loads a list page by page, and retries a failed page", async () => {
  let isSilent = true;
  const { panel } = await openPanel({
    followList: ({ cursor }) => {
      if (cursor === undefined) return peoplePage([quin], { total: 2, next: "second" });
      // A person who is on both pages is shown once.
      return isSilent ? silence : peoplePage([quin, vera], { total: 2 });
    },
  });
  await peopleTab("following").click();
  const more = button(panel, t("people.more"));
  await more.click();
  await expect.element(panel.getByRole("alert")).toHaveTextContent(t("people.notLoaded"));
  await expect.element(rowOf(panel, "Quin")).toBeVisible();
  isSilent = false;
  await more.click();
  await expect.element(rowOf(panel, "Vera")).toBeVisible();
  await expect.element(rowOf(panel, "Quin")).toBeVisible();
  await expect.element(more).not.toBeInTheDocument();
});
