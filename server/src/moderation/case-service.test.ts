import { beforeAll, beforeEach, expect, test } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import { listPageRows } from "@fava/wire/limits.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { refusalOf } from "#test/fixtures/session-world.ts";
import { casesByNumber } from "./case-service.ts";

const minuteMs = 60_000;
let world: ModerationWorld;
let bo: bigint;
let mia: bigint;
let noor: bigint;

beforeAll(async () => {
  world = await ModerationWorld.open();
});
// Each test shares the database, so the open cases of the previous test are closed first.
beforeEach(async () => {
  await world.db.updateTable("cases").set({ state: "decided" }).execute();
  await world.db.deleteFrom("claims").execute();
  [bo, mia, noor] = [
    await world.person({ nickname: "Bo" }),
    await world.moderator("Mia"),
    await world.moderator("Noor"),
  ];
});

type ListInput = { box?: "reports" | "restricted"; order?: "harm" | "oldest" | "mine"; cursor?: string };
const list = async (by: bigint, { box = "reports", order = "harm", cursor }: ListInput = {}) =>
  world.cases.handlers.adminReportList(await world.contextOf(by), { user_id: Number(by), box, order, cursor });
const idsOf = async (by: bigint, input?: ListInput) => (await list(by, input)).rows.map(({ id }) => BigInt(id));
const read = async (by: bigint, caseId: bigint) =>
  world.cases.handlers.adminCase(await world.contextOf(by), { user_id: Number(by), id: String(caseId) });
const claim = async (by: bigint, item: string, on: 0 | 1 = 1) =>
  (await world.cases.handlers.adminClaim(await world.contextOf(by), { user_id: Number(by), item, on })).claim;
type Operate = { operation: 1 | 2 | 3 | 4; hours?: 0 };
const decide = async (by: bigint, caseId: bigint, operate: Operate) => {
  const about = { user_id: Number(by), id: String(caseId), note: "", ...operate };
  const context = await world.contextOf(by);
  return world.withClaim(by, `case:${caseId}`, () => world.cases.handlers.adminReportOperate(context, about));
};
const forGood: Operate = { operation: 4, hours: 0 };
const undecided = {
  decided_by: null,
  operation: null,
  asked_reason_id: null,
  explicit: null,
  model: null,
};
const forbiddenFor = (reason: string) => ({ code: codes.forbidden, data: { reason } });

test("lists the most harmful case first, then the oldest, without decided and seconded ones", async () => {
  const soft = await world.reported(await world.person(), { reasonId: 6 });
  const [first, next] = [await world.reported(bo), await world.reported(await world.person())];
  const wrongGender = await world.reported(await world.person(), { reasonId: 10 });
  const done = await world.reported(await world.person());
  await decide(mia, done, { operation: 1 });
  await decide(mia, await world.reported(await world.person()), forGood);
  expect(await idsOf(mia)).toEqual([first, next, soft, wrongGender]);
  expect(await idsOf(mia, { order: "oldest" })).toEqual([soft, first, next, wrongGender]);
  expect(await list(mia)).toMatchObject({ waiting: 4, oldest_at: world.clock.nowMs(), next: null });
  expect(await list(mia, { order: "mine" })).toMatchObject({ rows: [] });
  await claim(mia, `case:${next}`);
  await claim(noor, `case:${soft}`);
  expect(await idsOf(mia, { order: "mine" })).toEqual([next]);
});

test("shows in a row what a moderator needs, and never who reported", async () => {
  const ana = await world.person({ nickname: "the reporter" });
  const caseId = await world.reported(bo, { by: ana });
  await world.reported(bo);
  await world.reported(bo);
  await claim(noor, `case:${caseId}`);
  const [row] = (await list(mia)).rows;
  expect(row).toMatchObject({
    id: String(caseId),
    no: `R-${caseId}`,
    reason_id: 4,
    rule: "reports_many",
    harm: 1,
    reporters: 3,
    is_paused: true,
    state: "open",
    claim: { mine: false, name: "Noor", until: world.clock.nowMs() + 10 * minuteMs },
    person: { user_id: Number(bo), nickname: "Bo" },
  });
  const everything = JSON.stringify([row, await read(mia, caseId)]);
  expect(everything).not.toContain("the reporter");
  world.clock.advance(86_400_000);
  expect((await list(mia)).rows[0]).toMatchObject({ is_paused: false, claim: null });
});

