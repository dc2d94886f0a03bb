import { expect, type Page } from "@playwright/test";
import { adminClaim, adminQuickForbid, adminReportList, adminReportOperate } from "@fava/wire/endpoints/desk.ts";
import { apiUser, reportBy } from "../support/api-user.ts";
import { expectConnected, framesOf } from "../support/frames.ts";
import { selfOf } from "../support/friends.ts";
import { callScreen, expectHome, startChat, test, toasts } from "../support/people.ts";
import { rowsOf } from "../support/product-database.ts";
import { words } from "../support/words.ts";

const nudity = 4;
const harassment = 5;
const banned = (page: Page, title: "ban.suspended" | "ban.title" = "ban.suspended") =>
  page.getByRole("alertdialog", { name: words(title) });
const inside = (key: string) => new RegExp(words(key).source.slice(1, -1), "u");

test("tells a paused or warned user why, once, at once or at the next visit", async ({ person, product }) => {
  const [seen, other] = await Promise.all([person({ name: "Sue Searches" }), person({ name: "Olga Searches" })]);
  await startChat(seen);
  const about = await selfOf(seen);
  for (const name of ["Tom Tells", "Tea Tells", "Tim Tells"]) {
    const teller = await apiUser(product.url, { name });
    // New accounts of one address count as one reporter: make these older.
    const grown = "update users set passed_calls = 10, created_at = created_at - interval '2 days' where id = $1";
    await rowsOf(product, grown, [teller.userId]);
    await reportBy(teller, about, nudity);
  }
  await startChat(other);
  const paused = seen.getByRole("dialog", { name: words("shield.pausedTitle") });
  await expect(paused).toBeVisible();
  await expect(paused.getByText(inside("shield.pausedUntil"))).toBeVisible();
  await paused.getByRole("button", { name: words("shield.pausedAsk") }).click();
  await expect(paused.getByText(inside("shield.pausedAsked"))).toBeVisible();
  await expect(callScreen(seen)).toBeHidden();
  await expect(callScreen(other)).toHaveAttribute("data-status", "searching");
  await Promise.all([seen.close(), other.close()]);

  const gil = await person({ name: "Gil Gone" });
  await reportBy(await apiUser(product.url, { name: "Wes Warns" }), await selfOf(gil), harassment);
  await gil.goto("about:blank");
  const mia = await apiUser(product.url, "mia");
  const { rows } = await mia.ask(adminReportList, { user_id: mia.userId });
  const id = rows.find(({ person: subject }) => subject.nickname === "Gil Gone")?.id ?? "";
  await mia.ask(adminClaim, { user_id: mia.userId, item: `case:${id}`, on: 1 });
  await mia.ask(adminReportOperate, { user_id: mia.userId, id, operation: 3 });

  await gil.goto("/");
  await expect(toasts(gil).getByText(inside("report.outcome.warned"))).toBeVisible();
  const visits = () => framesOf(gil).received.filter((frame) => frame.includes('"welcome"')).length;
  // The server may not have known of the first page, which was left.
  const before = visits();
  await gil.reload();
  await expect.poll(visits).toBe(before + 1);
  expect(framesOf(gil).pushes(100_004)).toHaveLength(1);
});

test("shows the ban notice over reloads until it was read, also to a page that was closed", async ({
  person,
  product,
}) => {
  const [ban, off] = await Promise.all([person({ name: "Ben Banned" }), person({ name: "Olga Off" })]);
  const mia = await apiUser(product.url, "mia");
  const [here, away] = [await selfOf(ban), await selfOf(off)];
  await expectConnected(ban);
  await off.goto("about:blank");
  for (const other of [here, away]) {
    const decision = { other_id: other.user_id, hours: 24, reason_id: 2 } as const;
    await mia.ask(adminQuickForbid, { user_id: mia.userId, ...decision });
  }
  await expect(banned(ban)).toBeVisible();
  await ban.reload();
  await expect(banned(ban)).toBeVisible();
  await expect(banned(ban).getByText(here.user_no)).toBeVisible();
  await banned(ban)
    .getByRole("button", { name: words("common.ok") })
    .click();
  await expectHome(ban);
  await ban.reload();
  await expectHome(ban);
  await expect(banned(ban)).toHaveCount(0);

  await off.goto("/");
  const refused = banned(off, "ban.title");
  await expect(refused).toBeVisible();
  await off.reload();
  await expect(refused).toBeVisible();
  await refused.getByRole("link", { name: words("ban.appealGo") }).click();
  await expect(off.getByRole("heading", { level: 1, name: words("appeal.title") })).toBeVisible();
  await expect(refused).toHaveCount(0);
});
