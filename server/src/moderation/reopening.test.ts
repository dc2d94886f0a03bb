import { beforeAll, beforeEach, expect, test } from "vitest";
import { reopenMs } from "@fava/wire/limits.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { refusalOf } from "#test/fixtures/session-world.ts";
import { liftPauses } from "./case-store.ts";

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

type Operate = { operation: 1 | 2 | 3 | 4; hours?: 24 | 0 };
const operate = async (by: bigint, caseId: bigint, change: Operate) =>
  world.withClaim(by, `case:${caseId}`, async () =>
    world.cases.decisions.operate(await world.viewer(by), caseId, { note: "", ...change }),
  );
const reopen = async (by: bigint, caseId: bigint) => {
  const input = { user_id: Number(by), id: String(caseId) };
  return world.cases.handlers.adminReportReopen(await world.contextOf(by), input);
};
const judged = async (caseId: bigint) =>
  (await world.db.selectFrom("reports").select("was_right").where("case_id", "=", caseId).execute()).map(
    ({ was_right }) => was_right,
  );
const over = { code: 406, data: { reason: "reopen_over" } };

test("[CASE-47] opens an own decision again: no verdict, no ban, no strike, no unsent notice, and the claim", async () => {
  const caseId = await world.reported(bo);
  await operate(mia, caseId, { operation: 4, hours: 24 });
  expect(await world.sanctions.banNotice(bo)).not.toBeNull();
  await reopen(mia, caseId);
  expect(await world.caseRow(caseId)).toMatchObject({
    state: "open",
    operation: null,
    decided_by: null,
    decided_at: null,
  });
  expect(await world.bansOf(bo)).toMatchObject([{ ended_because: "reopened" }]);
  const [strike] = await world.strikesOf(bo);
  expect(strike?.revoked_at).not.toBeNull();
  expect(await world.sanctions.banNotice(bo)).toBeNull();
  expect(await judged(caseId)).toEqual([null]);
  expect(await world.db.selectFrom("outbox").select("id").where("about", "=", caseId).execute()).toEqual([]);
  const claim = world.db.selectFrom("claims").select("moderator_id").where("item", "=", `case:${caseId}`);
  expect(await claim.executeTakeFirst()).toEqual({ moderator_id: mia });
  expect((await world.auditOf(bo)).slice(-2)).toEqual(["strike_revoked", "reopen"]);
  // The same case can be decided and reopened once more.
  expect(await operate(mia, caseId, { operation: 4, hours: 24 })).toBe("decided");
  expect(await world.bansOf(bo)).toMatchObject([{ ended_because: "reopened" }, { ended_because: null }]);
  expect(await operate(mia, caseId, { operation: 4, hours: 24 })).toBe("decided");
});

test.each([1, 2, 3] as const)(
  "[CASE-47] opens a case of operation %d again, also a permanent ban",
  async (operation) => {
    const caseId = await world.reported(bo);
    await operate(mia, caseId, { operation });
    await reopen(mia, caseId);
    expect(await judged(caseId)).toEqual([null]);
    await operate(mia, caseId, { operation: 4, hours: 0 });
    expect(await world.caseRow(caseId)).toMatchObject({ state: "second" });
    await reopen(mia, caseId);
    expect(await world.caseRow(caseId)).toMatchObject({ state: "open", asked_reason_id: null, lapses_at: null });
  },
);

test("accepts the same request twice, also at the same time", async () => {
  const caseId = await world.reported(bo);
  await operate(mia, caseId, { operation: 4, hours: 24 });
  await Promise.all([reopen(mia, caseId), reopen(mia, caseId)]);
  await reopen(mia, caseId);
  expect((await world.auditOf(bo)).filter((kind) => kind === "reopen")).toHaveLength(1);
});

