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

/** Two users of good or no record send frames of the subject: the second opens a case. */
async function sendTwice(subjectId = bo): Promise<bigint | null> {
  await send(await world.person(), subjectId);
  return send(await world.person(), subjectId);
}
const isReceivedOnly = async (userId: bigint) => (await world.moderation.restrictionsOf(userId)).isReceivedOnly;

/** A user who has sent unfounded frames of three partners, each of whom another user contradicted, too. */
async function forger(): Promise<bigint> {
  const userId = await world.person();
  for (let count = 0; count < 3; count += 1) {
    const subjectId = await world.person();
    await send(await world.person(), subjectId);
    await decide(await send(userId, subjectId), 2);
  }
  return userId;
}

test("[SAFE-512] opens a case once two partners contradict a user, and adds later ones to it", async () => {
  expect(await send(await world.person())).toBeNull();
  expect([await casesOf(bo), await isReceivedOnly(bo)]).toEqual([[], false]);
  const caseId = await send(await world.person());
  expect(await casesOf(bo)).toEqual([{ id: caseId }]);
  expect((await world.moderation.evidence.of(caseId ?? 0n)).length).toBe(1);
  expect(await send(await world.person())).toBe(caseId);
  expect(await world.caseRow(caseId ?? 0n)).toMatchObject({ rule: "views_differ", state: "open" });
});

test("[SAFE-512] believes a user's own frames no more for 30 days, unless a moderator finds the partners wrong", async () => {
  const caseId = await sendTwice();
  expect([await isReceivedOnly(bo), (await world.moderation.restrictionsOf(bo)).startsCovered]).toEqual([true, true]);
  await decide(caseId, 2);
  expect(await isReceivedOnly(bo)).toBe(false);
  const cem = await world.person();
  await decide(await sendTwice(cem), 3);
  expect(await isReceivedOnly(cem)).toBe(true);
  world.clock.advance(30 * dayMs);
  world.moderation.changed(cem);
  expect(await isReceivedOnly(cem)).toBe(false);
});

test("[SAFE-512] opens no case for one person with two accounts, nor for partners a week apart", async () => {
  const [first, second] = [await world.person(), await world.person()];
  await world.db.updateTable("users").set({ device_id: "one-device" }).where("id", "in", [first, second]).execute();
  expect([await send(first), await send(second), await send(first)]).toEqual([null, null, null]);
  world.clock.advance(7 * dayMs);
  expect(await send(await world.person())).toBeNull();
  expect(await casesOf(bo)).toEqual([]);
});

test("[SAFE-512] counts no frames of a user who alone contradicts three partners", async () => {
  const liar = await world.person();
  for (let count = 0; count < 3; count += 1) await send(liar, await world.person());
  expect([await send(liar), await send(await world.person())]).toEqual([null, null]);
  const caseId = await send(await world.person());
  expect(await casesOf(bo)).toEqual([{ id: caseId }]);
});

test("requires six senders within a week when their earlier views were unfounded", async () => {
  const senders: bigint[] = [];
  for (let count = 0; count < 6; count += 1) senders.push(await forger());
  for (const sender of senders.slice(1)) expect([await send(sender), await send(sender)]).toEqual([null, null]);
  expect(await casesOf(bo)).toEqual([]);
  expect((await world.moderation.restrictionsOf(bo)).isWatched).toBe(false);
  const caseId = await send(senders[0] ?? 0n);
  expect(await casesOf(bo)).toEqual([{ id: caseId }]);
  // The decision judges all senders as it judges reporters.
  await decide(caseId, 3);
  const judged = await world.db.selectFrom("sent_views").select("was_right").where("case_id", "=", caseId).execute();
  expect(judged.every(({ was_right }) => was_right === true)).toBe(true);
});

test("counts unfounded reports against a sender's views, and unfounded views against their reports", async () => {
  const liar = await world.person();
  for (let count = 0; count < 4; count += 1) {
    await decide(await world.reported(await world.person(), { by: liar }), 2);
  }
  expect([await send(liar), await send(await world.person())]).toEqual([null, null]);
  const cem = await world.person();
  const caseId = await world.reported(cem, { by: await forger(), reasonId: 5 });
  for (const by of [await world.person(), await world.person()]) await world.reported(cem, { by, reasonId: 5 });
  expect((await world.moderation.restrictionsOf(cem)).pausedUntil).toBeNull();
  const [shown] = (
    await world.cases.handlers.adminCase(await world.contextOf(mia), { user_id: Number(mia), id: String(caseId) })
  ).reports;
  expect(shown).toMatchObject({ right: 0 });
});

test("counts a call once, also when the view is reported again", async () => {
  await send(await world.person());
  const sender = await world.person();
  const callId = await world.call(sender, bo);
  const signal = { ...(await world.flag(bo, { rule: "views_differ", reasonId: 11, callId })), callId };
  const caseId = await world.moderation.openByView(signal, sender);
  await decide(caseId, 2);
  expect(await world.moderation.openByView(signal, sender)).toBeNull();
  expect(await casesOf(bo)).toEqual([{ id: caseId }]);
});
