import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";

const dayMs = 86_400_000;
const minuteMs = 60_000;
let world: ModerationWorld;
let bo: bigint;

beforeAll(async () => {
  world = await ModerationWorld.open();
});
beforeEach(async () => {
  bo = await world.person();
  world.tookCarried();
});

const evidenceOf = (caseId: bigint) =>
  world.db.selectFrom("evidence").selectAll().where("case_id", "=", caseId).orderBy("id").execute();
const auditRows = (caseId: bigint) =>
  world.db.selectFrom("audit_log").selectAll().where("case_id", "=", caseId).orderBy("id").execute();

test("returns changed restrictions at once, and drops expired ones", async () => {
  const { moderation, clock } = world;
  expect(await moderation.restrictionsOf(bo)).toEqual({
    pausedUntil: null,
    mutedUntil: null,
    isNew: true,
    isWatched: false,
    ageGate: null,
    startsCovered: true,
    hintsAge: true,
    isReceivedOnly: false,
  });
  const untilMs = clock.nowMs() + 10_000;
  await moderation.muteChat(bo, { rule: "contact_in_chat", untilMs });
  expect(await moderation.restrictionsOf(bo)).toMatchObject({ mutedUntil: untilMs });
  clock.advance(10_000);
  expect(await moderation.restrictionsOf(bo)).toMatchObject({ mutedUntil: null });
  expect(await world.auditOf(bo)).toEqual(["mute"]);
});

test("treats an account as new for a day and for ten calls", async () => {
  const other = await world.person();
  for (let calls = 0; calls < 9; calls += 1) await world.call(bo, other);
  expect(await world.moderation.restrictionsOf(bo)).toMatchObject({ isNew: true });
  await world.call(other, bo);
  world.clock.advance(minuteMs);
  expect(await world.moderation.restrictionsOf(bo)).toMatchObject({ isNew: false });
  const young = await world.person({ ageMs: dayMs - 1_000 });
  for (let calls = 0; calls < 10; calls += 1) await world.call(young, other);
  expect(await world.moderation.restrictionsOf(young)).toMatchObject({ isNew: true });
  world.clock.advance(minuteMs);
  expect(await world.moderation.restrictionsOf(young)).toMatchObject({ isNew: false });
});

test("watches a user for a day after a report or a finding", async () => {
  await world.reported(bo);
  const flagged = await world.person();
  await world.moderation.note({ userId: flagged, rule: "skip_rate", dryRun: true, withinMs: dayMs });
  expect(await world.moderation.restrictionsOf(flagged)).toMatchObject({ isWatched: false });
  await world.moderation.note({ userId: flagged, rule: "skip_rate", dryRun: false, withinMs: dayMs });
  for (const userId of [bo, flagged]) {
    expect(await world.moderation.restrictionsOf(userId)).toMatchObject({ isWatched: true });
  }
  world.clock.advance(dayMs);
  for (const userId of [bo, flagged]) {
    expect(await world.moderation.restrictionsOf(userId)).toMatchObject({ isWatched: false });
  }
});

