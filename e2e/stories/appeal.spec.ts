import { expect, type Locator, type Page } from "@playwright/test";
import { adminAppealList, adminAppealOperate } from "@fava/wire/endpoints/appeals.ts";
import { adminClaim } from "@fava/wire/endpoints/desk.ts";
import { adminQuickForbid } from "@fava/wire/endpoints/desk.ts";
import type { NotificationPayload } from "@fava/wire/notifications.ts";
import { fakeBrowser } from "@fava/server/test/fakes/fake-browser.ts";
import { installFakePush } from "@fava/web/testing/fake-push.ts";
import { giveBeans } from "../support/beans.ts";
import { type ApiUser, apiUser } from "../support/api-user.ts";
import { expectConnected } from "../support/frames.ts";
import { selfOf } from "../support/friends.ts";
import { test } from "../support/people.ts";
import { beginSession, emptyPath } from "../support/session.ts";
import { words } from "../support/words.ts";

const day = 24;
const harassment = 2;

/** A moderator bans a user for a day; the user's page receives the ban by its socket. */
async function forbid(by: ApiUser, person: Page): Promise<Locator> {
  const { user_id: otherId } = await selfOf(person);
  await expectConnected(person);
  const decision = { hours: day, reason_id: harassment, note: "Insulted everybody." } as const;
  await by.ask(adminQuickForbid, { user_id: by.userId, other_id: otherId, ...decision });
  const notice = person.getByRole("alertdialog", { name: words("ban.suspended") });
  await expect(notice).toBeVisible();
  return notice;
}

async function openAppeal(page: Page, notice: Locator): Promise<void> {
  await notice.getByRole("link", { name: words("ban.appealGo") }).click();
  await expect(page.getByRole("complementary", { name: words("appeal.decision") })).toBeVisible();
}

/** Decides an appeal as a moderator. */
async function lift(by: ApiUser, id: string): Promise<void> {
  const answer = "You were right: it was a scene of a film.";
  await by.ask(adminClaim, { user_id: by.userId, item: `appeal:${id}`, on: 1 });
  await by.ask(adminAppealOperate, { user_id: by.userId, id, outcome: "lifted", answer });
}

/** The count in the row of that name in a table of `/transparency`. */
async function counted(page: Page, row: string): Promise<number> {
  await page.goto("/transparency");
  const cells = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: words(row) }) });
  return Number(await cells.last().getByRole("cell").last().innerText());
}

/** From the next load on the page has a browser that can notify, at noon. */
async function allowNotifications(page: Page): Promise<string> {
  const { target } = fakeBrowser("https://fcm.googleapis.com/fcm/send/appeal-story");
  await page.addInitScript(installFakePush, { permission: "default" as const, target });
  await page.addInitScript(() => {
    const now = new Date();
    const ahead = 720 - now.getUTCHours() * 60 - now.getUTCMinutes();
    Date.prototype.getTimezoneOffset = () => -ahead;
  });
  return target.endpoint;
}

/** The notifications sent to a browser. */
async function toldTo(page: Page, endpoint: string): Promise<NotificationPayload["notification"][]> {
  const kept = (await (await page.request.get("/sandbox/push/messages")).json()) as {
    endpoint: string;
    payload: string;
  }[];
  return kept
    .filter((message) => message.endpoint === endpoint)
    .map(({ payload }) => (JSON.parse(payload) as NotificationPayload).notification);
}

