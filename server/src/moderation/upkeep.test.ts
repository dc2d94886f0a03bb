import { pino } from "pino";
import { Registry } from "prom-client";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { evidenceKeptMs } from "@fava/wire/limits.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { queueMetrics } from "./queue-metrics.ts";
import { moderationStatistics } from "./statistics.ts";
import { runModerationUpkeep } from "./upkeep.ts";

const dayMs = 86_400_000;
let world: ModerationWorld;
let bo: bigint;
let mia: bigint;

beforeAll(async () => {
  world = await ModerationWorld.open();
});
beforeEach(async () => {
  [bo, mia] = [await world.person(), await world.moderator()];
});

const upkeep = () => runModerationUpkeep({ ...world.parts, ...world.upkept });
const decide = async (caseId: bigint, operation: 1 | 4, hours?: 0 | 24) => {
  const operate = { operation, note: "", ...(hours !== undefined && { hours }) };
  const viewer = await world.viewer(mia);
  return world.withClaim(mia, `case:${caseId}`, () => world.cases.decisions.operate(viewer, caseId, operate));
};
const evidenceOf = (caseId: bigint) =>
  world.db.selectFrom("evidence").selectAll().where("case_id", "=", caseId).execute();

test("drops a second opinion after 72 hours, and ends the ban after a week", async () => {
  const caseId = await world.reported(bo);
  await decide(caseId, 4, 0);
  const decidedAt = world.clock.nowMs();
  world.clock.advance(3 * dayMs - 1);
  await upkeep();
  expect(await world.caseRow(caseId)).toMatchObject({ state: "second" });
  world.clock.advance(1);
  await Promise.all([upkeep(), upkeep()]);
  expect(await world.caseRow(caseId)).toMatchObject({ state: "decided" });
  expect(await world.auditOf(bo)).toEqual(["report", "ask_second", "strike", "lapse"]);
  expect(await world.bansOf(bo)).toMatchObject([
    { until: new Date(decidedAt + 7 * dayMs), is_provisional: true, ended_early_at: null },
  ]);
  expect(await world.sanctions.banNotice(bo)).not.toBeNull();
  world.clock.advance(4 * dayMs);
  expect(await world.sanctions.banNotice(bo)).toBeNull();
});

/** Bo has appealed against the only ban. */
async function appealWaits(): Promise<void> {
  const [ban] = await world.bansOf(bo);
  const at = new Date(world.clock.nowMs());
  const appeal = { ban_id: ban?.id ?? 0n, user_id: bo, ground: 1, text: "no", language: "en", at, answer_by: at };
  await world.db.insertInto("appeals").values(appeal).execute();
}

describe("reports during the wait for a second opinion", () => {
  let cem: bigint;
  const isPaused = async () => (await world.moderation.restrictionsOf(bo)).pausedUntil !== null;
  beforeEach(async () => {
    [mia, cem] = [await world.administrator(), await world.person()];
  });

  test("wait in a new case with their evidence once the second opinion has lapsed", async () => {
    const ana = await world.person();
    const caseId = await world.reported(bo, { by: ana, reasonId: 8 });
    await world.moderation.addEvidence(caseId, [world.frame()]);
    await decide(caseId, 4, 0);
    world.clock.advance(dayMs);
    expect(await world.reported(bo, { by: cem, reasonId: 8 })).toBe(caseId);
    await world.moderation.addEvidence(caseId, [world.frame()]);
    expect(await isPaused()).toBe(false);
    world.clock.advance(2 * dayMs);
    await Promise.all([upkeep(), upkeep()]);
    expect(await world.caseRow(caseId)).toMatchObject({ state: "decided" });
    const next = (await world.caseOf(bo)) ?? 0n;
    expect(await world.caseRow(next)).toMatchObject({
      state: "open",
      queue: "restricted",
      reason_id: 8,
      rule: "report",
    });
    const reports = world.db.selectFrom("reports").select(["reporter_id", "case_id", "was_right"]).orderBy("id");
    expect(await reports.where("reported_id", "=", bo).execute()).toEqual([
      { reporter_id: ana, case_id: caseId, was_right: true },
      { reporter_id: cem, case_id: next, was_right: null },
    ]);
    expect([await evidenceOf(caseId), await evidenceOf(next)].map(({ length }) => length)).toEqual([1, 1]);
    // Upkeep may run at another server, so this server reads the change a minute later, when the cache has expired.
    world.clock.advance(60_000);
    expect(await isPaused()).toBe(true);
    world.bus.arrive(cem);
    await decide(next, 1);
    await world.told();
    expect(await isPaused()).toBe(false);
    expect(world.bus.take(cem)).toMatchObject([{ code: 100_004, outcome: "nothing_found" }]);
  });

  test("keep their expired pause, and put the new case first", async () => {
    const forbid = { hours: 0, reason_id: 5, note: "" } as const;
    await world.cases.decisions.quickForbid(await world.viewer(mia), bo, forbid);
    const caseId = await world.reported(bo, { by: cem, reasonId: 8 });
    world.clock.advance(3 * dayMs);
    await upkeep();
    const next = (await world.caseOf(bo)) ?? 0n;
    expect([next === caseId, await isPaused()]).toEqual([false, false]);
    const { rows } = await world.cases.caseService.list(await world.viewer(mia), { box: "restricted", order: "harm" });
    expect(rows.find(({ id }) => id === String(next))?.due_at).toBeLessThan(world.clock.nowMs());
  });
});

