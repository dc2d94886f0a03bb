import { beforeAll, beforeEach, expect, test } from "vitest";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { refusalOf } from "#test/fixtures/session-world.ts";

let world: ModerationWorld;
let bo: bigint;
let mia: bigint;
let noor: bigint;

beforeAll(async () => {
  world = await ModerationWorld.open();
});
beforeEach(async () => {
  [bo, mia, noor] = [await world.person(), await world.moderator("Mia"), await world.moderator("Noor")];
});

const clear = { operation: 1, note: "" } as const;
const decide = async (by: bigint, caseId: bigint) =>
  world.cases.decisions.operate(await world.viewer(by), caseId, clear);
const quick = async (by: bigint, subjectId: bigint) =>
  world.cases.decisions.quickForbid(await world.viewer(by), subjectId, { hours: 24, reason_id: 2, note: "seen" });
const forbiddenFor = (reason: string) => ({ code: 403, data: { reason } });

test("requires a claim to decide a case, and keeps it against other moderators", async () => {
  const caseId = await world.reported(bo);
  expect(await refusalOf(decide(mia, caseId))).toEqual(forbiddenFor("not_claimed"));
  await world.cases.caseService.claim(await world.viewer(mia), `case:${caseId}`, true);
  const until = world.clock.nowMs() + 600_000;
  expect(await refusalOf(decide(noor, caseId))).toEqual({
    code: 403,
    data: { reason: "claimed", name: "Mia", until },
  });
  world.clock.advance(600_000);
  expect(await refusalOf(decide(noor, caseId))).toEqual(forbiddenFor("not_claimed"));
  await world.claim(noor, `case:${caseId}`);
  expect(await decide(noor, caseId)).toBe("decided");
  expect(await world.db.selectFrom("claims").selectAll().where("item", "=", `case:${caseId}`).execute()).toEqual([]);
});

test("accepts a decision on an expired claim unless another moderator has claimed the case", async () => {
  const [read, lost] = [await world.reported(bo), await world.reported(await world.person())];
  for (const caseId of [read, lost]) await world.claim(mia, `case:${caseId}`);
  world.clock.advance(3_600_000);
  await world.claim(noor, `case:${lost}`);
  expect(await decide(mia, read)).toBe("decided");
  expect(await refusalOf(decide(mia, lost))).toMatchObject(forbiddenFor("claimed"));
  expect(await decide(noor, lost)).toBe("decided");
});

test("requires a claim for a second opinion, and claims the case of a quick ban", async () => {
  const caseId = await world.reported(bo);
  const forGood = { operation: 4, hours: 0, note: "again" } as const;
  await world.claim(mia, `case:${caseId}`);
  await world.cases.decisions.operate(await world.viewer(mia), caseId, forGood);
  const opinion = { operation: 4, note: "" } as const;
  const seconded = async () => world.cases.decisions.second(await world.viewer(noor), caseId, opinion);
  expect(await refusalOf(seconded())).toEqual(forbiddenFor("not_claimed"));
  const claimed = world.cases.caseService.claim(await world.viewer(mia), `case:${caseId}`, true);
  expect(await refusalOf(claimed)).toEqual(forbiddenFor("own_case"));
  await world.claim(noor, `case:${caseId}`);
  await seconded();
  expect(await quick(mia, await world.person())).toBe("decided");
  const held = await world.reported(await world.person());
  await world.claim(noor, `case:${held}`);
  const { subject_id } = await world.caseRow(held);
  expect(await refusalOf(quick(mia, subject_id))).toMatchObject(forbiddenFor("claimed"));
});
