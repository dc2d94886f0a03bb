import { expect, type Page } from "@playwright/test";
import { befriend, callAs, selfOf } from "./support/friends.ts";
import { openFromList, panel, row, startThread, write } from "./support/messages-panel.ts";
import { openPeoplePanel, peopleTab, rowOf, startOf } from "./support/people-panel.ts";
import { acceptRules, expectHome, expectToast, expectTogether, meet, test, toasts } from "./support/people.ts";
import { sentFields } from "./support/sent-fields.ts";
import { words } from "./support/words.ts";

// Two browsers sign in first, and some stories go through a call.
test.setTimeout(180_000);

const meetButton = (page: Page, key: string) => panel(page).getByRole("button", { name: startOf(key) });

/** Two friends who were in a call a moment ago. */
async function friendsWhoMet(one: Page, other: Page): Promise<void> {
  await meet(one, other);
  for (const page of [one, other]) await page.keyboard.press("Escape");
  for (const page of [one, other]) await expectHome(page);
  await befriend(one, other);
}

/** Something chosen in the menu of the open conversation. */
async function choose(page: Page, name: string, key: string): Promise<void> {
  await panel(page)
    .getByRole("button", { name: words("msg.menu", { name }) })
    .click();
  await page.getByRole("menuitem", { name: words(key) }).click();
}

async function bothWantToMeet(one: Page, other: Page): Promise<void> {
  const [mine, theirs] = await Promise.all([selfOf(one), selfOf(other)]);
  for (const [page, self, wanted] of [
    [one, mine, theirs],
    [other, theirs, mine],
  ] as const) {
    await callAs(page, "/api/recent/meet", { user_id: self.user_id, other_id: wanted.user_id, on: 1 });
  }
}

test("[MSG-81] two meet again from their conversation, once both want to", async ({ person }) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Again" }), person({ name: "Bo Again" })]);
  await friendsWhoMet(ana, bo);
  await startThread(ana, "Bo Again");
  await meetButton(ana, "people.meet").click();
  await expect(meetButton(ana, "people.asked")).toHaveAttribute("aria-pressed", "true");
  await startThread(bo, "Ana Again");
  await expect(meetButton(bo, "people.meet")).toHaveAttribute("aria-pressed", "false");
  await meetButton(bo, "people.meet").click();
  await expect(meetButton(bo, "people.both")).toBeVisible();
  await meetButton(ana, "people.both").click();
  await acceptRules(ana);
  await expect(ana.getByRole("heading", { name: words("search.waitingFor", { name: "Bo Again" }) })).toBeVisible();
  await meetButton(bo, "people.waits").click();
  await acceptRules(bo);
  await expectTogether(ana, bo);
  await ana.getByRole("button", { name: words("call.end") }).click();
  await expectHome(ana);
  // What came true is wished for no longer.
  await startThread(ana, "Bo Again");
  await expect(meetButton(ana, "people.meet")).toBeVisible();
});

test("[MSG-81] friends who were in no call lately have nothing to meet again for", async ({ person }) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Unmet" }), person({ name: "Bo Unmet" })]);
  await befriend(ana, bo);
  const asked = ana.waitForResponse("**/api/recent/list");
  await startThread(ana, "Bo Unmet");
  await asked;
  await expect(panel(ana).getByRole("button", { name: words("msg.menu", { name: "Bo Unmet" }) })).toBeVisible();
  await expect(meetButton(ana, "people.meet")).toHaveCount(0);
});

test("[PEOPLE-117] [PEOPLE-37] whoever waits for somebody who blocks them, or changes their mind, is told and is at home", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Waits" }), person({ name: "Bo Changes" })]);
  await friendsWhoMet(ana, bo);
  await bothWantToMeet(ana, bo);
  await startThread(ana, "Bo Changes");
  await startThread(bo, "Ana Waits");
  const waiting = ana.getByRole("heading", { name: words("search.waitingFor", { name: "Bo Changes" }) });
  await meetButton(ana, "people.both").click();
  await acceptRules(ana);
  await expect(waiting).toBeVisible();
  await expect(meetButton(bo, "people.waits")).toBeVisible();
  await choose(bo, "Ana Waits", "msg.meetNo");
  await expect(meetButton(bo, "people.meet")).toBeVisible();
  await expect(toasts(ana).getByText(words("search.meetOver"))).toBeVisible({ timeout: 30_000 });
  await expectHome(ana);
  await startThread(ana, "Bo Changes");
  await expect(meetButton(ana, "people.asked")).toBeVisible();

  await meetButton(bo, "people.meet").click();
  await meetButton(ana, "people.both").click();
  await acceptRules(ana);
  await expect(waiting).toBeVisible();
  await choose(bo, "Ana Waits", "msg.block");
  await expect(toasts(ana).getByText(words("search.meetOver"))).toBeVisible();
  await expectHome(ana);
});