test("moves findings and views of the wait for a second opinion to a new case, without a report", async () => {
  const caseId = await world.reported(bo);
  await world.moderation.addEvidence(caseId, [world.frame()]);
  await decide(caseId, 4, 0);
  world.clock.advance(dayMs);
  let callId = "";
  for (const joined of [null, caseId]) {
    const sender = await world.person();
    callId = await world.call(sender, bo);
    const sent = { ...(await world.flag(bo, { rule: "views_differ", reasonId: 11, callId })), callId };
    expect(await world.moderation.openByView(sent, sender)).toBe(joined);
  }
  world.clock.advance(1_000);
  const judgement = { explicit: 0.95, model: "marker 2", shadow: true };
  expect(await world.moderation.open(await world.flag(bo, { rule: "explicit_picture", judgement }))).toBe(caseId);
  world.clock.advance(2 * dayMs);
  await Promise.all([upkeep(), upkeep()]);
  expect(await world.caseRow(caseId)).toMatchObject({ state: "decided" });
  const next = (await world.caseOf(bo)) ?? 0n;
  const noticed = { rule: "explicit_picture", reason_id: 4, call_id: callId, explicit: 0.95, model: "marker 2" };
  expect(await world.caseRow(next)).toMatchObject({ ...noticed, state: "open", shadow: true });
  expect([await evidenceOf(caseId), await evidenceOf(next)].map(({ length }) => length)).toEqual([1, 2]);
  const views = world.db.selectFrom("sent_views").select(["case_id", "was_right"]).where("subject_id", "=", bo);
  expect(await views.execute()).toEqual(Array(2).fill({ case_id: next, was_right: null }));
  await decide(next, 4, 24);
  expect(await views.execute()).toEqual(Array(2).fill({ case_id: next, was_right: true }));
});

test("[CASE-55] erases evidence after 30 days, its bytes first", async () => {
  const caseId = await world.moderation.open(await world.flag(bo));
  await decide(caseId, 1);
  const [piece] = await evidenceOf(caseId);
  world.clock.advance(evidenceKeptMs - 1);
  await upkeep();
  expect(world.blobs.has(piece?.blob_key ?? "")).toBe(true);
  world.clock.advance(1);
  await Promise.all([upkeep(), upkeep()]);
  expect(world.blobs.has(piece?.blob_key ?? "")).toBe(false);
  expect(await evidenceOf(caseId)).toMatchObject([
    { blob_key: null, facts: "{}", erased_at: new Date(world.clock.nowMs()) },
  ]);
});

test("[CASE-55] keeps evidence while its case or an appeal is open", async () => {
  const caseId = await world.moderation.open(await world.flag(bo));
  world.clock.advance(evidenceKeptMs + dayMs);
  await upkeep();
  expect(await evidenceOf(caseId)).toMatchObject([{ erased_at: null }]);
  await decide(caseId, 4, 24);
  await appealWaits();
  await upkeep();
  expect(await evidenceOf(caseId)).toMatchObject([{ erased_at: null }]);
  await world.db.updateTable("appeals").set({ state: "upheld" }).where("user_id", "=", bo).execute();
  await upkeep();
  expect((await evidenceOf(caseId))[0]?.erased_at).not.toBeNull();
});

