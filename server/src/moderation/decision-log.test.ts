import { beforeAll, beforeEach, expect, test } from "vitest";
import { listPageRows } from "@fava/wire/limits.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { refusalOf } from "#test/fixtures/session-world.ts";
import { decisionPage } from "./decision-log.ts";

const dayMs = 86_400_000;
let world: ModerationWorld;
let mia: bigint;
let ada: bigint;

beforeAll(async () => {
  world = await ModerationWorld.open();
});
beforeEach(async () => {
  // Each test begins on a day of its own, a minute after midnight UTC.
  world.clock.advance(dayMs - (world.clock.nowMs() % dayMs) + 60_000);
  [mia, ada] = [await world.moderator("Mia Log"), await world.administrator("Ada Log")];
});

const at = () => new Date(world.clock.nowMs());
type Asked = Partial<Omit<Parameters<typeof decisionPage>[2], "at">>;
const page = async (by: bigint, asked: Asked = {}) =>
  decisionPage(world.db, await world.viewer(by), { scope: "mine", days: 14, ...asked, at: at() });
async function decide(by: bigint, caseId: bigint, change: { operation: 1 | 2 | 3 | 4; hours?: 24 }): Promise<void> {
  await world.withClaim(by, `case:${caseId}`, async () =>
    world.cases.decisions.operate(await world.viewer(by), caseId, { note: "seen it", ...change }),
  );
}

test("lists the reader's own decisions of today with the way back, and nobody else's", async () => {
  const [bo, kai] = [await world.person({ nickname: "Bo" }), await world.person()];
  const caseId = await world.reported(bo);
  await decide(mia, caseId, { operation: 4, hours: 24 });
  await decide(ada, await world.reported(kai), { operation: 1 });
  const { rows, next } = await page(mia);
  expect(next).toBeNull();
  expect(rows).toMatchObject([
    {
      kind: "forbid",
      by: "Mia Log",
      note: "seen it",
      person: { user_id: Number(bo), nickname: "Bo" },
      case_id: String(caseId),
      appeal: null,
      reopen_until: world.clock.nowMs() + 600_000,
    },
  ]);
  world.clock.advance(600_000);
  expect((await page(mia)).rows).toMatchObject([{ reopen_until: null }]);
});

test("keeps a decision of an earlier day only on the day on which its appeal is answered", async () => {
  const bo = await world.person();
  await decide(mia, await world.reported(bo), { operation: 4, hours: 24 });
  const [ban] = await world.bansOf(bo);
  const appeal = {
    ban_id: ban?.id ?? 0n,
    user_id: bo,
    ground: 1,
    text: "no",
    language: "en",
    at: at(),
    answer_by: at(),
  };
  await world.db.insertInto("appeals").values(appeal).execute();
  expect((await page(mia)).rows).toMatchObject([{ appeal: "received", reopen_until: null }]);
  world.clock.advance(dayMs);
  expect((await page(mia)).rows).toEqual([]);
  await world.db.updateTable("appeals").set({ state: "lifted", decided_at: at() }).where("user_id", "=", bo).execute();
  expect((await page(mia)).rows).toMatchObject([{ kind: "forbid", appeal: "lifted" }]);
});

test("shows the log of all to administrators alone, by kind, moderator and time", async () => {
  const zoe = await world.moderator("Zoë Filter");
  await decide(mia, await world.reported(await world.person()), { operation: 1 });
  await decide(zoe, await world.reported(await world.person()), { operation: 2 });
  expect(await refusalOf(page(mia, { scope: "all" }))).toEqual({ code: 403, data: { reason: "role" } });
  const kinds = async (asked: Asked) => (await page(ada, { scope: "all", ...asked })).rows.map(({ kind }) => kind);
  expect((await kinds({})).slice(0, 2)).toEqual(["reject", "clear"]);
  expect(await kinds({ by: "zoe fil" })).toEqual(["reject"]);
  const { user_no } = await world.db
    .selectFrom("users")
    .select("user_no")
    .where("id", "=", mia)
    .executeTakeFirstOrThrow();
  expect(await kinds({ by: user_no })).toEqual(["clear"]);
  expect(await kinds({ by: user_no, kind: "reject" })).toEqual([]);
  expect(await kinds({ by: "nobody of this name" })).toEqual([]);
  world.clock.advance(dayMs + 1);
  expect(await kinds({ by: user_no, days: 1 })).toEqual([]);
  expect(await kinds({ by: user_no })).toEqual(["clear"]);
});

test("pages, and rejects an invalid cursor", async () => {
  const entry = { at: at(), actor_id: mia, kind: "clear", subject_id: await world.person() };
  const entries = Array.from({ length: listPageRows + 1 }, () => entry);
  await world.db.insertInto("audit_log").values(entries).execute();
  const first = await page(mia);
  expect(first.rows).toHaveLength(listPageRows);
  const second = await page(mia, { cursor: first.next ?? "" });
  expect(second.rows).toHaveLength(1);
  expect(second.next).toBeNull();
  expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(listPageRows + 1);
  expect(await refusalOf(page(mia, { cursor: "1; drop" }))).toEqual({ code: 400, data: { field: "cursor" } });
});

test("[CASE-48] hides restricted cases and colleagues from moderators, and logs an administrator's look", async () => {
  const [child, colleague] = [await world.person(), await world.moderator()];
  await decide(ada, await world.reported(child, { reasonId: 8 }), { operation: 1 });
  await decide(ada, await world.reported(colleague), { operation: 1 });
  const logged = async () => {
    const rows = world.db
      .selectFrom("restricted_access")
      .select("id")
      .where("actor_id", "=", ada)
      .where("act", "=", "list");
    return (await rows.execute()).length;
  };
  const before = await logged();
  expect((await page(ada)).rows).toHaveLength(2);
  expect(await logged()).toBe(before + 1);
  // A moderator who was an administrator when deciding.
  await world.db.updateTable("users").set({ role: 2 }).where("id", "=", ada).execute();
  expect((await page(ada)).rows).toEqual([]);
  expect(await logged()).toBe(before + 1);
});

test("leaves out decisions about the reader", async () => {
  await decide(ada, await world.reported(mia), { operation: 1 });
  await world.db.updateTable("users").set({ role: 3 }).where("id", "=", mia).execute();
  const about = (await page(mia, { scope: "all" })).rows.filter(({ person }) => person?.user_id === Number(mia));
  expect(about).toEqual([]);
});

test("[CASE-48] hides decisions on notices about suspected minors from moderators", async () => {
  const decided = { state: "upheld" as const, at: at(), due_at: at(), decided_at: at(), decided_by: ada };
  for (const kind of ["minor", "illegal"] as const) {
    const notice = await world.db
      .insertInto("notices")
      .values({ kind, ...decided })
      .returning("id")
      .executeTakeFirstOrThrow();
    const entry = { at: at(), actor_id: ada, kind: "notice", note: kind, detail: `{"notice":"${notice.id}"}` };
    await world.db.insertInto("audit_log").values(entry).execute();
  }
  expect((await page(ada)).rows.map(({ note }) => note)).toEqual(["illegal", "minor"]);
  await world.db.updateTable("users").set({ role: 2 }).where("id", "=", ada).execute();
  expect((await page(ada)).rows.map(({ note }) => note)).toEqual(["illegal"]);
});
