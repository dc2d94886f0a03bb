import { expect, type Locator, type Page } from "@playwright/test";
import { giveBeans, openMeter, openStatement, spentIn, statementRows, wishForWomen } from "../../support/beans.ts";
import { markerCamera, showMarker } from "../../support/marker-camera.ts";
import { callScreen, expectCallState, expectHome, expectTogether, meet, signIn, test } from "../../support/people.ts";
import { expectBalance } from "../../support/shop.ts";
import { words } from "../../support/words.ts";

const sender = "Path Sender";
const other = "Path Other";
const beans = 50_000;
/** Time until frames were requested, classified often enough and acted upon, on a busy machine. */
const judgedMs = 60_000;
/** A decision can be undone for five seconds. */
const undoneMs = 30_000;
const plea = "It was a costume of a play, as the minute before shows.";
const answer = "You are right: a second look shows the costume.";

const heading = (page: Page, key: string) => page.getByRole("heading", { name: words(key) });
/** Matches the text of a key inside of a longer text. */
const within = (key: string, values?: Readonly<Record<string, string>>) =>
  new RegExp(words(key, values).source.slice(1, -1), "u");

// Each part continues where the previous one has ended.
test.describe.configure({ mode: "serial", timeout: 240_000 });

test("hides an explicit video, ends the call, bans its sender and refunds the partner", async ({ person }) => {
  const [cem, dua] = await Promise.all([
    person({ name: sender }, { before: markerCamera }),
    person({ name: other }, { before: markerCamera }),
  ]);
  for (const page of [cem, dua]) {
    await giveBeans(page, beans);
    await wishForWomen(page);
  }
  await meet(cem, dua);
  await expect(heading(dua, "shield.checking")).toBeHidden();
  await Promise.all([expectSpent(cem), expectSpent(dua)]);

  await showMarker(cem, "unsure");
  await expect(heading(dua, "shield.hidden")).toBeVisible({ timeout: judgedMs });
  await expect(dua.locator("section[data-status] canvas")).toHaveCount(1);
  await expect(cem.getByText(words("shield.warnedText"))).toBeVisible();
  await expectTogether(cem, dua);

  await showMarker(cem, "sure");
  await expect(heading(dua, "shield.cut")).toBeVisible({ timeout: judgedMs });
  await expect(dua.getByText(words("shield.cutPaid"))).toBeVisible();
  await expectCallState(dua, "searching");
  const ended = cem.getByRole("alertdialog", { name: words("ended.title") });
  await expect(ended).toBeVisible();
  await expect(callScreen(cem)).toBeHidden();

  await dua.getByRole("button", { name: words("search.stop") }).click();
  await expectHome(dua);
  await dua.reload();
  // No beans of the first minute are taken; the sender's statement below shows what was.
  await expectBalance(dua, new Intl.NumberFormat("en").format(beans));

  await ended.getByRole("button", { name: words("ended.gotIt") }).click();
  const notice = await refusedSignIn(cem);
  await expect(notice.getByText(words("ban.bySoftware"))).toBeVisible();
});

test("lets a moderator find the case by keyboard, view its frame and ban for 24 hours", async ({ visitor }) => {
  const mia = await openDesk(await visitor(), "mia", "/reportReview");
  await openByKeys(mia, sender);
  await mia.keyboard.press("Enter");
  await expect(mia.getByText(words("desk.claim.mine"))).toBeVisible();
  const evidence = mia.getByRole("region", { name: words("desk.evidence") }).getByRole("img");
  await expect(evidence).toHaveCount(0);
  await mia.keyboard.press("Space");
  await expect
    .poll(() => evidence.first().evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);

  await mia.keyboard.press("b");
  const sheet = mia.getByRole("dialog", { name: words("desk.forbid.title", { name: sender }) });
  await expect(sheet).toBeVisible();
  await mia.keyboard.press("1");
  await expect(sheet.getByRole("radio", { name: within("desk.hours.24") })).toBeChecked();
  await mia.keyboard.press("Enter");
  await expect(sheet).toBeHidden();
  await expectUndoOver(mia, "desk.did.4");
  await mia.reload();
  await expect(mia.getByRole("navigation", { name: words("desk.tab.reports") })).toHaveAttribute("aria-busy", "false");
  await expect(rowOf(mia, sender)).toHaveCount(0);
});

