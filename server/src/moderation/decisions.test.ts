import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { refusalOf } from "#test/fixtures/session-world.ts";
import { lockSubject } from "./case-store.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
let world: ModerationWorld;
let bo: bigint;
let mia: bigint;
let noor: bigint;

beforeAll(async () => {
  world = await ModerationWorld.open();
});
beforeEach(async () => {
  [bo, mia, noor] = [await world.person(), await world.moderator("Mia"), await world.moderator("Noor")];
  world.tookCarried();
});

type Operate = { operation: 1 | 2 | 3 | 4; hours?: 24 | 168 | 720 | 0; reason_id?: 1 | 2 | 5 | 7; note?: string };
async function operate(by: bigint, caseId: bigint, { note = "", ...change }: Operate) {
  const state = await world.withClaim(by, `case:${caseId}`, async () =>
    world.cases.decisions.operate(await world.viewer(by), caseId, { ...change, note }),
  );
  await world.told();
  return state;
}
async function second(by: bigint, caseId: bigint, operation: 1 | 2 | 4) {
  await world.withClaim(by, `case:${caseId}`, async () =>
    world.cases.decisions.second(await world.viewer(by), caseId, { operation, note: "a second look" }),
  );
  await world.told();
}
const quick = async (
  by: bigint,
  subjectId: bigint,
  { hours = 24, reason_id = 2, ...asked }: { hours?: 24 | 0; reason_id?: 2 | 5; isAgain?: boolean } = {},
) => world.cases.decisions.quickForbid(await world.viewer(by), subjectId, { hours, reason_id, note: "seen", ...asked });
const judged = async (caseId: bigint) =>
  (await world.db.selectFrom("reports").select("was_right").where("case_id", "=", caseId).execute()).map(
    ({ was_right }) => was_right,
  );
const isBanned = async (userId: bigint) => (await world.sanctions.banNotice(userId)) !== null;
const alreadyDecided = { code: codes.refused, data: { reason: "already_decided" } };
const forbiddenFor = (reason: string) => ({ code: codes.forbidden, data: { reason } });

test("[CASE-41] 1 clears the user, leaves the reports neutral, and tells reporters that nothing was found", async () => {
  const ana = await world.person();
  world.bus.arrive(ana);
  const caseId = await world.reported(bo, { by: ana });
  expect(await operate(mia, caseId, { operation: 1 })).toBe("decided");
  expect(await world.caseRow(caseId)).toMatchObject({ state: "decided", operation: 1, decided_by: mia });
  expect(await judged(caseId)).toEqual([null]);
  const text = "Thank you for your report. We looked at it and found nothing against our rules this time.";
  expect(world.bus.take(ana)).toEqual([{ code: 100_004, text, outcome: "nothing_found", reason_id: 4 }]);
  expect(await world.auditOf(bo)).toEqual(["report", "clear"]);
  expect(await isBanned(bo)).toBe(false);
});

test("[CASE-41] 2 finds the reports unfounded", async () => {
  const caseId = await world.reported(bo);
  await operate(mia, caseId, { operation: 2 });
  expect(await judged(caseId)).toEqual([false]);
  expect(await world.auditOf(bo)).toEqual(["report", "reject"]);
});

test("[CASE-41] 3 warns the user, and tells reporters that something was done", async () => {
  const ana = await world.person();
  world.bus.arrive(ana);
  world.bus.arrive(bo);
  const caseId = await world.reported(bo, { by: ana, reasonId: 5 });
  await operate(mia, caseId, { operation: 3, note: "be kind" });
  expect(world.bus.take(bo)).toMatchObject([{ code: 100_004, outcome: "warned", reason_id: 5 }]);
  expect(world.bus.take(ana)).toMatchObject([{ outcome: "acted" }]);
  expect(await judged(caseId)).toEqual([true]);
  expect(await isBanned(bo)).toBe(false);
});