test("returns pages without gaps or repetitions in both orders, and rejects an invalid cursor", async () => {
  const subjects = await Promise.all(Array.from({ length: listPageRows + 3 }, () => world.person()));
  const at = new Date(world.clock.nowMs());
  const rows = subjects.map((subject_id, index) => {
    const about = { subject_id, queue: "reports" as const, reason_id: 7, rule: "report", harm: 1 + (index % 4) };
    return { ...about, opened_at: at, changed_at: at, call_id: null, message_id: null, ...undecided };
  });
  const inserted = await world.db.insertInto("cases").values(rows).returning("id").execute();
  const made = inserted.map(({ id }) => id);
  for (const order of ["harm", "oldest"] as const) {
    const first = await list(mia, { order });
    expect(first.rows).toHaveLength(listPageRows);
    const rest = await list(mia, { order, cursor: first.next ?? "" });
    expect(rest.next).toBeNull();
    const ids = [...first.rows, ...rest.rows].map(({ id }) => BigInt(id));
    expect(ids.toSorted((one, other) => Number(one - other))).toEqual(made);
  }
  expect(await refusalOf(list(mia, { cursor: "5.1 or 1=1" }))).toEqual({ code: 400, data: { field: "cursor" } });
});

test("[CASE-48] hides cases about the reader, and shows those about moderators only to administrators", async () => {
  const rhea = await world.administrator();
  const [aboutMia, aboutRhea] = [await world.reported(mia), await world.reported(rhea)];
  expect(await idsOf(mia)).toEqual([]);
  expect(await idsOf(noor)).toEqual([]);
  expect(await idsOf(rhea)).toEqual([aboutMia]);
  expect(await idsOf(await world.administrator())).toEqual([aboutMia, aboutRhea]);
  expect(await refusalOf(read(mia, aboutMia))).toEqual(forbiddenFor("own_case"));
  expect(await refusalOf(read(noor, aboutMia))).toEqual(forbiddenFor("colleague"));
  expect(await refusalOf(claim(noor, `case:${aboutMia}`))).toEqual(forbiddenFor("colleague"));
  expect((await read(rhea, aboutMia)).closed_because).toBeNull();
});

test("opens the restricted queue only to administrators, and logs each access", async () => {
  const rhea = await world.administrator();
  const caseId = await world.reported(bo, { reasonId: 8 });
  expect(await idsOf(mia)).toEqual([]);
  expect(await refusalOf(list(mia, { box: "restricted" }))).toEqual(forbiddenFor("role"));
  expect(await refusalOf(read(mia, caseId))).toEqual(forbiddenFor("role"));
  expect(await refusalOf(claim(mia, `case:${caseId}`))).toEqual(forbiddenFor("role"));
  expect(await idsOf(rhea, { box: "restricted" })).toEqual([caseId]);
  await read(rhea, caseId);
  await read(rhea, caseId);
  await claim(rhea, `case:${caseId}`);
  const logged = await world.db
    .selectFrom("restricted_access")
    .selectAll()
    .where("actor_id", "=", rhea)
    .orderBy("id")
    .execute();
  expect(logged.map(({ actor_id, case_id, act }) => [actor_id, case_id, act])).toEqual([
    [rhea, null, "list"],
    [rhea, caseId, "read"],
    [rhea, caseId, "read"],
    [rhea, caseId, "claim"],
  ]);
});

test("[CASE-40] keeps a claim for ten minutes, and lets moderators renew, release, or take over an expired one", async () => {
  const item = `case:${await world.reported(bo)}`;
  const until = () => world.clock.nowMs() + 10 * minuteMs;
  expect(await claim(mia, item)).toEqual({ mine: true, name: "Mia", until: until() });
  const first = until();
  world.clock.advance(minuteMs);
  expect(await claim(noor, item)).toEqual({ mine: false, name: "Mia", until: first });
  expect(await claim(noor, item, 0)).toBeNull();
  expect(await claim(noor, item)).toMatchObject({ mine: false });
  expect(await claim(mia, item)).toEqual({ mine: true, name: "Mia", until: until() });
  expect(await claim(mia, item, 0)).toBeNull();
  expect(await claim(noor, item)).toMatchObject({ mine: true });
  world.clock.advance(10 * minuteMs);
  expect(await claim(mia, item)).toMatchObject({ mine: true, name: "Mia" });
});