test("[CASE-47] refuses another moderator, an undecided case, and anyone after ten minutes", async () => {
  const caseId = await world.reported(bo);
  expect(await refusalOf(reopen(mia, caseId))).toEqual(over);
  await operate(mia, caseId, { operation: 1 });
  expect(await refusalOf(reopen(noor, caseId))).toEqual(over);
  expect(await refusalOf(reopen(await world.administrator(), caseId))).toEqual(over);
  world.clock.advance(reopenMs);
  expect(await refusalOf(reopen(mia, caseId))).toEqual(over);
  expect(await refusalOf(reopen(mia, 999_999n))).toEqual({ code: 400, data: { field: "id" } });
  expect(await world.caseRow(caseId)).toMatchObject({ state: "decided", decided_by: mia });
});

test("[CASE-47] refuses after an appeal and after a second opinion, and while a newer case waits", async () => {
  const appealed = await world.reported(bo);
  await operate(mia, appealed, { operation: 4, hours: 24 });
  const [ban] = await world.bansOf(bo);
  const at = new Date(world.clock.nowMs());
  const appeal = { ban_id: ban?.id ?? 0n, user_id: bo, ground: 1, text: "no", language: "en", at, answer_by: at };
  await world.db.insertInto("appeals").values(appeal).execute();
  expect(await refusalOf(reopen(mia, appealed))).toEqual(over);

  const zola = await world.person();
  const seconded = await world.reported(zola);
  await operate(mia, seconded, { operation: 4, hours: 0 });
  await world.withClaim(noor, `case:${seconded}`, async () =>
    world.cases.decisions.second(await world.viewer(noor), seconded, { operation: 4, note: "" }),
  );
  expect(await refusalOf(reopen(mia, seconded))).toEqual(over);

  const kai = await world.person();
  const first = await world.reported(kai);
  await operate(mia, first, { operation: 1 });
  await world.reported(kai);
  expect(await refusalOf(reopen(mia, first))).toEqual({ code: 406, data: { reason: "case_open" } });
});

test("restores a pause that the decision lifted", async () => {
  const caseId = await world.reported(bo);
  for (let more = 0; more < 2; more += 1) await world.reported(bo);
  expect((await world.moderation.restrictionsOf(bo)).pausedUntil).not.toBeNull();
  await operate(mia, caseId, { operation: 1 });
  expect((await world.moderation.restrictionsOf(bo)).pausedUntil).toBeNull();
  world.clock.advance(1_000);
  await reopen(mia, caseId);
  expect((await world.moderation.restrictionsOf(bo)).pausedUntil).not.toBeNull();
});

test("leaves a pause that was lifted before the decision", async () => {
  const caseId = await world.reported(bo);
  for (let more = 0; more < 2; more += 1) await world.reported(bo);
  await liftPauses(world.db, caseId, new Date(world.clock.nowMs()));
  world.clock.advance(1_000);
  await operate(mia, caseId, { operation: 1 });
  await reopen(mia, caseId);
  expect((await world.moderation.restrictionsOf(bo)).pausedUntil).toBeNull();
});

test("refunds the call of a reopened ban once the person is cleared", async () => {
  const caseId = await world.reported(bo);
  const { call_id: callId } = await world.caseRow(caseId);
  await operate(mia, caseId, { operation: 4, hours: 24 });
  await reopen(mia, caseId);
  world.tookCarried();
  await operate(mia, caseId, { operation: 1 });
  expect(world.tookCarried()).toEqual([`beans ${callId} ${bo}`]);
});

test("[CASE-48] lets only an administrator reopen a restricted case, and logs it", async () => {
  const [ada, caseId] = [await world.administrator(), await world.reported(bo, { reasonId: 8 })];
  await operate(ada, caseId, { operation: 1 });
  await world.db.updateTable("cases").set({ decided_by: mia }).where("id", "=", caseId).execute();
  expect(await refusalOf(reopen(mia, caseId))).toEqual({ code: 403, data: { reason: "role" } });
  await world.db.updateTable("cases").set({ decided_by: ada }).where("id", "=", caseId).execute();
  await reopen(ada, caseId);
  const logged = await world.db.selectFrom("restricted_access").select("act").where("case_id", "=", caseId).execute();
  expect(logged.map(({ act }) => act)).toEqual(["decide", "decide"]);
});
