import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { appealAnswerMs, appealOpenMs } from "@fava/wire/limits.ts";
import { operations } from "@fava/wire/moderation.ts";
import { AppealWorld, type Banned } from "#test/fixtures/appeal-world.ts";
import type { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { refusalOf } from "#test/fixtures/session-world.ts";
import { requireOpenAppeal } from "./appeal-service.ts";
import { lockSubject } from "./case-store.ts";

const dayMs = 86_400_000;
let appeals: AppealWorld;
let world: ModerationWorld;
let handlers: AppealWorld["handlers"];

beforeAll(async () => {
  appeals = await AppealWorld.open();
  ({ cases: world, handlers } = appeals);
});
beforeEach(() => {
  appeals.returned.splice(0);
});

const at = (agoMs?: number) => appeals.at(agoMs);
const banOf = ({ banId }: Banned) =>
  world.db.selectFrom("bans").selectAll().where("id", "=", banId).executeTakeFirstOrThrow();

test("[APPEAL-1] accepts one appeal per ban, and tells by when it is answered", async () => {
  const ban = await appeals.banned(await world.moderator());
  expect(await appeals.status(ban)).toMatchObject({
    ban: { reason_id: 2, by: "person", strike: 1 },
    user_id: Number(ban.userId),
    in_force: true,
    appeal: null,
    beans: 48_200,
  });
  expect(await appeals.write(ban)).toMatchObject({
    appeal: { state: "received", ground: 1, text: "We were joking.", answer_by: world.clock.nowMs() + appealAnswerMs },
  });
  expect(await refusalOf(appeals.write(ban))).toEqual({ code: 406, data: { reason: "appealed_before" } });
  expect(await world.auditOf(ban.userId)).toEqual(["appeal"]);
});

test("[APPEAL-1] keeps one of two concurrent appeals", async () => {
  const ban = await appeals.banned(await world.moderator());
  const outcomes = await Promise.allSettled([appeals.write(ban), appeals.write(ban), appeals.write(ban)]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("[CASE-47] rejects an appeal against a ban whose case was reopened", async () => {
  const ban = await appeals.banned(await world.moderator());
  const reopened = { ended_early_at: at(), ended_because: "reopened" };
  await world.db.updateTable("bans").set(reopened).where("id", "=", ban.banId).execute();
  const unknown = { code: 400, data: { field: "appeal_token" } };
  expect(await refusalOf(appeals.status(ban))).toEqual(unknown);
  expect(await refusalOf(appeals.write(ban))).toEqual(unknown);
});

test("[CASE-47] accepts an appeal or a reopening, never both", async () => {
  const moderator = await world.moderator();
  const userId = await world.person();
  const caseId = await world.reported(userId);
  await world.withClaim(moderator, `case:${caseId}`, async () =>
    world.cases.decisions.operate(await world.viewer(moderator), caseId, { operation: 4, hours: 24, note: "" }),
  );
  const [ban] = await world.bansOf(userId);
  const banId = ban?.id ?? 0n;
  const context = await world.contextOf(moderator);
  // Holds the lock of the user until both requests wait for it: the reopening first, the appeal with the ban it has read.
  const outcomes = await world.db.transaction().execute(async (trx) => {
    await lockSubject(trx, userId);
    const reopening = world.cases.handlers.adminReportReopen(context, {
      user_id: Number(moderator),
      id: String(caseId),
    });
    await waitingForLocks(1);
    const appeal = appeals.write({ userId, banId, token: String(banId) });
    await waitingForLocks(2);
    return () => Promise.allSettled([reopening, appeal]);
  });
  expect((await outcomes()).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await world.db.selectFrom("appeals").select("id").where("ban_id", "=", banId).execute()).toEqual([]);
});

async function waitingForLocks(count: number): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await sql<{ waiting: bigint }>`
        select count(*) as waiting from pg_locks
        where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`.execute(world.db);
      return Number(rows[0]?.waiting);
    })
    .toBe(count);
}

test("accepts an appeal for six months, and rejects an empty one", async () => {
  const moderator = await world.moderator();
  const old = await appeals.banned(moderator, { until: null, agoMs: appealOpenMs + 1 });
  expect(await refusalOf(appeals.write(old))).toEqual({ code: 406, data: { reason: "appeal_too_late" } });
  const ban = await appeals.banned(moderator, { until: null, agoMs: appealOpenMs });
  expect(await refusalOf(appeals.write(ban, "  \n "))).toEqual({ code: 400, data: { field: "text" } });
  expect(await refusalOf(appeals.write(ban, "\u3164\u200b"))).toEqual({
    code: 406,
    data: { reason: "invisible_text", field: "text" },
  });
  expect(await appeals.write(ban)).toMatchObject({ appeal: { state: "received" } });
});

test("[APPEAL-3] lets only a moderator who did not take part in the decision answer the appeal", async () => {
  const [first, second] = [await world.moderator("First"), await world.moderator("Second")];
  const { id } = await appeals.appealed(first);
  const listed = async (moderatorId: bigint) => {
    const context = await world.contextOf(moderatorId);
    const listing = await handlers.adminAppealList(context, { user_id: Number(moderatorId) });
    return listing.appeals.find((row) => row.id === id);
  };
  expect(await listed(first)).toMatchObject({ is_own: true });
  expect(await listed(second)).toMatchObject({ is_own: false, hours: 168, claim: null });
  const info = await handlers.adminAppeal(await world.contextOf(first), { user_id: Number(first), id });
  expect(info).toMatchObject({ closed_because: "first_decider", decided_by: "First", language: "ar" });
  expect(await refusalOf(appeals.decide(first, id, { outcome: "lifted" }))).toEqual({
    code: 403,
    data: { reason: "own_case" },
  });
  // The first moderator cannot claim the appeal either, which would block the others.
  const claimable = async (by: bigint) =>
    requireOpenAppeal(world.db, await world.viewer(by), { id, at: new Date(world.clock.nowMs()) });
  expect(await refusalOf(claimable(first))).toEqual({ code: 403, data: { reason: "own_case" } });
  await claimable(second);
  await appeals.decide(second, id, { outcome: "upheld" });
  expect(await listed(second)).toBeUndefined();
});

test("leaves the ban when upheld, ends it earlier when shortened, and never makes it longer", async () => {
  const [first, second] = [await world.moderator(), await world.moderator()];
  const upheld = await appeals.appealed(first);
  await appeals.decide(second, upheld.id, { outcome: "upheld" });
  expect(await banOf(upheld)).toMatchObject({ ended_early_at: null, until: at(-7 * dayMs) });
  const ban = await appeals.appealed(first);
  for (const hours of [168, 720] as const) {
    expect(await refusalOf(appeals.decide(second, ban.id, { outcome: "shortened", hours }))).toMatchObject({
      code: 400,
    });
  }
  expect(await refusalOf(appeals.decide(second, ban.id, { outcome: "shortened" }))).toMatchObject({ code: 400 });
  await appeals.decide(second, ban.id, { outcome: "shortened", hours: 24 });
  expect(await banOf(ban)).toMatchObject({ ended_early_at: null, until: at(-dayMs) });
  expect(await appeals.status(ban)).toMatchObject({
    appeal: { state: "shortened", until: at(-dayMs).getTime(), answer: "We read the whole chat." },
  });
  expect(await world.strikesOf(ban.userId)).toMatchObject([{ revoked_at: null }]);
});

test("[APPEAL-5] ends the ban, revokes the strike and refunds the cut call once when an appeal lifts the ban", async () => {
  const [first, second] = [await world.moderator(), await world.moderator()];
  const callId = await world.call(await world.person(), await world.person());
  const ban = await appeals.appealed(first, { callId });
  await appeals.decide(second, ban.id, { outcome: "lifted" });
  expect(await banOf(ban)).toMatchObject({ ended_early_at: at(), ended_because: "lifted" });
  expect(await world.strikesOf(ban.userId)).toMatchObject([{ revoked_at: at() }]);
  expect(appeals.returned).toEqual([`${callId} ${ban.userId}`]);
  expect(await refusalOf(appeals.decide(second, ban.id, { outcome: "lifted" }))).toEqual({
    code: 406,
    data: { reason: "already_decided" },
  });
  expect(appeals.returned).toHaveLength(1);
  expect(await appeals.status(ban)).toMatchObject({
    in_force: false,
    appeal: { state: "lifted", beans_returned: 3_200 },
  });
  expect(await world.auditOf(ban.userId)).toEqual(["appeal", "strike_revoked", "appeal_lifted"]);
});

test("[APPEAL-6] accepts one of two concurrent answers", async () => {
  const [first, second, third] = [await world.moderator(), await world.moderator(), await world.moderator()];
  const ban = await appeals.appealed(first);
  const outcomes = await Promise.allSettled([
    appeals.decide(second, ban.id, { outcome: "upheld" }),
    appeals.decide(third, ban.id, { outcome: "lifted" }),
  ]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("lets only administrators answer a late appeal, and one of a colleague", async () => {
  const [first, second, ada] = [await world.moderator(), await world.moderator(), await world.administrator()];
  const colleague = await appeals.appealed(first);
  await world.db.updateTable("users").set({ role: 2 }).where("id", "=", colleague.userId).execute();
  expect(await refusalOf(appeals.decide(second, colleague.id, { outcome: "upheld" }))).toEqual({
    code: 403,
    data: { reason: "colleague" },
  });
  await appeals.decide(ada, colleague.id, { outcome: "upheld" });
  const late = await appeals.appealed(first);
  world.clock.advance(appealAnswerMs);
  expect(await refusalOf(appeals.decide(second, late.id, { outcome: "upheld" }))).toEqual({
    code: 403,
    data: { reason: "role" },
  });
  const context = await world.contextOf(ada);
  const listing = await handlers.adminAppealList(context, { user_id: Number(ada) });
  expect(listing.appeals.find(({ id }) => id === late.id)).toMatchObject({ is_late: true });
  await appeals.decide(ada, late.id, { outcome: "upheld" });
});

test("[APPEAL-8] lets no one read or answer their own appeal", async () => {
  const first = await world.moderator();
  const own = await appeals.appealed(first);
  await world.db.updateTable("users").set({ role: 3 }).where("id", "=", own.userId).execute();
  const context = await world.contextOf(own.userId);
  const ownCase = { code: 403, data: { reason: "own_case" } };
  expect(await refusalOf(handlers.adminAppeal(context, { user_id: Number(own.userId), id: own.id }))).toEqual(ownCase);
  expect(await refusalOf(appeals.decide(own.userId, own.id, { outcome: "lifted" }))).toEqual(ownCase);
  const listing = await handlers.adminAppealList(context, { user_id: Number(own.userId) });
  expect(listing.appeals.some(({ id }) => id === own.id)).toBe(false);
});

describe("an appeal against a permanent ban that waits for its second opinion", () => {
  let ban: Banned & { id: string };
  let caseId: bigint;
  let ana: bigint;
  let mia: bigint;
  let noor: bigint;
  let zoe: bigint;
  const { forbid } = operations;
  const forbidden = async () =>
    world.cases.decisions.quickForbid(await world.viewer(zoe), ban.userId, {
      hours: 24,
      reason_id: 2,
      note: "",
      isAgain: true,
    });
  const second = (by: bigint) =>
    world.withClaim(by, `case:${caseId}`, async () =>
      world.cases.decisions.second(await world.viewer(by), caseId, { operation: forbid, note: "" }),
    );

  beforeEach(async () => {
    [mia, noor, zoe] = [await world.moderator(), await world.moderator(), await world.moderator()];
    const [userId, cem] = [await world.person(), await world.person()];
    ana = await world.person();
    caseId = await world.reported(userId, { by: cem });
    const asked = { operation: forbid, hours: 0, note: "" } as const;
    await world.withClaim(mia, `case:${caseId}`, async () =>
      world.cases.decisions.operate(await world.viewer(mia), caseId, asked),
    );
    await world.reported(userId, { by: ana });
    const [{ id: banId } = { id: 0n }] = await world.bansOf(userId);
    const { appeal } = await appeals.write({ userId, banId, token: String(banId) });
    ban = { userId, banId, token: String(banId), id: appeal?.id ?? "" };
    world.bus.arrive(ana);
    await world.told();
  });

  test("ends the wait when shortened: nobody makes the ban longer, and later reporters are notified", async () => {
    await appeals.decide(noor, ban.id, { outcome: "shortened", hours: 24 });
    expect(await world.caseRow(caseId)).toMatchObject({ state: "decided", operation: forbid, decided_by: mia });
    expect(await refusalOf(second(zoe))).toEqual({ code: 406, data: { reason: "already_decided" } });
    expect(await banOf(ban)).toMatchObject({ until: at(-dayMs), is_provisional: false, seconded_by: null });
    expect(world.bus.take(ana)).toMatchObject([{ code: 100_004, outcome: "acted" }]);
    expect(await forbidden()).toBe("decided");
  });

  test("ends the wait when lifted: reporters learn that nothing was found, and the user can be banned again", async () => {
    await appeals.decide(noor, ban.id, { outcome: "lifted" });
    expect(await world.caseRow(caseId)).toMatchObject({ state: "decided" });
    expect(await refusalOf(second(zoe))).toEqual({ code: 406, data: { reason: "already_decided" } });
    expect(world.bus.take(ana)).toMatchObject([{ code: 100_004, outcome: "nothing_found" }]);
    const reports = await world.db.selectFrom("reports").select("was_right").where("case_id", "=", caseId).execute();
    expect(reports).toEqual([{ was_right: false }, { was_right: false }]);
    expect(await forbidden()).toBe("decided");
    expect(await world.bansOf(ban.userId)).toMatchObject([{ ended_because: "lifted" }, { strike: 1 }]);
  });

  test("keeps the wait when the appeal is against an earlier ban by software", async () => {
    const suspension = { user_id: ban.userId, reason_id: 1, reason: "", created_at: at(), until: at(-dayMs) };
    const row = { ...suspension, case_id: caseId, rule: "explicit_picture_sure", is_provisional: true };
    const { id } = await world.db.insertInto("bans").values(row).returning("id").executeTakeFirstOrThrow();
    const { appeal } = await appeals.write({ userId: ban.userId, banId: id, token: String(id) });
    await appeals.decide(noor, appeal?.id ?? "", { outcome: "shortened", hours: 1 });
    expect(await world.caseRow(caseId)).toMatchObject({ state: "second" });
    await second(noor);
    expect(await banOf(ban)).toMatchObject({ until: null, seconded_by: noor });
  });

  test("leaves the second opinion to another moderator than the one who upheld the ban", async () => {
    await appeals.decide(noor, ban.id, { outcome: "upheld" });
    const ownCase = { code: 403, data: { reason: "own_case" } };
    expect(await refusalOf(second(noor))).toEqual(ownCase);
    const claim = async () => world.cases.caseService.claim(await world.viewer(noor), `case:${caseId}`, true);
    expect(await refusalOf(claim())).toEqual(ownCase);
    expect(await world.cases.caseService.read(await world.viewer(noor), caseId)).toMatchObject({
      closed_because: "first_decider",
    });
    for (const [by, is_own] of [
      [noor, true],
      [zoe, false],
    ] as const) {
      const { seconds } = await handlers.adminAppealList(await world.contextOf(by), { user_id: Number(by) });
      expect(seconds.find(({ id }) => id === String(caseId))).toMatchObject({ is_own });
    }
    await second(zoe);
    expect(await banOf(ban)).toMatchObject({ until: null, seconded_by: zoe });
  });
});