describe("covered starts", () => {
  const startsCovered = async (userId: bigint) => (await world.moderation.restrictionsOf(userId)).startsCovered;
  const passedCalls = async (userId: bigint) =>
    (await world.db.selectFrom("users").select("passed_calls").where("id", "=", userId).executeTakeFirstOrThrow())
      .passed_calls;
  const trusted = async (ageMs?: number) => {
    const userId = await world.person(ageMs === undefined ? {} : { ageMs });
    await world.db.updateTable("users").set({ passed_calls: 10 }).where("id", "=", userId).execute();
    return userId;
  };

  test("count calls with a passed frame up to ten, and apply the tenth at once", async () => {
    for (let calls = 0; calls < 9; calls += 1) await world.moderation.callPassed(bo);
    expect([await startsCovered(bo), await passedCalls(bo)]).toEqual([true, 9]);
    await world.moderation.callPassed(bo);
    expect([await startsCovered(bo), await passedCalls(bo)]).toEqual([false, 10]);
    await Promise.all([world.moderation.callPassed(bo), world.moderation.callPassed(bo)]);
    expect(await passedCalls(bo)).toBe(10);
  });

  test("[SAFE-81] starts accounts younger than a day and unknown accounts covered", async () => {
    const young = await trusted(dayMs - 1_000);
    expect(await startsCovered(young)).toBe(true);
    expect(await startsCovered(9_999_999n)).toBe(true);
    world.clock.advance(minuteMs);
    expect(await startsCovered(young)).toBe(false);
  });

  test("[SAFE-81] starts reported users covered for a day, and flagged ones for 30", async () => {
    const [reported, noted, flagged, open] = [await trusted(), await trusted(), await trusted(), await trusted()];
    await world.reported(reported);
    await world.moderation.note({ userId: noted, rule: "skip_rate", dryRun: true, withinMs: dayMs });
    expect([await startsCovered(reported), await startsCovered(noted)]).toEqual([true, false]);
    await world.moderation.note({ userId: noted, rule: "skip_rate", dryRun: false, withinMs: dayMs });
    const caseId = await world.moderation.open(await world.flag(flagged));
    await world.db.updateTable("cases").set({ state: "decided" }).where("id", "=", caseId).execute();
    await world.moderation.open(await world.flag(open));
    world.clock.advance(dayMs);
    expect(await startsCovered(reported)).toBe(false);
    for (const userId of [noted, flagged]) expect(await startsCovered(userId)).toBe(true);
    world.clock.advance(29 * dayMs);
    for (const userId of [noted, flagged]) expect(await startsCovered(userId)).toBe(false);
    expect(await startsCovered(open)).toBe(true);
  });

  test("[SAFE-81] counts strikes and bans of the last 30 days, without revoked ones", async () => {
    const at = new Date(world.clock.nowMs());
    const [struck, banned, cleared] = [await trusted(), await trusted(), await trusted()];
    const strike = { case_id: null, ban_id: null, reason_id: 4, at, expires_at: at };
    const ban = { reason_id: 4, created_at: at, until: at, ended_early_at: at };
    await world.db
      .insertInto("strikes")
      .values([
        { ...strike, user_id: struck, revoked_at: null },
        { ...strike, user_id: cleared, revoked_at: at },
      ])
      .execute();
    await world.db
      .insertInto("bans")
      .values([
        { ...ban, user_id: banned, ended_because: "shortened" },
        { ...ban, user_id: cleared, ended_because: "lifted" },
      ])
      .execute();
    const read = () => Promise.all([struck, banned, cleared].map(startsCovered));
    expect(await read()).toEqual([true, true, false]);
    world.clock.advance(30 * dayMs);
    expect(await read()).toEqual([false, false, false]);
  });
});

test("joins later reports and findings to a waiting case, under the most harmful of them", async () => {
  const caseId = await world.reported(bo, { reasonId: 6 });
  expect(await world.moderation.open(await world.flag(bo, { rule: "explicit_picture", reasonId: 4 }))).toBe(caseId);
  expect(await world.reported(bo, { reasonId: 10 })).toBe(caseId);
  expect(await world.caseRow(caseId)).toMatchObject({
    rule: "explicit_picture",
    reason_id: 4,
    harm: 1,
    state: "open",
    model: "marker 1",
  });
  expect((await world.caseRow(caseId)).explicit).toBeCloseTo(0.93);
  expect(await world.auditOf(bo)).toEqual(["report", "flag", "report"]);
});

test("opens one case for concurrent signals", async () => {
  const signal = await world.flag(bo);
  const ids = await Promise.all(Array.from({ length: 6 }, () => world.moderation.open(signal)));
  expect(new Set(ids).size).toBe(1);
  expect(await evidenceOf(ids[0]!)).toHaveLength(1);
});

test("counts signals within their window, each rule on its own", async () => {
  const note = (rule: "skip_rate" | "repeated_text", dryRun = false) =>
    world.moderation.note({ userId: bo, rule, dryRun, withinMs: dayMs });
  expect([await note("skip_rate"), await note("skip_rate"), await note("repeated_text")]).toEqual([1, 2, 1]);
  expect(await note("skip_rate", true)).toBe(1);
  world.clock.advance(dayMs);
  expect(await note("skip_rate")).toBe(1);
});

