import { beforeEach, expect, test } from "vitest";
import { hintPauseMs, pauseMaxMs } from "@fava/wire/limits.ts";
import { untilDecidedMs } from "#ports/moderation.ts";
import { StandingService } from "#people/standing-service.ts";
import { noAgePolicy } from "#test/fixtures/matched.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { hintsEnded } from "./age-hints.ts";

let world: ModerationWorld;
let bo: bigint;
let rae: bigint;

beforeEach(async () => {
  world = await ModerationWorld.open();
  [bo, rae] = [await world.person(), await world.administrator()];
});

const hint = (years = 14.4, subjectId = bo) =>
  world.moderation.hintAge({ subjectId, callId: null, evidence: [world.frame()], years, isMinor: years < 18 });
const openByText = () =>
  world.moderation.open({ subjectId: bo, rule: "minor_in_text", reasonId: 8, callId: null, evidence: [] });
const accuse = async () => world.reported(bo, { by: await world.person({ passedCalls: 10 }), reasonId: 8 });
const inMs = async () => {
  const until = (await world.moderation.restrictionsOf(bo)).pausedUntil;
  return until === null || until === untilDecidedMs ? until : until - world.clock.nowMs();
};
const caseId = async () => (await world.caseOf(bo)) ?? 0n;
const read = async (id: bigint) => world.cases.caseService.read({ ...(await world.viewer(rae)), language: "en" }, id);
const decide = async (operation: 1 | 2 | 3 = 1) => {
  const [viewer, id] = [await world.viewer(rae), await caseId()];
  await world.withClaim(rae, `case:${id}`, () => world.cases.decisions.operate(viewer, id, { operation, note: "" }));
};
const passed = async (userId: bigint) => {
  const at = new Date(world.clock.nowMs());
  await world.db.transaction().execute((trx) => hintsEnded(trx, userId, at));
  world.moderation.changed(userId);
};
const hintsAge = async () => (await world.moderation.restrictionsOf(bo)).hintsAge;

test("[SAFE-520] puts a hint before all other cases of the queue, and pauses matching for 15 minutes", async () => {
  await world.reported(await world.person(), { reasonId: 8 });
  await hint();
  expect(await inMs()).toBe(hintPauseMs);
  const { rows } = await world.cases.caseService.list(await world.viewer(rae), { box: "restricted", order: "harm" });
  expect(rows.map(({ rule, is_paused }) => [rule, is_paused])).toEqual([
    ["minor_in_picture", true],
    ["report", true],
  ]);
  const detail = await read(await caseId());
  expect(detail).toMatchObject({ estimated_age: 14, reason_id: 8 });
  // The evidence of a restricted case has no picture.
  expect(world.blobs.size).toBe(0);
  world.clock.advance(hintPauseMs);
  expect(await inMs()).toBeNull();
});

test("[SAFE-520] counts once for a case", async () => {
  await hint();
  world.clock.advance(hintPauseMs);
  await hint(12);
  expect(await inMs()).toBeNull();
  expect(await read(await caseId())).toMatchObject({ estimated_age: 14 });
});

test("[SAFE-520] counts with a report as a further report, also an estimate below 25", async () => {
  await hint(23);
  expect(await world.caseOf(bo)).toBeUndefined();
  await world.reported(bo, { reasonId: 8 });
  await hint(23);
  expect(await inMs()).toBe(pauseMaxMs);
  expect(await read(await caseId())).toMatchObject({ estimated_age: 23 });
});

test("[SAFE-520] makes a later report by anyone pause like a proven one", async () => {
  await hint();
  await world.reported(bo, { by: await world.person({ ageMs: 60_000 }), reasonId: 8 });
  expect(await inMs()).toBe(pauseMaxMs);
});

test("[SAFE-520] keeps no report from pausing after a hint was cleared", async () => {
  await hint();
  await decide();
  await world.reported(bo, { reasonId: 8 });
  expect(await inMs()).not.toBeNull();
});

test("[SAFE-520] keeps a case that another finding opened, and its rule, after an age check", async () => {
  await openByText();
  await hint();
  await passed(bo);
  expect(await inMs()).toBeNull();
  expect(await world.caseRow(await caseId())).toMatchObject({ state: "open", rule: "minor_in_text" });
  expect(await read(await caseId())).toMatchObject({ estimated_age: null });
});

test("[SAFE-520] keeps a case that another finding joined, and empties its number, after an age check", async () => {
  await hint();
  await openByText();
  await passed(bo);
  expect(await inMs()).toBeNull();
  expect(await read(await caseId())).toMatchObject({ state: "open", estimated_age: null });
});

test("[SAFE-520] changes no decision that waits for its second opinion", async () => {
  await hint();
  const [viewer, id] = [await world.viewer(rae), await caseId()];
  await world.withClaim(rae, `case:${id}`, () =>
    world.cases.decisions.operate(viewer, id, { operation: 4, hours: 0, note: "" }),
  );
  await passed(bo);
  expect(await world.caseRow(id)).toMatchObject({ state: "second", operation: 4, decided_by: rae });
});

test("[SAFE-520] opens no case by a hint that arrives after an age check", async () => {
  const at = new Date(world.clock.nowMs());
  await world.db.updateTable("users").set({ age_checked_at: at }).where("id", "=", bo).execute();
  await hint();
  expect(await world.caseOf(bo)).toBeUndefined();
  expect(await inMs()).toBeNull();
});

test.each([1, 2, 3] as const)(
  "[SAFE-520] ends with a person's decision %i, which empties the number",
  async (operation) => {
    await hint();
    expect(await hintsAge()).toBe(true);
    const id = await caseId();
    await decide(operation);
    expect([await inMs(), await hintsAge()]).toEqual([null, false]);
    expect(await read(id)).toMatchObject({ estimated_age: null });
    await hint(10);
    expect(await inMs()).toBeNull();
  },
);

test("[SAFE-520] ends with an age check, unless a report waits for a person", async () => {
  await hint();
  const id = await caseId();
  await passed(bo);
  expect([await inMs(), await hintsAge()]).toEqual([null, false]);
  expect(await read(id)).toMatchObject({ state: "decided", estimated_age: null });

  const cy = await world.person();
  await hint(14, cy);
  await world.reported(cy, { reasonId: 8 });
  await passed(cy);
  expect(await read((await world.caseOf(cy)) ?? 0n)).toMatchObject({ state: "open", estimated_age: null });
});

test("[SAFE-520] keeps the number out of the audit log, the evidence and the list of cases", async () => {
  await accuse();
  await hint(14.4);
  const { rows } = await world.database.pool.query(
    "select detail as text from audit_log union all select facts from evidence",
  );
  expect(rows.length).toBeGreaterThan(2);
  for (const { text } of rows) expect(text).not.toMatch(/\b14\b|years|estimate/);
});

test("[SAFE-520] leaves users of countries out that an operator names", async () => {
  const { db, clock } = world;
  const standings = new StandingService({
    db,
    clock,
    agePolicy: noAgePolicy,
    moderation: { ageHintsOffCountryIds: [18] },
  });
  expect([(await standings.restrictionsOf(bo)).hintsAge, await hintsAge()]).toEqual([false, true]);
});
