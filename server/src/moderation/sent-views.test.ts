import { beforeAll, beforeEach, expect, test } from "vitest";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";

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

/** A forged page sends frames of the partner that differ from what the partner's camera sends. */
async function send(senderId: bigint, subjectId = bo): Promise<bigint | null> {
  const callId = await world.call(senderId, subjectId);
  const signal = await world.flag(subjectId, { rule: "views_differ", reasonId: 11, callId });
  return world.moderation.openByView({ ...signal, callId }, senderId);
}
async function decide(caseId: bigint | null, operation: 2 | 3): Promise<void> {
  await world.claim(mia, `case:${caseId}`);
  await world.cases.decisions.operate(await world.viewer(mia), caseId ?? 0n, { operation, note: "" });
}
const casesOf = (userId: bigint) =>
  world.db.selectFrom("cases").select("id").where("subject_id", "=", userId).orderBy("id").execute();

/** A user who has sent unfounded frames of three partners. */
async function forger(): Promise<bigint> {
  const userId = await world.person();
  for (let count = 0; count < 3; count += 1) await decide(await send(userId, await world.person()), 2);
  return userId;
}

test("opens a case for views by a sender of good or no record, and joins later ones to it", async () => {
  const caseId = await send(await world.person());
  expect(await casesOf(bo)).toEqual([{ id: caseId }]);
  expect((await world.moderation.evidence.of(caseId ?? 0n)).length).toBe(1);
  expect(await send(await world.person())).toBe(caseId);
  expect(await world.caseRow(caseId ?? 0n)).toMatchObject({ rule: "views_differ", state: "open" });
});

test("requires three senders within a day when their earlier views were unfounded", async () => {
  const [one, two, three] = [await forger(), await forger(), await forger()];
  expect([await send(one), await send(one), await send(two)]).toEqual([null, null, null]);
  expect(await casesOf(bo)).toEqual([]);
  expect((await world.moderation.restrictionsOf(bo)).isWatched).toBe(false);
  world.clock.advance(dayMs);
  expect([await send(one), await send(three)]).toEqual([null, null]);
  const caseId = await send(two);
  expect(await casesOf(bo)).toEqual([{ id: caseId }]);
  // The decision judges all three senders as it judges reporters.
  await decide(caseId, 3);
  const judged = await world.db.selectFrom("sent_views").select("was_right").where("case_id", "=", caseId).execute();
  expect(judged.map(({ was_right }) => was_right)).toEqual([true, true, true]);
});

test("counts unfounded reports against a sender's views, and unfounded views against their reports", async () => {
  const liar = await world.person();
  for (let count = 0; count < 4; count += 1) {
    await decide(await world.reported(await world.person(), { by: liar }), 2);
  }
  expect(await send(liar)).toBeNull();
  const caseId = await world.reported(bo, { by: await forger(), reasonId: 5 });
  for (const by of [await world.person(), await world.person()]) await world.reported(bo, { by, reasonId: 5 });
  expect((await world.moderation.restrictionsOf(bo)).pausedUntil).toBeNull();
  const [shown] = (
    await world.cases.handlers.adminCase(await world.contextOf(mia), { user_id: Number(mia), id: String(caseId) })
  ).reports;
  expect(shown).toMatchObject({ right: 0 });
});

test("counts a call once, also when the view is reported again", async () => {
  const sender = await world.person();
  const callId = await world.call(sender, bo);
  const signal = { ...(await world.flag(bo, { rule: "views_differ", reasonId: 11, callId })), callId };
  const caseId = await world.moderation.openByView(signal, sender);
  await decide(caseId, 2);
  expect(await world.moderation.openByView(signal, sender)).toBeNull();
  expect(await casesOf(bo)).toEqual([{ id: caseId }]);
});