test("lets a second moderator lift the ban on appeal, which restores beans and sign-in", async ({ visitor }) => {
  const cem = await visitor();
  const notice = await refusedSignIn(cem);
  await expect(notice.getByText("a person", { exact: true })).toBeVisible();
  await notice.getByRole("link", { name: words("ban.appealGo") }).click();
  await cem.getByRole("radio", { name: words("appeal.ground.2") }).check();
  await cem.getByLabel(words("appeal.text")).fill(plea);
  await cem.getByRole("button", { name: words("appeal.send") }).click();
  await expect(heading(cem, "appeal.yours")).toBeVisible();

  const mia = await openDesk(await visitor(), "mia", "/reportReview/appeals");
  await expect(rowOf(mia, sender)).toContainText(words("desk.appeals.own").source.slice(1, -1));
  await openByKeys(mia, sender);
  await expect(mia.getByText(words("desk.closed.first"))).toBeVisible();
  await expect(outcomes(mia).first()).toBeDisabled();
  await mia.keyboard.press("3");
  await expect(outcomes(mia).nth(2)).toHaveAttribute("aria-pressed", "false");

  const noor = await openDesk(await visitor(), "noor", "/reportReview/appeals");
  await openByKeys(noor, sender);
  await expect(noor.getByText(plea)).toBeVisible();
  await expect(noor.getByText(words("appeal.ground.2"))).toBeVisible();
  await noor.keyboard.press("3");
  await expect(noor.getByRole("textbox")).toBeFocused();
  await noor.keyboard.type(answer);
  await noor.keyboard.press("Control+Enter");
  await expectUndoOver(noor, "desk.appeal.did.lifted");

  await cem.reload();
  await expect(cem.getByText(words("appeal.lifted"))).toBeVisible();
  await expect(cem.getByText(answer)).toBeVisible();
  await expect(cem.getByText(words("appeal.liftedBeans"))).toBeVisible();
  await cem.goto("/");
  await signIn(cem, { name: sender });
  await expect(cem.getByRole("button", { name: words("home.account") })).toBeVisible();
  await expectBalance(cem, new Intl.NumberFormat("en").format(beans));
  await expectGivenBack(cem);
});

/** Expects that the call costs beans. */
async function expectSpent(page: Page): Promise<void> {
  const panel = await openMeter(page);
  await expect.poll(() => spentIn(panel), { timeout: 60_000 }).toBeGreaterThan(0);
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
}

/** Expects one call in the statement, and the refund of all its cost. */
async function expectGivenBack(page: Page): Promise<void> {
  const rows = statementRows(await openStatement(page));
  const given = rows.filter({ hasText: within("statement.reason.moderated_call") });
  await expect(given).toHaveCount(1);
  await expect(given).toContainText(within("statement.credit"));
  const paid = rows.filter({ hasText: within("statement.call") });
  expect(await changeOf(given)).toBe(-(await changeOf(paid)));
}

/** The change of the balance in a row of the statement. */
async function changeOf(row: Locator): Promise<number> {
  const text = await row.locator("td[data-number]").first().innerText();
  return Number(text.replace("−", "-").replace("+", "").replaceAll(",", ""));
}

/** Tries to sign the banned user in; returns the ban notice. */
async function refusedSignIn(page: Page): Promise<Locator> {
  const refused = page.waitForResponse(async (answer) => {
    if (!new URL(answer.url()).pathname.startsWith("/api/")) return false;
    const told: unknown = await answer.json().catch(() => null);
    return typeof told === "object" && told !== null && "code" in told && told.code === 408;
  });
  await signIn(page, { name: sender });
  await refused;
  const notice = page.getByRole("alertdialog", { name: words("ban.title") });
  await expect(notice).toBeVisible();
  return notice;
}

async function openDesk(page: Page, who: "mia" | "noor", path: string): Promise<Page> {
  await signIn(page, who);
  await expect(page.getByRole("button", { name: words("home.account") })).toBeVisible();
  await page.goto(path);
  await expect(rowOf(page, sender)).toBeVisible();
  return page;
}

/** The row of a person in the list of the desk. */
function rowOf(page: Page, name: string): Locator {
  return page.getByRole("navigation").getByRole("listitem").getByRole("button").filter({ hasText: name });
}

/** Moves down the list with J to the row of a person. */
async function openByKeys(page: Page, name: string): Promise<void> {
  const current = page.getByRole("navigation").locator("li > button[aria-current]");
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(current).toContainText(name, { timeout: 1_000 });
  }).toPass();
}

function outcomes(page: Page): Locator {
  return page.getByRole("group", { name: words("desk.appeal.outcome") }).getByRole("button");
}

/** Expects the bar with the decision and its person, and waits until it can no longer be undone. */
async function expectUndoOver(page: Page, key: string): Promise<void> {
  const bar = page.getByRole("status").filter({ hasText: within(key, { name: sender }) });
  await expect(bar).toBeVisible();
  await expect(bar).toBeHidden({ timeout: undoneMs });
}
