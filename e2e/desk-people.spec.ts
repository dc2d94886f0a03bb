import { expect, type Page } from "@playwright/test";
import { openDesk, reportAs } from "./support/desk-person.ts";
import { callAs, selfOf } from "./support/friends.ts";
import { framesOf } from "./support/frames.ts";
import { markerCamera } from "./support/marker-camera.ts";
import { callScreen, expectHome, meet, startChat, test, toasts } from "./support/people.ts";
import { rowsOf } from "./support/product-database.ts";
import { words } from "./support/words.ts";

test.use({ environment: { MODERATION: "marker" } });

const judgedMs = 60_000;
const minor = 8;
const queue = (page: Page) => page.getByRole("navigation", { name: words("desk.tab.reports") });
const banned = (page: Page) => page.getByRole("alertdialog", { name: words("ban.title") });
const inside = (key: string) => new RegExp(words(key).source.slice(1, -1), "u");

/** What the call's people are asked for, until one picture of each was judged. */
async function untilLookedAt(pages: readonly Page[]): Promise<void> {
  for (const page of pages) {
    await expect(page.getByRole("heading", { name: words("shield.checking") })).toBeHidden({ timeout: judgedMs });
  }
}

test("[DESK-65] a suspected minor: matching stops, administrators alone see the case, hashes are kept and no picture", async ({
  person,
  product,
}) => {
  test.setTimeout(240_000);
  const camera = { before: markerCamera } as const;
  const [yan, rae] = await Promise.all([
    person({ name: "Yan Young" }, camera),
    person({ name: "Rae Reports" }, camera),
  ]);
  await meet(yan, rae);
  await untilLookedAt([yan, rae]);
  await reportAs(rae, yan, minor);
  const { user_id: subject } = await selfOf(yan);
  const kept = () =>
    rowsOf(
      product,
      "select evidence.blob_key, evidence.facts, cases.box from evidence join cases on cases.id = case_id where subject_id = $1 and kind = 'frame'",
      [subject],
    );
  await expect.poll(async () => (await kept()).length, { timeout: judgedMs }).toBeGreaterThan(0);
  for (const { blob_key, facts, box } of await kept()) {
    expect([blob_key, box]).toEqual([null, "restricted"]);
    expect(JSON.parse(String(facts))).toHaveProperty("phash");
  }

  await rae.getByRole("button", { name: words("call.end") }).click();
  // The search that follows by itself ends at once, and says why.
  const paused = yan.getByRole("dialog", { name: words("shield.pausedTitle") });
  await paused.getByRole("button", { name: words("common.ok") }).click();
  await expectHome(yan);

  const mia = await person("mia");
  await openDesk(mia, "/reportReview");
  await expect(queue(mia)).toHaveAttribute("aria-busy", "false");
  await expect(queue(mia).getByText("Yan Young")).toHaveCount(0);
  await expect(mia.getByRole("radio", { name: inside("desk.box.restricted") })).toHaveCount(0);

  const ada = await person("ada");
  await openDesk(ada, "/reportReview");
  await expect(queue(ada).getByText("Yan Young")).toHaveCount(0);
  await ada.getByRole("radio", { name: inside("desk.box.restricted") }).check();
  await queue(ada).getByText("Yan Young").click();
  await expect(ada.getByRole("heading", { level: 2, name: words("reason.report.8") })).toBeVisible();
  await ada.keyboard.press("Space");
  await expect(ada.getByText(words("desk.evidence.noPictures"))).toBeVisible();
  await expect(ada.getByRole("region", { name: words("desk.evidence") }).getByRole("img")).toHaveCount(0);
  const { user_id: administrator } = await selfOf(ada);
  const looked = await rowsOf(product, "select distinct act, actor_id from restricted_access order by act");
  expect(looked).toEqual([
    { act: "list", actor_id: BigInt(administrator) },
    { act: "read", actor_id: BigInt(administrator) },
  ]);
});

test("[CASE-68] somebody whose search is paused is told why, and until when", async ({ person }) => {
  const seen = await person({ name: "Sue Searches" });
  const reporters: Page[] = [];
  for (const name of ["Tom Tells", "Tea Tells", "Tim Tells"]) reporters.push(await person({ name }));
  await startChat(seen);
  for (const page of reporters) await reportAs(page, seen, 4);
  const [last] = reporters;
  if (!last) throw new Error("nobody");
  await startChat(last);
  const paused = seen.getByRole("dialog", { name: words("shield.pausedTitle") });
  await expect(paused).toBeVisible();
  await expect(paused.getByText(inside("shield.pausedUntil"))).toBeVisible();
  await expect(callScreen(seen)).toBeHidden();
  await expect(callScreen(last)).toHaveAttribute("data-status", "searching");
});

test("[CASE-67] whoever was warned while away reads it at the next visit, once", async ({ person }) => {
  const [gil, wes] = [await person({ name: "Gil Gone" }), await person({ name: "Wes Warns" })];
  await reportAs(wes, gil, 5);
  await gil.goto("about:blank");
  const mia = await person("mia");
  const { user_id } = await selfOf(mia);
  const { rows } = await callAs(mia, "/admin/user/report/list", { user_id });
  const item = (rows as { id: string; person: { nickname: string } }[]).find(
    ({ person: about }) => about.nickname === "Gil Gone",
  );
  await callAs(mia, "/admin/report/operate", { user_id, id: item?.id ?? "", operation: 3 });

  await gil.goto("/");
  await expect(toasts(gil).getByText(inside("report.outcome.warned"))).toBeVisible();
  await gil.reload();
  await expect.poll(() => framesOf(gil).received.filter((frame) => frame.includes('"welcome"')).length).toBe(3);
  expect(framesOf(gil).pushes(100_004)).toHaveLength(1);
});

test("[APPEAL-30] the notice of a ban is there after a reload, until it was read; a page that was closed learns of it", async ({
  person,
}) => {
  const [ban, off, mia] = [
    await person({ name: "Ben Banned" }),
    await person({ name: "Olga Off" }),
    await person("mia"),
  ];
  const { user_id } = await selfOf(mia);
  const [here, away] = [await selfOf(ban), await selfOf(off)];
  await off.goto("about:blank");
  for (const other of [here, away]) {
    await callAs(mia, "/admin/quick/forbid", { user_id, other_id: other.user_id, hours: 24, reason_id: 2 });
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
  await expect(banned(off)).toBeVisible();
  await off.reload();
  await expect(banned(off)).toBeVisible();
  await banned(off)
    .getByRole("link", { name: words("ban.appealGo") })
    .click();
  await expect(off.getByRole("heading", { level: 1, name: words("appeal.title") })).toBeVisible();
  await expect(banned(off)).toHaveCount(0);
});