test(
  "appeals a ban once, which another moderator lifts, and notifies the browser",
  { tag: "@deep" },
  async ({ person, product }) => {
    const name = "Ban Appealed";
    const [mia, noor] = [await apiUser(product.url, "mia"), await apiUser(product.url, "noor")];
    const page = await person({ name });
    const notice = await forbid(mia, page);
    await expect(notice.getByText(words("ban.reason.2"))).toBeVisible();
    await expect(notice.getByText("a person", { exact: true })).toBeVisible();
    await expect(notice.getByText(words("statementOf.seen.2"))).toBeVisible();
    await openAppeal(page, notice);

    const send = page.getByRole("button", { name: words("appeal.send") });
    await send.click();
    await expect(page.getByText(words("appeal.needText"))).toBeVisible();
    await expect(page.getByRole("radio", { name: words("appeal.ground.1") })).toBeFocused();
    await page.getByRole("radio", { name: words("appeal.ground.2") }).check();
    await page.getByLabel(words("appeal.text")).fill("We acted out a scene of a film.");
    // A second tab restores the draft, but sends it too late.
    const late = await page.context().newPage();
    await late.goto(page.url());
    await expect(late.getByLabel(words("appeal.text"))).toHaveValue("We acted out a scene of a film.");
    await send.click();
    const status = page.getByRole("heading", { name: words("appeal.yours"), level: 1 });
    await expect(status).toBeVisible();
    await late.getByRole("button", { name: words("appeal.send") }).click();
    await expect(late.getByText(words("refused.appealed_before"))).toBeVisible();
    await late.close();

    const endpoint = await allowNotifications(page);
    await page.reload();
    await expect(status).toBeVisible();
    await expect(page.getByText("We acted out a scene of a film.")).toBeVisible();
    await page.getByRole("button", { name: words("appeal.tell") }).click();
    await page.getByRole("button", { name: words("notify.turnOn") }).click();
    await expect(page.getByRole("main").getByText(words("appeal.tells"))).toBeVisible();
    await expect(page.getByRole("listitem").filter({ hasText: /^Answer by/ })).toBeVisible();

    const { appeals } = await noor.ask(adminAppealList, { user_id: noor.userId });
    const appealId = appeals.find((appeal) => appeal.person.nickname === name)?.id ?? "";
    await expect(lift(mia, appealId)).rejects.toThrow(/own_case/);
    await lift(noor, appealId);
    await expect.poll(() => toldTo(page, endpoint)).toMatchObject([{ title: "Fava has an answer for you" }]);
    const [{ navigate } = { navigate: "" }] = await toldTo(page, endpoint);
    await page.goto(emptyPath);
    await page.goto(navigate);
    await expect(page.getByText(words("appeal.lifted"))).toBeVisible();
    await expect(page.getByText("You were right: it was a scene of a film.")).toBeVisible();
    await expect(page.getByText(words("appeal.liftedStrike"))).toBeVisible();
    await page.getByRole("link", { name: words("appeal.signIn") }).click();
    await expect(page.getByRole("button", { name: words("home.start") })).toBeVisible();
    await beginSession(page, { name });
    await expect(page.getByRole("button", { name: words("home.account") })).toBeVisible();
  },
);

test("leaves a banned user beans, data and deletion, and counts the ban publicly", async ({
  person,
  visitor,
  product,
}) => {
  const [page, anybody] = [await person({ name: "Ban Owner" }), await visitor()];
  await giveBeans(page, 4_200);
  const before = await counted(anybody, "transparency.byPeople");
  await openAppeal(page, await forbid(await apiUser(product.url, "mia"), page));
  // Readers within ten seconds get the same cached report.
  const after = () => counted(anybody, "transparency.byPeople");
  await expect.poll(after, { timeout: 30_000 }).toBe(before + 1);

  const part = (key: string) => page.locator("details", { has: page.getByText(words(key)).first() });
  const beans = part("appeal.beans");
  await beans.locator("summary").click();
  await expect(beans.locator("summary")).toContainText("4,200");
  await expect(beans.getByRole("listitem")).toContainText("4,200");
  await expect(beans.getByText(words("appeal.refundNone"))).toBeVisible();

  const data = part("appeal.data");
  await data.locator("summary").click();
  await data.getByRole("button", { name: words("appeal.dataGo") }).click();
  const copy = data.getByRole("link", { name: words("appeal.dataReady") });
  await expect(copy).toBeVisible({ timeout: 60_000 });
  const file = await page.request.get((await copy.getAttribute("href")) ?? "");
  expect([file.status(), (await file.body()).subarray(0, 2).toString()]).toEqual([200, "PK"]);

  const leaving = page.locator("details").last();
  await leaving.locator("summary").click();
  await leaving.getByLabel(words("appeal.deleteNumber")).fill("12345678");
  await leaving.getByRole("button", { name: words("appeal.delete") }).click();
  await expect(leaving.getByText(words("refused.wrong_number"))).toBeVisible();
});