test("[CASE-41] 4 bans with a strike, ends call and session, and tells reporters", async () => {
  const [ana, other] = [await world.person(), await world.person()];
  world.bus.arrive(ana);
  world.bus.arrive(bo);
  const caseId = await world.reported(bo, { by: ana });
  world.inCall.set(bo, { callId: "live-2", otherId: other });
  expect(await operate(mia, caseId, { operation: 4, hours: 168 })).toBe("decided");
  const until = new Date(world.clock.nowMs() + 7 * dayMs);
  expect(await world.bansOf(bo)).toMatchObject([
    { reason_id: 1, until, decided_by: mia, is_provisional: false, strike: 1, case_id: caseId, rule: null },
  ]);
  expect(await world.strikesOf(bo)).toMatchObject([{ reason_id: 1, case_id: caseId, revoked_at: null }]);
  expect(world.tookCarried()).toEqual([`cut ${bo}`, `notice ${bo}`, `end ${bo}`, `beans live-2 ${other}`]);
  expect(world.bus.take(bo)).toMatchObject([
    { code: 100_005, reason_id: 1, facts: { by: "person", strike: 1, reports: 1 } },
  ]);
  expect(world.bus.take(ana)).toMatchObject([{ code: 100_004, outcome: "acted" }]);
  expect(await world.auditOf(bo)).toEqual(["report", "forbid", "strike"]);
});

test("rejects a ban without a length, an unknown case and a permanent ban for a wrong gender, and decides nothing", async () => {
  const caseId = await world.reported(bo, { reasonId: 10 });
  expect(await refusalOf(operate(mia, caseId, { operation: 4 }))).toEqual({ code: 400, data: { field: "hours" } });
  expect(await refusalOf(operate(mia, caseId, { operation: 4, hours: 0 }))).toEqual({
    code: 400,
    data: { field: "hours" },
  });
  expect(await refusalOf(operate(mia, 999_999n, { operation: 1 }))).toEqual({ code: 400, data: { field: "id" } });
  expect(await world.caseRow(caseId)).toMatchObject({ state: "open" });
  expect(await judged(caseId)).toEqual([null]);
});

test("gives no strike for a wrong gender", async () => {
  const caseId = await world.reported(bo, { reasonId: 10 });
  await operate(mia, caseId, { operation: 4, hours: 24 });
  expect(await world.bansOf(bo)).toMatchObject([{ reason_id: 7, strike: 0 }]);
  expect(await world.strikesOf(bo)).toEqual([]);
});

test("[CASE-46] accepts a repeated decision once, rejects a different one, and counts two at once as one", async () => {
  const caseId = await world.reported(bo);
  const answers = await Promise.all(Array.from({ length: 4 }, () => operate(mia, caseId, { operation: 4, hours: 24 })));
  expect(answers).toEqual(["decided", "decided", "decided", "decided"]);
  expect(await world.bansOf(bo)).toHaveLength(1);
  expect(await refusalOf(operate(mia, caseId, { operation: 4, hours: 168 }))).toEqual(alreadyDecided);
  expect(await refusalOf(operate(mia, caseId, { operation: 1 }))).toEqual(alreadyDecided);
  expect(await refusalOf(operate(noor, caseId, { operation: 4, hours: 24 }))).toEqual(alreadyDecided);
  expect(world.tookCarried().filter((one) => one.startsWith("end"))).toHaveLength(1);
});