test("[CASE-40] gives a case to one of many concurrent claims, and tells the others who has it", async () => {
  const item = `case:${await world.reported(bo)}`;
  const moderators = [mia, noor, await world.moderator("Omar"), await world.administrator("Rhea")];
  const claims = await Promise.all(moderators.map((one) => claim(one, item)));
  expect(claims.filter((one) => one?.mine)).toHaveLength(1);
  expect(new Set(claims.map((one) => one?.name)).size).toBe(1);
});

test("[CASE-40] rejects a claim on an unknown case", async () => {
  for (const item of ["case:999999", "image:none", "appeal:7", "appeal:x", "case:x", "user:1", "case:", "image:a b"]) {
    expect(await refusalOf(claim(mia, item))).toEqual({ code: 400, data: { field: "item" } });
  }
});

test("shows what the reported user wrote, and no contact data of the partner", async () => {
  const line = { at: world.clock.nowMs(), text: "", withheld: { how: "refused" as const, original: "call 555" } };
  const lines = (["person", "other"] as const).map((from) => ({ ...line, from }));
  const evidence = [{ kind: "lines" as const, at: new Date(line.at), lines }];
  const caseId = await world.moderation.open(await world.flag(bo, { evidence }));
  const shown = (await read(mia, caseId)).lines.map(({ withheld }) => withheld?.original);
  expect(shown).toEqual(["call 555", "call ***"]);
});

test("returns a case with both views of each moment, its chat lines and its classification", async () => {
  const { frame, lines } = { frame: world.frame.bind(world), lines: world.lines.bind(world) };
  const at = (ms: number) => new Date(world.clock.nowMs() + ms);
  const flagged = await world.flag(bo, {
    evidence: [
      frame({ at: at(0), facts: { phash: "ffffffffffffffff", explicit: 0.9 } }),
      frame({ at: at(400), view: "received", facts: { phash: "fffffffffffffff0" } }),
      frame({ at: at(10_000), facts: { explicit: 0.2 } }),
      frame({ at: at(20_000), view: "received", facts: {} }),
      lines("call me 555"),
    ],
  });
  const caseId = await world.moderation.open(flagged);
  await world.moderation.addEvidence(caseId, [lines("call me 555", "now")]);
  await world.moderation.addEvidence(caseId, [
    { kind: "message", at: at(-5_000), text: "my number is 12", cover: "insult" },
  ]);
  const detail = await read(mia, caseId);
  expect(detail.moments).toMatchObject([
    { at: at(0).getTime(), explicit: 0.9, agreement: 0.875 },
    { at: at(10_000).getTime(), received: null, explicit: 0.2, agreement: null },
    { at: at(20_000).getTime(), own: null, explicit: null, agreement: null },
  ]);
  expect(detail.moments[0]?.own).not.toBe(detail.moments[0]?.received);
  expect(detail.check).toMatchObject({ model: "marker 1", shadow: false });
  expect(detail.lines.map(({ text }) => text)).toEqual(["call me ***"]);
  expect(detail.message).toEqual({ at: at(-5_000).getTime(), text: "my number is **", cover: "insult" });
  expect(detail.call).toMatchObject({ id: flagged.callId, live: false });
  expect(detail.erase_at).toBe(world.clock.nowMs() + 30 * 86_400_000);
  expect(detail).toMatchObject({ closed_because: null, first: null, subject: { user_id: Number(bo) } });
});

test("returns reports with their reporter's record", async () => {
  const [liar, friend] = [await world.person(), await world.person()];
  for (const operation of [2, 2, 3] as const) {
    await decide(mia, await world.reported(await world.person(), { by: liar }), { operation });
  }
  await decide(mia, await world.reported(await world.person(), { by: friend }), { operation: 3 });
  const caseId = await world.reported(bo, { by: liar });
  await world.reported(bo, { by: friend, reasonId: 5 });
  expect((await read(mia, caseId)).reports).toEqual([
    { at: world.clock.nowMs(), reason_id: 4, judged: 3, right: 1, note: "" },
    { at: world.clock.nowMs(), reason_id: 5, judged: 1, right: 1, note: "" },
  ]);
});