test("[CASE-30] ends call and session after the notice of a suspension", async () => {
  const other = await world.person();
  world.bus.arrive(bo);
  world.inCall.set(bo, { callId: "live-1", otherId: other });
  await world.moderation.suspend(await world.flag(bo));
  world.inCall.delete(bo);
  expect(world.tookCarried()).toEqual([`cut ${bo}`, `notice ${bo}`, `end ${bo}`, `beans live-1 ${other}`]);
  const until = world.clock.nowMs() + 15 * minuteMs;
  expect(world.bus.take(bo)).toMatchObject([
    {
      code: 100_005,
      time: new Date(until).toISOString(),
      facts: { by: "software", is_provisional: true, rule: "explicit_picture_sure", until, strike: 0, reason_id: 1 },
    },
  ]);
  expect(await world.strikesOf(bo)).toEqual([]);
});

test("[CASE-31] logs what software did with model, scores and thresholds", async () => {
  const signal = await world.flag(bo);
  await world.moderation.suspend(signal);
  const [ban] = await world.bansOf(bo);
  const rows = await auditRows(ban?.case_id ?? 0n);
  expect(rows.map(({ kind, actor_id }) => [kind, actor_id])).toEqual([
    ["flag", null],
    ["suspend", null],
  ]);
  expect(JSON.parse(rows[1]?.detail ?? "")).toMatchObject({
    rule: "explicit_picture_sure",
    callId: signal.callId,
    banId: String(ban?.id),
    model: "marker 1",
    explicit: 0.93,
    thresholds: { sure: 0.8 },
  });
  expect(JSON.parse(rows[0]?.detail ?? "")).toMatchObject({ scores: [{ explicit: 0.93 }] });
});

test("[CASE-31] rejects changes and deletions in the log", async () => {
  await world.reported(bo);
  for (const table of ["audit_log", "restricted_access"] as const) {
    await expect(world.db.deleteFrom(table).execute()).rejects.toThrow(/append only|cannot|refus|never/i);
    await expect(world.db.updateTable(table).set({ at: new Date() }).execute()).rejects.toThrow(
      /append only|cannot|refus|never/i,
    );
  }
});

test("suspends a second time within a day until a moderator decides, at most a day; two concurrent ones count as one", async () => {
  const signal = await world.flag(bo);
  await Promise.all([world.moderation.suspend(signal), world.moderation.suspend(signal)]);
  expect(await world.bansOf(bo)).toHaveLength(1);
  world.clock.advance(15 * minuteMs);
  const secondAt = world.clock.nowMs();
  await world.moderation.suspend(await world.flag(bo));
  const [, second] = await world.bansOf(bo);
  expect(second?.until?.getTime()).toBe(secondAt + dayMs);
  expect(second?.is_provisional).toBe(true);
});

test("only opens a case for a sure picture in shadow mode", async () => {
  await world.moderation.suspend(await world.flag(bo, { judgement: { explicit: 0.9, model: "m", shadow: true } }));
  expect(await world.bansOf(bo)).toEqual([]);
  expect(world.tookCarried()).toEqual([]);
  expect(await world.auditOf(bo)).toEqual(["flag"]);
});

test("carries out the other parts of a ban when one fails", async () => {
  const signal = await world.flag(bo);
  const ending = vi.spyOn(world.sanctions, "endSessions").mockRejectedValue(new Error("the hub is gone"));
  await world.moderation.suspend(signal);
  ending.mockRestore();
  expect(world.tookCarried()).toContainEqual(expect.stringContaining(`beans ${signal.callId}`) as string);
  expect(await world.bansOf(bo)).toHaveLength(1);
});

test("[CASE-64] stops matching a suspected minor at once, and keeps only hashes of frames and lines", async () => {
  const caseId = await world.reported(bo, { reasonId: 8 });
  const before = world.blobs.size;
  await world.moderation.addEvidence(caseId, [world.frame(), world.lines("how old are you")]);
  expect(world.blobs.size).toBe(before);
  const kept = await evidenceOf(caseId);
  expect(kept.map(({ kind, blob_key }) => [kind, blob_key])).toEqual([
    ["frame", null],
    ["lines", null],
  ]);
  expect(JSON.parse(kept[0]?.facts ?? "")).toEqual({ phash: "ffff0000ffff0000", explicit: 0.93 });
  expect(await world.caseRow(caseId)).toMatchObject({ queue: "restricted", harm: 1 });
  expect(await world.moderation.restrictionsOf(bo)).toMatchObject({ pausedUntil: expect.any(Number) as number });
});
