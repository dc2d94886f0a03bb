import { beforeAll, beforeEach, expect, test } from "vitest";
import type { ReportReason } from "@fava/wire/reasons.ts";
import type { LiveEvidence } from "#ports/moderation.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { refusalOf } from "#test/fixtures/session-world.ts";
import { ReportService } from "./report-service.ts";

const dayMs = 86_400_000;
let world: ModerationWorld;
let reports: ReportService;
let late: Parameters<LiveEvidence["of"]>[1] | null = null;
let remembered: ReturnType<LiveEvidence["of"]> = { callId: null, items: [] };
let bo: bigint;
let mia: bigint;

beforeAll(async () => {
  world = await ModerationWorld.open();
  const callEvidence = {
    local: (_query: unknown, onLate: NonNullable<typeof late>) => {
      late = onLate;
      return remembered;
    },
    requestRemote: () => undefined,
  };
  const directory = { isAcquainted: async () => true, unwrittenCalls: async () => [] };
  reports = new ReportService({ ...world.parts, directory, moderation: world.moderation, callEvidence });
  leftovers.push(reports);
});
beforeEach(async () => {
  remembered = { callId: null, items: [] };
  [bo, mia] = [await world.person(), await world.moderator()];
});

const report = (reporterId: bigint, reasonId: ReportReason = 5, reportedId = bo) =>
  reports.reportPerson({ reporterId, reportedId, reasonId, callId: null, lineId: null, note: "" });
const pausedUntil = async (userId = bo) => (await world.moderation.restrictionsOf(userId)).pausedUntil;
const casesOf = (userId: bigint) =>
  world.db.selectFrom("cases").selectAll().where("subject_id", "=", userId).orderBy("id").execute();
const decide = async (caseId: bigint, operation: 1 | 2) => {
  await world.claim(mia, `case:${caseId}`);
  return world.cases.decisions.operate(await world.viewer(mia), caseId, { operation, note: "" });
};

/** A user who has made four unfounded reports. */
async function liar(): Promise<bigint> {
  const userId = await world.person();
  for (let count = 0; count < 4; count += 1) {
    const subject = await world.person();
    await report(userId, 5, subject);
    await decide((await casesOf(subject))[0]?.id ?? 0n, 2);
  }
  return userId;
}

test("opens a case with the evidence that the call's server remembers, and adds evidence that arrives later", async () => {
  const ana = await world.person();
  const callId = await world.call(ana, bo);
  remembered = { callId, items: [world.frame(), world.lines("hi")] };
  await report(ana, 4);
  const [opened] = await casesOf(bo);
  expect(opened).toMatchObject({ call_id: callId, rule: "report", harm: 1, reason_id: 4 });
  const kept = await world.db.selectFrom("reports").select("case_id").where("reporter_id", "=", ana).execute();
  expect(kept).toEqual([{ case_id: opened?.id }]);
  late?.([world.frame({ view: "received" })]);
  await reports[Symbol.asyncDispose]();
  const pieces = await world.moderation.evidence.of(opened?.id ?? 0n);
  expect(pieces.map(({ kind, view }) => [kind, view])).toEqual([
    ["frame", "own"],
    ["lines", null],
    ["frame", "received"],
  ]);
});

test("counts one reporter once, however many reports they send for whatever reasons", async () => {
  const ana = await world.person();
  for (const reasonId of [4, 5, 6, 7, 9, 10, 11] as const) {
    await report(ana, reasonId);
    world.clock.advance(61_000);
    await report(ana, reasonId);
  }
  expect(await casesOf(bo)).toHaveLength(1);
  expect(await pausedUntil()).toBeNull();
});

test("counts accounts of one device as one reporter, and processes concurrent reports in turn", async () => {
  const device = "one device of many accounts";
  for (let count = 0; count < 5; count += 1) await report(await world.person({ device }));
  expect(await pausedUntil()).toBeNull();
  const [two, three] = [await world.person(), await world.person()];
  await Promise.all([report(two), report(three)]);
  expect(await pausedUntil()).toBe(world.clock.nowMs() + dayMs);
  expect((await world.auditOf(bo)).filter((kind) => kind === "pause")).toHaveLength(1);
});

test("pauses nobody for any number of unreliable reporters", async () => {
  const liars = [await liar(), await liar(), await liar()];
  for (const one of liars) await report(one);
  expect(await pausedUntil()).toBeNull();
  expect(await casesOf(bo)).toMatchObject([{ state: "open", rule: "report" }]);
  const [ana, carl] = [await world.person(), await world.person()];
  await report(ana);
  expect(await pausedUntil()).toBeNull();
  await report(carl);
  expect(await pausedUntil()).not.toBeNull();
});

test("ends a pause by reports after a day, however many more reports follow", async () => {
  for (let count = 0; count < 3; count += 1) await report(await world.person());
  const until = world.clock.nowMs() + dayMs;
  expect(await pausedUntil()).toBe(until);
  expect(await casesOf(bo)).toMatchObject([{ rule: "reports_many" }]);
  world.clock.advance(dayMs - 1);
  await report(await world.person());
  expect(await pausedUntil()).toBe(until);
  world.clock.advance(1);
  for (let count = 0; count < 3; count += 1) await report(await world.person());
  expect(await pausedUntil()).toBeNull();
});

test("does not count reports older than a day together", async () => {
  await report(await world.person());
  await report(await world.person());
  world.clock.advance(dayMs);
  await report(await world.person());
  expect(await pausedUntil()).toBeNull();
});

test("rejects a report about oneself, and opens nothing for a repetition", async () => {
  expect(await refusalOf(report(bo))).toEqual({ code: 400, data: { field: "other_id" } });
  expect(await casesOf(bo)).toEqual([]);
  const ana = await world.person();
  await Promise.all([report(ana), report(ana), report(ana)]);
  expect(await world.auditOf(bo)).toEqual(["report"]);
});

test("shows reports about moderators to administrators, and never names reporters", async () => {
  const [ana, noor, rhea] = [await world.person(), await world.moderator(), await world.administrator()];
  await report(ana, 5, noor);
  const [about] = await casesOf(noor);
  const listed = async (by: bigint) =>
    (await world.cases.caseService.list(await world.viewer(by), { box: "reports", order: "oldest" })).rows.map(
      ({ id }) => id,
    );
  expect(await listed(mia)).not.toContain(String(about?.id));
  expect(await listed(noor)).not.toContain(String(about?.id));
  expect(await listed(rhea)).toContain(String(about?.id));
  const actors = await world.db.selectFrom("audit_log").select("actor_id").where("subject_id", "=", noor).execute();
  expect(actors).toEqual([{ actor_id: null }]);
});