test("[CASE-46] accepts one of two concurrent decisions, and rejects the other", async () => {
  for (let round = 0; round < 5; round += 1) {
    const subject = await world.person();
    const caseId = await world.reported(subject);
    const outcomes = await Promise.allSettled([
      operate(mia, caseId, { operation: 1 }),
      operate(noor, caseId, { operation: 4, hours: 24 }),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const { decided_by } = await world.caseRow(caseId);
    const bans = await world.bansOf(subject);
    expect(bans).toHaveLength(decided_by === noor ? 1 : 0);
  }
});

test("[CASE-46] rejects a decision that waited while another was made", async () => {
  const caseId = await world.reported(bo);
  const decisions = await world.db.transaction().execute(async (trx) => {
    await lockSubject(trx, bo);
    const running = [operate(mia, caseId, { operation: 1 }), operate(noor, caseId, { operation: 4, hours: 24 })];
    const settled = Promise.allSettled(running);
    for (let waiting = 0; waiting < running.length;) {
      // Without this, the transaction reads the same activity as in its first query.
      await sql`select pg_stat_clear_snapshot()`.execute(trx);
      const { rows } = await sql<{ waiting: bigint }>`
        select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(trx);
      waiting = Number(rows[0]?.waiting);
    }
    return { settled };
  });
  const outcomes = await decisions.settled;
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("[CASE-46] adds a report to the case before a concurrent decision, or opens the next case", async () => {
  for (let round = 0; round < 5; round += 1) {
    const subject = await world.person();
    const caseId = await world.reported(subject);
    const [later] = await Promise.all([world.reported(subject), operate(mia, caseId, { operation: 2 })]);
    const state = (await world.caseRow(later)).state;
    expect(state).toBe(later === caseId ? "decided" : "open");
    const reports = await world.db
      .selectFrom("reports")
      .select(["case_id", "was_right"])
      .where("reported_id", "=", subject)
      .execute();
    for (const { case_id, was_right } of reports) expect(was_right).toBe(case_id === caseId ? false : null);
  }
});

test("[CASE-48] rejects decisions about oneself, of a moderator about a moderator, and of a moderator about a minor", async () => {
  const [rhea, sam] = [await world.administrator(), await world.administrator()];
  const decide = (by: bigint, caseId: bigint) => operate(by, caseId, { operation: 1 });
  const aboutMia = await world.reported(mia);
  expect(await refusalOf(decide(mia, aboutMia))).toEqual(forbiddenFor("own_case"));
  expect(await refusalOf(decide(noor, aboutMia))).toEqual(forbiddenFor("colleague"));
  expect(await refusalOf(quick(noor, mia))).toEqual(forbiddenFor("colleague"));
  expect(await refusalOf(quick(mia, mia))).toEqual(forbiddenFor("own_case"));
  expect(await decide(rhea, aboutMia)).toBe("decided");
  const aboutRhea = await world.reported(rhea);
  expect(await refusalOf(decide(mia, aboutRhea))).toEqual(forbiddenFor("colleague"));
  expect(await refusalOf(decide(rhea, aboutRhea))).toEqual(forbiddenFor("own_case"));
  expect(await decide(sam, aboutRhea)).toBe("decided");
  const minor = await world.reported(bo, { reasonId: 8 });
  expect(await refusalOf(decide(mia, minor))).toEqual(forbiddenFor("role"));
  expect(await refusalOf(quick(mia, bo, { reason_id: 5 }))).toEqual(forbiddenFor("role"));
  expect(await decide(rhea, minor)).toBe("decided");
  const logged = await world.db.selectFrom("restricted_access").selectAll().where("case_id", "=", minor).execute();
  expect(logged).toMatchObject([{ actor_id: rhea, act: "decide" }]);
});

test("requires a second moderator for a permanent ban, and bans for at most a week meanwhile", async () => {
  const caseId = await world.reported(bo);
  expect(await operate(mia, caseId, { operation: 4, hours: 0, note: "again" })).toBe("second");
  expect(await operate(mia, caseId, { operation: 4, hours: 0 })).toBe("second");
  const at = world.clock.nowMs();
  expect(await world.bansOf(bo)).toMatchObject([
    { until: new Date(at + 7 * dayMs), is_provisional: true, decided_by: mia, seconded_by: null },
  ]);
  expect(await world.caseRow(caseId)).toMatchObject({
    state: "second",
    asked_reason_id: 1,
    asked_note: "again",
    lapses_at: new Date(at + 3 * dayMs),
  });
  expect(await refusalOf(second(mia, caseId, 4))).toEqual(forbiddenFor("own_case"));
  await second(noor, caseId, 4);
  expect(await world.bansOf(bo)).toMatchObject([{ until: null, is_provisional: false, seconded_by: noor }]);
  expect(await refusalOf(second(noor, caseId, 4))).toEqual(alreadyDecided);
  expect(await world.auditOf(bo)).toEqual(["report", "ask_second", "strike", "second_agree"]);
});

test("lets the second moderator shorten a ban to 30 days, or lift it with its strike", async () => {
  const shortened = await world.reported(bo);
  const decidedAt = world.clock.nowMs();
  await operate(mia, shortened, { operation: 4, hours: 0 });
  world.clock.advance(hourMs);
  await second(noor, shortened, 2);
  expect(await world.bansOf(bo)).toMatchObject([{ until: new Date(decidedAt + 30 * dayMs), is_provisional: false }]);
  expect(await world.strikesOf(bo)).toMatchObject([{ revoked_at: null }]);

  const carl = await world.person();
  const lifted = await world.reported(carl);
  await operate(mia, lifted, { operation: 4, hours: 0 });
  expect(await isBanned(carl)).toBe(true);
  await second(noor, lifted, 1);
  expect(await isBanned(carl)).toBe(false);
  expect(await world.bansOf(carl)).toMatchObject([{ ended_because: "lifted" }]);
  expect((await world.strikesOf(carl))[0]?.revoked_at).not.toBeNull();
  expect(await judged(lifted)).toEqual([null]);
  expect(await world.strikesOf(bo)).toMatchObject([{ revoked_at: null }]);
});

test("accepts one of two concurrent second opinions", async () => {
  const caseId = await world.reported(bo);
  await operate(mia, caseId, { operation: 4, hours: 0 });
  const rhea = await world.administrator();
  const outcomes = await Promise.allSettled([second(noor, caseId, 4), second(rhea, caseId, 1)]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("decides the reports of the waiting time with the second opinion, and ends their pause", async () => {
  const [rhea, sam] = [await world.administrator(), await world.administrator()];
  for (const [operation, outcome, wasRight] of [
    [1, "nothing_found", null],
    [2, "acted", true],
    [4, "acted", true],
  ] as const) {
    const [subject, ana] = [await world.person(), await world.person()];
    expect(await quick(rhea, subject, { hours: 0, reason_id: 5 })).toBe("second");
    const caseId = await world.reported(subject, { by: ana, reasonId: 8 });
    expect((await world.moderation.restrictionsOf(subject)).pausedUntil).not.toBeNull();
    world.bus.arrive(ana);
    await second(sam, caseId, operation);
    expect((await world.moderation.restrictionsOf(subject)).pausedUntil).toBeNull();
    expect(await judged(caseId)).toEqual([wasRight]);
    expect(world.bus.take(ana)).toMatchObject([{ code: 100_004, outcome, reason_id: 8 }]);
    expect((await world.auditOf(subject)).filter((kind) => kind.includes("pause"))).toEqual(["pause", "unpause"]);
  }
});

test("does not notify a reporter of the second decision who was notified of the first", async () => {
  const [ana, cem] = [await world.person(), await world.person()];
  for (const userId of [ana, cem]) world.bus.arrive(userId);
  const caseId = await world.reported(bo, { by: ana });
  await operate(mia, caseId, { operation: 4, hours: 0 });
  await world.reported(bo, { by: cem });
  expect([world.bus.take(ana).length, world.bus.take(cem).length]).toEqual([1, 0]);
  await second(noor, caseId, 4);
  expect([world.bus.take(ana).length, world.bus.take(cem).length]).toEqual([0, 1]);
});

test("tells a reporter who returns after the ban was lifted that nothing was found", async () => {
  const ana = await world.person();
  const caseId = await world.reported(bo, { by: ana });
  await operate(mia, caseId, { operation: 4, hours: 0 });
  await second(noor, caseId, 1);
  world.bus.arrive(ana);
  await world.told();
  expect(world.bus.take(ana)).toMatchObject([{ code: 100_004, outcome: "nothing_found" }]);
});

test("[CASE-3] climbs the ladder by strikes, without revoked ones", async () => {
  for (const strike of [1, 2, 3, 3]) {
    await operate(mia, await world.reported(bo), { operation: 4, hours: 24 });
    const bans = await world.bansOf(bo);
    expect(bans.at(-1)?.strike).toBe(strike);
  }
});

test("ends a ban by software with a moderator's decision: replaced by a ban, or lifted with a refund", async () => {
  const signal = await world.flag(bo);
  await world.moderation.suspend(signal);
  const [suspension] = await world.bansOf(bo);
  await operate(mia, suspension?.case_id ?? 0n, { operation: 4, hours: 24 });
  expect(await world.bansOf(bo)).toMatchObject([{ ended_because: "replaced" }, { strike: 1, decided_by: mia }]);

  const carl = await world.person();
  const wrong = await world.flag(carl);
  await world.moderation.suspend(wrong);
  world.clock.advance(hourMs);
  world.tookCarried();
  const [suspended] = await world.bansOf(carl);
  await operate(mia, suspended?.case_id ?? 0n, { operation: 1 });
  expect(await world.bansOf(carl)).toMatchObject([{ ended_because: "lifted" }]);
  expect(world.tookCarried()).toEqual([`beans ${wrong.callId} ${carl}`]);
  const at = world.clock.nowMs();
  await world.moderation.suspend(await world.flag(carl));
  expect((await world.bansOf(carl)).at(-1)?.until?.getTime()).toBe(at + 900_000);
});

test("lifts a suspension by software after a warning, without a refund of the call", async () => {
  await world.moderation.suspend(await world.flag(bo));
  world.tookCarried();
  const [suspension] = await world.bansOf(bo);
  await operate(mia, suspension?.case_id ?? 0n, { operation: 3 });
  expect(await world.bansOf(bo)).toMatchObject([{ ended_because: "lifted" }]);
  expect(world.tookCarried()).toEqual([]);
});

test("resumes matching for the user after a decision", async () => {
  const caseId = await world.reported(bo, { reasonId: 8 });
  expect((await world.moderation.restrictionsOf(bo)).pausedUntil).not.toBeNull();
  await operate(await world.administrator(), caseId, { operation: 1 });
  expect((await world.moderation.restrictionsOf(bo)).pausedUntil).toBeNull();
  expect(await world.auditOf(bo)).toEqual(["report", "pause", "unpause", "clear"]);
});

test("opens and decides a case by a quick ban, decides a waiting one, and accepts a double press once", async () => {
  expect(await Promise.all([quick(mia, bo), quick(mia, bo)])).toEqual(["decided", "decided"]);
  expect(await world.bansOf(bo)).toMatchObject([{ reason_id: 2, strike: 1 }]);
  const carl = await world.person();
  const waiting = await world.reported(carl);
  expect(await quick(noor, carl, { hours: 0 })).toBe("second");
  expect(await world.caseRow(waiting)).toMatchObject({ state: "second", decided_by: noor });
  expect(await refusalOf(quick(mia, carl))).toEqual(alreadyDecided);
  expect(await refusalOf(quick(mia, 9_999_999n))).toEqual({ code: 400, data: { field: "other_id" } });
});

test("asks before a second quick ban of a user whom a moderator has banned, and makes it once confirmed", async () => {
  await quick(mia, bo);
  world.clock.advance(60_001);
  const until = (await world.bansOf(bo))[0]!.until!.getTime();
  const alreadyBanned = { code: codes.refused, data: { reason: "already_banned", until } };
  for (const by of [mia, noor]) expect(await refusalOf(quick(by, bo))).toEqual(alreadyBanned);
  expect(await world.bansOf(bo)).toHaveLength(1);
  expect(await world.auditOf(bo)).toEqual(["forbid", "strike"]);
  expect(await quick(noor, bo, { isAgain: true })).toBe("decided");
  expect(await world.bansOf(bo)).toMatchObject([{ strike: 1 }, { strike: 2 }]);
  // Neither an ended ban nor a suspension by software makes a quick ban ask first.
  const carl = await world.person();
  await quick(mia, carl);
  world.clock.advance(24 * 3_600_000);
  expect(await quick(mia, carl)).toBe("decided");
  const dia = await world.person();
  await world.moderation.suspend(await world.flag(dia));
  expect(await quick(mia, dia)).toBe("decided");
});
