import { expect, type Page } from "@playwright/test";
import { pushCodes } from "@fava/wire/pushes.ts";
import { framesOf } from "../../support/frames.ts";
import { befriend } from "../../support/friends.ts";
import { openMenu, panel, startThread } from "../../support/messages-panel.ts";
import {
  expectCallState,
  expectHome,
  expectLeftBy,
  expectTogether,
  meet,
  startChat,
  test,
  toasts,
} from "../../support/people.ts";
import { followButton, openPeoplePanel, peopleTab, rowOf, startOf } from "../../support/people-panel.ts";
import { words } from "../../support/words.ts";

/** By the button, because Escape would close a toast first. */
async function endCall(...pages: readonly Page[]): Promise<void> {
  for (const page of pages) {
    const stop = page.getByRole("button", { name: words("search.stop") });
    await page
      .getByRole("button", { name: words("call.end") })
      .or(stop)
      .click();
  }
  for (const page of pages) await expectHome(page);
}

test(
  "shows follow and like of the call in all lists, and connects two users who want to meet again",
  { tag: "@deep" },
  async ({ person }) => {
    const [pia, quin] = await Promise.all([person({ name: "Pia" }), person({ name: "Quin" })]);
    await meet(pia, quin);
    await followButton(pia, "follow").click();
    await expect(followButton(pia, "following")).toHaveAttribute("aria-pressed", "true");
    await followButton(quin, "follow").click();
    await expect(followButton(quin, "friends")).toBeVisible();
    await expect(followButton(pia, "friends")).toBeVisible();
    const like = pia.getByRole("button", { name: words("people.likeName", { name: "Quin" }) });
    await like.click();
    await expect(like).toHaveAttribute("aria-pressed", "true");
    await endCall(pia, quin);

    const hers = await openPeoplePanel(pia);
    await expect(peopleTab(pia, "following")).toContainText("1");
    await peopleTab(pia, "fans").click();
    await expect(rowOf(hers, "Quin")).toBeVisible();
    await peopleTab(pia, "likes").click();
    await rowOf(hers, "Quin")
      .getByRole("button", { name: words("people.likeName", { name: "Quin" }) })
      .click();
    await expect(peopleTab(pia, "likes")).toContainText("0");

    // The followed user receives the event while their panel is open.
    const his = await openPeoplePanel(quin);
    await peopleTab(quin, "friends").click();
    await expect(rowOf(his, "Pia")).toBeVisible();
    await peopleTab(pia, "friends").click();
    await followButton(rowOf(hers, "Quin"), "friends").click();
    await expect(followButton(rowOf(his, "Pia"), "following")).toBeVisible();
    await expect(peopleTab(quin, "friends")).toContainText("0");

    for (const page of [pia, quin]) {
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
    }
    await befriend(pia, quin);
    await openPeoplePanel(pia);
    await peopleTab(pia, "recent").click();
    await rowOf(hers, "Quin")
      .getByRole("button", { name: startOf("people.meet") })
      .click();
    await expect(rowOf(hers, "Quin").getByRole("button", { name: startOf("people.asked") })).toBeVisible();
    // Secret until both have pressed it.
    await startThread(quin, "Pia");
    const thread = (key: string) => panel(quin).getByRole("button", { name: startOf(key) });
    await expect(thread("people.both")).toBeHidden();
    await openMenu(quin, "Pia");
    await quin.getByRole("menuitem", { name: words("people.meet") }).click();
    await expect(thread("people.both")).toBeVisible();
    await expect(toasts(pia).getByText(words("people.bothToast", { name: "Quin" }))).toBeVisible();
    await rowOf(hers, "Quin")
      .getByRole("button", { name: startOf("people.both") })
      .click();
    await expect(pia.getByRole("heading", { name: words("search.waitingFor", { name: "Quin" }) })).toBeVisible();
    await expect(toasts(quin).getByText(words("people.waitingToast", { name: "Pia" }))).toBeVisible();
    await thread("people.waits").click();
    await expectTogether(pia, quin);
    await quin.getByRole("button", { name: words("call.end") }).click();
    await expectHome(quin);
    // A fulfilled wish is gone.
    await startThread(quin, "Pia");
    await openMenu(quin, "Pia");
    await expect(quin.getByRole("menuitem", { name: words("people.meet") })).toBeVisible();
  },
);

test("ends the call at once on a block, and hides the two from each other", async ({ person }) => {
  const [rosa, said] = await Promise.all([person({ name: "Rosa" }), person({ name: "Said" })]);
  await meet(rosa, said);
  await rosa.getByRole("button", { name: words("people.blockName", { name: "Said" }) }).click();
  await expectCallState(rosa, "searching");
  await expect(toasts(rosa).getByText(words("people.blockedToast", { name: "Said" }))).toBeVisible();
  // The partner sees the same as after any other end.
  await expectLeftBy(said, "Rosa");
  // The only two who search are not matched again; a third user meets one of them.
  const tess = await person({ name: "Tess" });
  await startChat(tess);
  await expectCallState(tess, "in-call");
  const [hers = 0, his = 0] = [rosa, said].map((page) => framesOf(page).pushes(pushCodes.matched).length);
  expect(hers + his).toBe(3);
  await endCall(tess, rosa, said);

  for (const [page, other] of [
    [rosa, "Said"],
    [said, "Rosa"],
  ] as const) {
    const list = await openPeoplePanel(page);
    await peopleTab(page, "recent").click();
    await expect(list.getByText(words("people.recentIntro"))).toBeVisible();
    await expect(list.getByText(words("people.loading"))).toHaveCount(0);
    await expect(rowOf(list, other)).toHaveCount(0);
    await peopleTab(page, "following").click();
    await expect(list.getByText(words("people.empty.following"))).toBeVisible();
  }
  await peopleTab(rosa, "blocked").click();
  const row = rosa.getByRole("dialog").getByRole("listitem").filter({ hasText: "Said" });
  await row.getByRole("button", { name: startOf("people.unblock") }).click();
  await expect(row.getByRole("button", { name: startOf("people.unblocked") })).toBeVisible();
  await peopleTab(rosa, "recent").click();
  await expect(rowOf(rosa.getByRole("dialog"), "Said")).toBeVisible();
});
