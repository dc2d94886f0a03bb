import { expect, type Locator, type Page } from "@playwright/test";
import { codes } from "@fava/wire/codes.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import { framesOf } from "./support/frames.ts";
import { openPeoplePanel, peopleTab, rowOf, startOf } from "./support/people-panel.ts";
import {
  acceptRules,
  expectCallState,
  expectHome,
  expectLeftBy,
  expectTogether,
  expectToast,
  meet,
  startChat,
  test,
  toasts,
} from "./support/people.ts";
import { words } from "./support/words.ts";

async function endCall(...pages: readonly Page[]): Promise<void> {
  for (const page of pages) await page.keyboard.press("Escape");
  for (const page of pages) await expectHome(page);
}

function followButton(place: Page | Locator, key: "follow" | "followBack" | "following" | "friends"): Locator {
  return place.getByRole("button", { name: startOf(`people.${key}`) });
}

test("[PEOPLE-104] [PEOPLE-105] follow and like in the call are the same in the lists, and for both", async ({
  person,
}) => {
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

  const panel = await openPeoplePanel(pia);
  await expect(peopleTab(pia, "following")).toContainText("1");
  await peopleTab(pia, "following").focus();
  await pia.keyboard.press("ArrowRight");
  await expect(peopleTab(pia, "fans")).toBeFocused();
  await expect(rowOf(panel, "Quin")).toBeVisible();
  await pia.keyboard.press("ArrowRight");
  await pia.keyboard.press("ArrowRight");
  await expect(peopleTab(pia, "likes")).toHaveAttribute("aria-selected", "true");
  await rowOf(panel, "Quin")
    .getByRole("button", { name: words("people.likeName", { name: "Quin" }) })
    .click();
  await expect(peopleTab(pia, "likes")).toContainText("0");

  // The fan is told while the panel of the other is open.
  const theirs = await openPeoplePanel(quin);
  await peopleTab(quin, "friends").click();
  await expect(rowOf(theirs, "Pia")).toBeVisible();
  await peopleTab(pia, "friends").click();
  await followButton(rowOf(panel, "Quin"), "friends").click();
  await expect(followButton(rowOf(theirs, "Pia"), "following")).toBeVisible();
  await expect(peopleTab(quin, "friends")).toContainText("0");
});

test("[PEOPLE-103] [PEOPLE-113] a block during a call ends it at once, and the two are not there for each other", async ({
  person,
}) => {
  const [rosa, said] = await Promise.all([person({ name: "Rosa" }), person({ name: "Said" })]);
  await meet(rosa, said);
  await rosa.getByRole("button", { name: words("people.blockName", { name: "Said" }) }).click();
  await expectCallState(rosa, "searching");
  await expect(toasts(rosa).getByText(words("people.blockedToast", { name: "Said" }))).toBeVisible();
  // The other is told what anybody is told whose call has ended.
  await expectLeftBy(said, "Rosa");
  // The only two who search do not meet again; a third one meets one of them.
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
    const panel = await openPeoplePanel(page);
    await peopleTab(page, "recent").click();
    await expect(rowOf(panel, other)).toHaveCount(0);
    await peopleTab(page, "following").click();
    await expect(panel.getByText(words("people.empty.following"))).toBeVisible();
  }
  await peopleTab(rosa, "blocked").click();
  const row = rosa.getByRole("dialog").getByRole("listitem").filter({ hasText: "Said" });
  await row.getByRole("button", { name: startOf("people.unblock") }).click();
  await expect(row.getByRole("button", { name: startOf("people.unblocked") })).toBeVisible();
  await peopleTab(rosa, "recent").click();
  await expect(rowOf(rosa.getByRole("dialog"), "Said")).toBeVisible();
});

test("[PEOPLE-102] [PEOPLE-111] a late block from the recent people can be undone for a moment", async ({ person }) => {
  const [uli, vera] = await Promise.all([person({ name: "Uli" }), person({ name: "Vera" })]);
  await meet(uli, vera);
  await endCall(uli, vera);
  const panel = await openPeoplePanel(uli);
  await peopleTab(uli, "recent").click();
  const row = rowOf(panel, "Vera");
  await expect(row).toContainText("23 hr");
  await row.getByRole("button", { name: words("people.blockName", { name: "Vera" }) }).click();
  await expect(row).toHaveCount(0);
  await uli.getByRole("button", { name: words("people.undo") }).click();
  await expect(toasts(uli).getByText(words("people.unblockedToast", { name: "Vera" }))).toBeVisible();
  await expect(row).toBeVisible();
});

test("[PEOPLE-130] a report from the call needs a reason, is thanked for, and the call goes on", async ({ person }) => {
  const [wim, xena] = await Promise.all([person({ name: "Wim" }), person({ name: "Xena" })]);
  await meet(wim, xena);
  await wim.getByRole("button", { name: words("people.reportName", { name: "Xena" }) }).click();
  const sheet = wim.getByRole("dialog", { name: words("report.title") });
  await expect(sheet.getByRole("radio")).toHaveCount(8);
  // Off, but within reach of the keys, so that it can say what is missing.
  await sheet.getByRole("button", { name: words("report.send") }).press("Enter");
  await expect(sheet.getByText(words("report.choose"))).toBeVisible();
  await sheet.getByRole("radio", { name: startOf("reason.report.11") }).check();
  await sheet.getByRole("button", { name: words("report.send") }).click();
  await expectToast(wim, "report.sent");
  await expect(sheet).toBeHidden();
  await expectTogether(wim, xena);
});

