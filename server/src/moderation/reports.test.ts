import { beforeAll, expect, test } from "vitest";
import { type AccountWorld, accountWorld } from "#test/fixtures/account-world.ts";
import { refusalOf } from "#test/fixtures/session-world.ts";

type Person = Awaited<ReturnType<AccountWorld["person"]>>;
let world: AccountWorld;

beforeAll(async () => {
  world = await accountWorld();
});

const report = (from: Person, about: bigint, { call_id, id = 4 }: { call_id?: string; id?: 4 | 5 } = {}) =>
  world.handlers.feedback(from, {
    user_id: Number(from.userId),
    other_id: Number(about),
    id,
    ...(call_id === undefined ? {} : { call_id }),
  });
const reportMessage = (from: Person, about: bigint, message_id: string) =>
  world.handlers.chatReport(from, { user_id: Number(from.userId), other_id: Number(about), id: 6, message_id });
const kept = (from: Person) =>
  world.db
    .selectFrom("reports")
    .select(["reported_id", "reason_id", "call_id", "message_id"])
    .where("reporter_id", "=", from.userId)
    .orderBy("id")
    .execute();

test("[DATA-20] stores a report about a user met, also after a block by either", async () => {
  const [ana, bo] = [await world.person("Ana R"), await world.person("Bo R")];
  const callId = await world.met(ana.userId, bo.userId);
  await report(ana, bo.userId, { call_id: callId });
  await world.social.block(bo.userId, ana.userId);
  await report(ana, bo.userId, { id: 5 });
  expect(await kept(ana)).toEqual([
    { reported_id: bo.userId, reason_id: 4, call_id: callId, message_id: null },
    { reported_id: bo.userId, reason_id: 5, call_id: null, message_id: null },
  ]);
});

test("[DATA-20] rejects reports about strangers, oneself and calls of others", async () => {
  const [ana, bo, carl] = [await world.person("Ana S"), await world.person("Bo S"), await world.person("Carl S")];
  const notMet = { code: 403, data: { reason: "not_met" } };
  expect(await refusalOf(report(ana, carl.userId))).toEqual(notMet);
  expect(await refusalOf(report(ana, 999_999n))).toEqual(notMet);
  expect(await refusalOf(report(ana, ana.userId))).toEqual({ code: 400, data: { field: "other_id" } });
  await world.met(ana.userId, bo.userId);
  const theirs = await world.met(bo.userId, carl.userId);
  for (const callId of [theirs, "invented"]) {
    expect(await refusalOf(report(ana, bo.userId, { call_id: callId }))).toEqual({
      code: 400,
      data: { field: "call_id" },
    });
  }
  expect(await kept(ana)).toEqual([]);
});

test("stores the same report within a minute once, also when two are concurrent", async () => {
  const [ana, bo] = [await world.person("Ana T"), await world.person("Bo T")];
  await world.met(ana.userId, bo.userId);
  await Promise.all([report(ana, bo.userId), report(ana, bo.userId)]);
  world.clock.advance(59_999);
  await report(ana, bo.userId);
  expect(await kept(ana)).toHaveLength(1);
  await report(ana, bo.userId, { id: 5 });
  world.clock.advance(1);
  await report(ana, bo.userId);
  expect(await kept(ana)).toHaveLength(3);
});

test("[DATA-22] accepts a report of a message only from its reader", async () => {
  const [ana, bo, carl] = [await world.person("Ana U"), await world.person("Bo U"), await world.person("Carl U")];
  await world.met(ana.userId, bo.userId);
  const { external_id } = await world.userRow(ana.userId);
  const input = { externalId: external_id, clientId: "u", text: "rude words" };
  const { message } = await world.messages.send({ userId: bo.userId, language: "en" }, input);
  const refused = { code: 400, data: { field: "message_id" } };
  expect(await refusalOf(reportMessage(carl, bo.userId, message.id))).toEqual(refused);
  expect(await refusalOf(reportMessage(bo, ana.userId, message.id))).toEqual(refused);
  expect(await refusalOf(reportMessage(bo, bo.userId, message.id))).toEqual(refused);
  expect(await refusalOf(reportMessage(ana, bo.userId, "9".repeat(19)))).toEqual(refused);
  expect(await refusalOf(reportMessage(ana, bo.userId, "1234567"))).toEqual(refused);
  await reportMessage(ana, bo.userId, message.id);
  expect(await kept(ana)).toEqual([
    { reported_id: bo.userId, reason_id: 6, call_id: null, message_id: BigInt(message.id) },
  ]);
});

test("keeps the kind of the cover of a reported message", async () => {
  const [ana, bo] = [await world.person("Ana V"), await world.person("Bo V")];
  await world.met(ana.userId, bo.userId);
  const { external_id } = await world.userRow(ana.userId);
  const input = { externalId: external_id, clientId: "v", text: "rude words" };
  const { message } = await world.messages.send({ userId: bo.userId, language: "en" }, input);
  await world.db.updateTable("messages").set({ cover: "insult" }).where("id", "=", BigInt(message.id)).execute();
  await reportMessage(ana, bo.userId, message.id);
  const { case_id } = await world.db
    .selectFrom("reports")
    .select("case_id")
    .where("message_id", "=", BigInt(message.id))
    .executeTakeFirstOrThrow();
  const pieces = await world.moderation.evidence.of(case_id ?? 0n);
  expect(pieces.map(({ facts }) => JSON.parse(facts) as object)).toEqual([{ message: true, cover: "insult" }]);
});