test("[MSG-83] a report from a conversation names its newest message of the other", async ({ person }) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Reports" }), person({ name: "Bo Rude" })]);
  await befriend(ana, bo);
  await startThread(bo, "Ana Reports");
  await write(bo, "something rude");
  await openFromList(ana, "Bo Rude");
  await write(ana, "no");
  await choose(ana, "Bo Rude", "msg.report");
  const sheet = ana.getByRole("dialog", { name: words("report.title") });
  await sheet.getByRole("radio", { name: startOf("reason.report.5") }).check();
  const sent = ana.waitForRequest("**/api/chat/report");
  await sheet.getByRole("button", { name: words("report.send") }).click();
  const fields = sentFields(await sent);
  const [self, other] = await Promise.all([selfOf(ana), selfOf(bo)]);
  const about = { user_id: self.user_id, externalId: other.externalId };
  const { messages } = (await callAs(ana, "/api/message/list", about)) as { messages: { id: string; text: string }[] };
  const message_id = messages.find(({ text }) => text === "something rude")?.id;
  expect(fields).toMatchObject({ id: "5", other_id: String(other.user_id), message_id });
  await expectToast(ana, "report.sent");
  await expect(sheet).toBeHidden();
  await expect(row(ana, "Bo Rude")).toBeVisible();
});

test("[MSG-83] a block from a conversation hides it on both sides at once, and can be undone", async ({ person }) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Blocks" }), person({ name: "Bo Blocked" })]);
  await befriend(ana, bo);
  await startThread(bo, "Ana Blocks");
  await write(bo, "hello?");
  await openFromList(ana, "Bo Blocked");
  await choose(ana, "Bo Blocked", "msg.block");
  await expect(toasts(ana).getByText(words("people.blockedToast", { name: "Bo Blocked" }))).toBeVisible();
  await expect(row(ana, "Bo Blocked")).toHaveCount(0);
  await expect(row(bo, "Ana Blocks")).toHaveCount(0);
  await expect(panel(bo).getByRole("textbox")).toHaveCount(0);
  await ana.getByRole("button", { name: words("people.undo") }).click();
  await expect(row(ana, "Bo Blocked")).toBeVisible();
  // What was written is there again; that the two were friends is not.
  await row(ana, "Bo Blocked").click();
  await expect(panel(ana).getByText(words("msg.closed", { name: "Bo Blocked" }))).toBeVisible();
});

test("[PEOPLE-130] a report from the recent people names the call, and one from a profile can block as well", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Tells" }), person({ name: "Bo Told" })]);
  await meet(ana, bo);
  for (const page of [ana, bo]) await page.keyboard.press("Escape");
  for (const page of [ana, bo]) await expectHome(page);
  const list = await openPeoplePanel(ana);
  await peopleTab(ana, "recent").click();
  await rowOf(list, "Bo Told")
    .getByRole("button", { name: words("people.reportName", { name: "Bo Told" }) })
    .click();
  const other = await selfOf(bo);
  const report = async (reason: string, alsoBlock: boolean) => {
    const sheet = ana.getByRole("dialog", { name: words("report.title") });
    await sheet.getByRole("radio", { name: startOf(`reason.report.${reason}`) }).check();
    if (alsoBlock) await sheet.getByRole("switch").check();
    const sent = ana.waitForRequest("**/api/feedback");
    await sheet.getByRole("button", { name: words("report.send") }).click();
    const fields = sentFields(await sent);
    await expectToast(ana, "report.sent");
    await expect(sheet).toBeHidden();
    return fields;
  };
  const late = await report("4", false);
  expect(late).toMatchObject({ id: "4", other_id: String(other.user_id), call_id: expect.anything() as unknown });
  await ana.keyboard.press("Escape");

  await openPeoplePanel(ana);
  await peopleTab(ana, "recent").click();
  await rowOf(list, "Bo Told")
    .getByRole("button", { name: words("people.profileOf", { name: "Bo Told" }) })
    .click();
  const profile = ana.getByRole("dialog", { name: "Bo Told" });
  await profile.getByRole("button", { name: startOf("other.report") }).click();
  const fromProfile = await report("7", true);
  expect(fromProfile).toMatchObject({ id: "7", other_id: String(other.user_id) });
  expect(fromProfile).not.toHaveProperty("call_id");
  await expect(toasts(ana).getByText(words("people.blockedToast", { name: "Bo Told" }))).toBeVisible();
  await expect(profile).toBeHidden();
  await expect(rowOf(list, "Bo Told")).toHaveCount(0);
});