test("returns why its reader may not decide a case", async () => {
  const caseId = await world.reported(bo);
  await claim(noor, `case:${caseId}`);
  expect((await read(mia, caseId)).closed_because).toBe("claimed");
  await decide(noor, caseId, forGood);
  const detail = await read(noor, caseId);
  expect(detail.closed_because).toBe("first_decider");
  expect(detail.first).toEqual({
    at: world.clock.nowMs(),
    by: "Noor",
    hours: 0,
    reason_id: 1,
    note: "",
    lapses_at: world.clock.nowMs() + 3 * 86_400_000,
  });
  expect((await read(mia, caseId)).closed_because).toBeNull();
  const done = await world.reported(await world.person());
  await decide(mia, done, { operation: 1 });
  expect((await read(noor, done)).closed_because).toBe("decided");
  expect(await refusalOf(read(mia, 77n))).toEqual({ code: 400, data: { field: "id" } });
});

test("logs the reading of a case once in ten minutes", async () => {
  const caseId = await world.reported(bo);
  await read(mia, caseId);
  await read(mia, caseId);
  await read(noor, caseId);
  expect(await world.auditOf(bo)).toEqual(["report", "look", "look"]);
  world.clock.advance(10 * minuteMs);
  await read(mia, caseId);
  expect(await world.auditOf(bo)).toHaveLength(4);
});

test("counts the desk's queues, and the reader's decisions of today", async () => {
  const rhea = await world.administrator();
  await world.reported(bo, { reasonId: 8 });
  await world.reported(mia);
  const numbersOf = async (by: bigint) =>
    world.cases.handlers.adminDesk(await world.contextOf(by), { user_id: Number(by) });
  expect(await numbersOf(mia)).toEqual({
    reports: 0,
    avatars: 0,
    photos: 0,
    appeals: 0,
    texts: 0,
    restricted: 0,
    notices: 0,
    decided_today: 0,
    inspection: "on",
  });
  expect(await numbersOf(rhea)).toMatchObject({ reports: 1, restricted: 1 });
  await decide(noor, await world.reported(await world.person()), forGood);
  await decide(noor, await world.reported(await world.person()), { operation: 1 });
  expect(await numbersOf(noor)).toMatchObject({ appeals: 1, decided_today: 2 });
  expect(await numbersOf(mia)).toMatchObject({ decided_today: 0 });
  world.clock.advance(86_400_000);
  expect(await numbersOf(noor)).toMatchObject({ decided_today: 0 });
});

test("counts for each reader what the reader's own lists show", async () => {
  const rhea = await world.administrator();
  const colleague = await world.reported(await world.moderator("Vera"));
  await decide(rhea, colleague, forGood);
  const gone = await world.person();
  await world.db
    .insertInto("images")
    .values({
      user_id: gone,
      public_id: "waits",
      kind: "avatar",
      status: "pending",
      why: "new",
      blob_key: "blob",
      thumb_key: "thumb",
      width: 9,
      height: 9,
      created_at: new Date(world.clock.nowMs()),
    })
    .execute();
  const numbersOf = async (by: bigint) =>
    world.cases.handlers.adminDesk(await world.contextOf(by), { user_id: Number(by) });
  const before = await numbersOf(mia);
  expect(await numbersOf(rhea)).toMatchObject({ appeals: before.appeals + 1 });
  await world.db.updateTable("users").set({ deleted_at: new Date() }).where("id", "=", gone).execute();
  expect(await numbersOf(mia)).toMatchObject({ avatars: before.avatars - 1 });
});

test("finds a case by its number for those who may see it", async () => {
  const rhea = await world.administrator();
  const found = async (by: bigint, caseId: bigint) =>
    (
      await casesByNumber(world.db, await world.viewer(by), {
        number: String(caseId),
        at: new Date(world.clock.nowMs()),
      })
    ).map(({ id }) => BigInt(id));
  const [open, minor] = [await world.reported(bo), await world.reported(bo, { reasonId: 8 })];
  const aboutMia = await world.reported(mia);
  expect(await found(mia, open)).toEqual([open]);
  expect(await found(mia, minor)).toEqual([]);
  expect(await found(rhea, minor)).toEqual([minor]);
  expect(await found(mia, aboutMia)).toEqual([]);
  expect(await found(noor, aboutMia)).toEqual([]);
  expect(await found(mia, 999_999_999n)).toEqual([]);
});