test("erases evidence despite the appeal of an erased account, which no queue counts", async () => {
  const caseId = await world.moderation.open(await world.flag(bo));
  await decide(caseId, 4, 24);
  await appealWaits();
  const viewer = await world.viewer(mia);
  const metrics = new Registry();
  queueMetrics({ db: world.db, clock: world.clock, metrics, logger: pino({ level: "silent" }) });
  const valueOf = async (name: string, queue?: string) =>
    (await metrics.getSingleMetric(name)?.get())?.values.find(({ labels }) => labels["queue"] === queue)?.value;
  const waits = async () => {
    const { waiting } = await moderationStatistics(world.db, 1, world.clock.nowMs());
    const measured = await valueOf("fava_cases_waiting", "appeals");
    return [
      (await world.cases.caseService.numbers(viewer)).appeals,
      waiting,
      measured,
      await valueOf("fava_appeals_overdue"),
    ];
  };
  world.clock.advance(evidenceKeptMs);
  const before = await waits();
  await world.db
    .updateTable("users")
    .set({ erased_at: new Date(world.clock.nowMs()) })
    .where("id", "=", bo)
    .execute();
  await upkeep();
  expect(await evidenceOf(caseId)).toMatchObject([{ blob_key: null, erased_at: new Date(world.clock.nowMs()) }]);
  expect(await waits()).toEqual(before.map((count = 0) => count - 1));
});

test("deletes expired claims and signals, and runs the other parts when one fails", async () => {
  await world.cases.caseService.claim(await world.viewer(mia), `case:${await world.reported(bo)}`, true);
  await world.moderation.note({ userId: bo, rule: "skip_rate", dryRun: true, withinMs: dayMs });
  world.clock.advance(31 * dayMs);
  const broken = { eraseDue: () => Promise.reject(new Error("no storage")) };
  await runModerationUpkeep({ ...world.parts, ...world.upkept, evidence: broken as never });
  expect(await world.db.selectFrom("claims").selectAll().execute()).toEqual([]);
  expect(await world.db.selectFrom("signals").selectAll().execute()).toEqual([]);
});

describe("owed refunds", () => {
  const owedTo = async (userId: bigint) =>
    world.db.selectFrom("owed_beans").select(["call_id", "tries"]).where("user_id", "=", userId).execute();
  let callId: string;
  let other: bigint;

  beforeEach(async () => {
    world.isLedgerDown = true;
    other = await world.person();
    callId = await world.call(bo, other);
    await world.moderation.suspend({ ...(await world.flag(bo)), callId });
    world.tookCarried();
  });

  afterEach(async () => {
    world.isLedgerDown = false;
    await world.db.deleteFrom("owed_beans").execute();
  });

  test("are noted when the ledger fails, and paid by upkeep once", async () => {
    expect(await owedTo(other)).toEqual([{ call_id: callId, tries: 0 }]);
    world.isLedgerDown = false;
    await upkeep();
    expect(world.tookCarried()).toEqual([]);
    world.clock.advance(61_000);
    await upkeep();
    await upkeep();
    expect(world.tookCarried()).toEqual([`beans ${callId} ${other}`]);
    expect(await owedTo(other)).toEqual([]);
  });

  test("are retried for a day of upkeep, and stay stored", async () => {
    world.clock.advance(61_000);
    await upkeep();
    expect(await owedTo(other)).toEqual([{ call_id: callId, tries: 1 }]);
    await world.db.updateTable("owed_beans").set({ tries: 300 }).execute();
    world.isLedgerDown = false;
    await upkeep();
    expect([await owedTo(other), world.tookCarried()]).toEqual([[{ call_id: callId, tries: 300 }], []]);
  });

  test("include a call that was cut by mistake, owed to the user who was cut off", async () => {
    await decide((await world.caseOf(bo)) ?? 0n, 1);
    expect(await owedTo(bo)).toEqual([{ call_id: callId, tries: 0 }]);
  });
});