test("[PEOPLE-120] [PEOPLE-121] search finds by nickname and number, and opens the profile", async ({ person }) => {
  const [yara, zoe] = await Promise.all([person({ name: "Yara" }), person({ name: "Zoe Quince" })]);
  await zoe.close();
  const panel = await openPeoplePanel(yara);
  await panel.getByRole("button", { name: words("find.title") }).click();
  const find = yara.getByRole("dialog", { name: words("find.title") });
  await find.getByRole("searchbox").fill("nobody has this name");
  await find.getByRole("searchbox").press("Enter");
  await expect(find.getByText(words("find.nobody"))).toBeVisible();
  await find.getByRole("searchbox").fill("zoe qu");
  await find.getByRole("button", { name: words("find.go") }).click();
  await rowOf(find, "Zoe Quince")
    .getByRole("button", { name: words("people.profileOf", { name: "Zoe Quince" }) })
    .click();
  const profile = yara.getByRole("dialog", { name: "Zoe Quince" });
  await followButton(profile, "follow").click();
  await expect(followButton(profile, "following")).toBeVisible();
  await expect(profile.getByText(words("other.noMessage"))).toBeVisible();
  const number = (await profile.getByText(/^No\. \d+/).textContent())?.replace(/\D/g, "") ?? "";
  await yara.keyboard.press("Escape");
  await expect(followButton(rowOf(find, "Zoe Quince"), "following")).toBeVisible();
  await find.getByRole("searchbox").fill(number);
  await find.getByRole("searchbox").press("Enter");
  await expect(rowOf(find, "Zoe Quince")).toBeVisible();
  await find.getByRole("radio", { name: words("find.men") }).check();
  await find.getByRole("button", { name: words("find.go") }).click();
  await expect(find.getByText(words("find.nobody"))).toBeVisible();
});

test("[PEOPLE-101] a refusal is told in a dialog, and what was shown is taken back", async ({ person }) => {
  const [abe, bea] = await Promise.all([person({ name: "Abe" }), person({ name: "Bea Quarto" })]);
  await bea.close();
  const panel = await openPeoplePanel(abe);
  await panel.getByRole("button", { name: words("find.title") }).click();
  const find = abe.getByRole("dialog", { name: words("find.title") });
  await find.getByRole("searchbox").fill("Bea Quarto");
  await find.getByRole("searchbox").press("Enter");
  await abe.route("**/api/user/follow", (route) =>
    route.fulfill({ json: { code: codes.refused, msg: "", data: { reason: "too_many" } } }),
  );
  await followButton(rowOf(find, "Bea Quarto"), "follow").click();
  const told = abe.getByRole("alertdialog", { name: words("refused.title") });
  await expect(told.getByText(words("refused.too_many"))).toBeVisible();
  await told.getByRole("button", { name: words("common.ok") }).click();
  await expect(followButton(rowOf(find, "Bea Quarto"), "follow")).toHaveAttribute("aria-pressed", "false");
});

test("[PEOPLE-112] [PEOPLE-114] [PEOPLE-115] both want to meet again, and do", async ({ person }) => {
  const [cleo, dov] = await Promise.all([person({ name: "Cleo" }), person({ name: "Dov" })]);
  await meet(cleo, dov);
  await endCall(cleo, dov);
  const hers = await openPeoplePanel(cleo);
  const his = await openPeoplePanel(dov);
  for (const page of [cleo, dov]) await peopleTab(page, "recent").click();
  await rowOf(hers, "Dov")
    .getByRole("button", { name: startOf("people.meet") })
    .click();
  await expect(rowOf(hers, "Dov").getByRole("button", { name: startOf("people.asked") })).toBeVisible();
  // Secret until both have pressed it, also where the list is read anew.
  await peopleTab(dov, "blocked").click();
  await peopleTab(dov, "recent").click();
  await rowOf(his, "Cleo")
    .getByRole("button", { name: startOf("people.meet") })
    .click();
  await expect(rowOf(his, "Cleo").getByRole("button", { name: startOf("people.both") })).toBeVisible();
  await expect(toasts(cleo).getByText(words("people.bothToast", { name: "Dov" }))).toBeVisible();
  await rowOf(hers, "Dov")
    .getByRole("button", { name: startOf("people.both") })
    .click();
  await acceptRules(cleo);
  await expect(cleo.getByRole("heading", { name: words("search.waitingFor", { name: "Dov" }) })).toBeVisible();
  const waiting = toasts(dov).filter({ has: dov.getByText(words("people.waitingToast", { name: "Cleo" })) });
  await waiting.getByRole("button", { name: words("people.start") }).click();
  await acceptRules(dov);
  await expectTogether(cleo, dov);
});
