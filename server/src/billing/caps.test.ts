import { afterEach, beforeAll, expect, test } from "vitest";
import { capRaiseDelayMs } from "@fava/wire/limits.ts";
import { type BeanWorld, beanWorld, minuteHold, refund } from "#test/fixtures/bean-world.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { requestCap, type CapBeans, readCap } from "./wallet.ts";

const dayMs = 86_400_000;
let world: BeanWorld;

beforeAll(async () => {
  world = await beanWorld();
});

afterEach(() => expectSoundLedger(world.database.db));

const now = () => new Date(world.clock.nowMs());
const later = (ms: number) => new Date(world.clock.nowMs() + ms);
const ask = (userId: bigint, beans: CapBeans) => requestCap(world.database.db, userId, { beans, now: now() });
const read = (userId: bigint) => readCap(world.database.db, userId, now());

async function spend(userId: bigint, call: { id: string; minute: number; amount: bigint }): Promise<void> {
  const order = minuteHold(userId, call);
  expect(await world.ledger.hold(order)).toEqual({ kind: "held" });
  await world.ledger.settleHold(order.key, order.amount);
}

test("[BEANS-105] applies a lower cap at once, and a higher one or none after 24 hours", async () => {
  const ana = await world.person();
  expect(await read(ana)).toEqual({ beans: null, pending: null, spentToday: 0n });
  await ask(ana, 5_000n);
  expect(await read(ana)).toMatchObject({ beans: 5_000n, pending: null });
  await ask(ana, 3_000n);
  expect(await read(ana)).toMatchObject({ beans: 3_000n, pending: null });
  await ask(ana, 8_000n);
  const from = later(capRaiseDelayMs);
  expect(await read(ana)).toMatchObject({ beans: 3_000n, pending: { beans: 8_000n, from } });
  world.clock.advance(capRaiseDelayMs - 1);
  expect(await read(ana)).toMatchObject({ beans: 3_000n });
  world.clock.advance(1);
  expect(await read(ana)).toMatchObject({ beans: 8_000n, pending: null });
  await ask(ana, null);
  expect(await read(ana)).toMatchObject({ beans: 8_000n, pending: { beans: null } });
  world.clock.advance(capRaiseDelayMs);
  expect(await read(ana)).toMatchObject({ beans: null, pending: null });
});

test("[BEANS-105] keeps the delay when the same raise is repeated, and restarts it for another", async () => {
  const ana = await world.person();
  await ask(ana, 1_000n);
  await ask(ana, 2_000n);
  const from = later(capRaiseDelayMs);
  world.clock.advance(5_000);
  await ask(ana, 2_000n);
  expect(await read(ana)).toMatchObject({ beans: 1_000n, pending: { beans: 2_000n, from } });
  await ask(ana, 1_500n);
  expect(await read(ana)).toMatchObject({ beans: 1_000n, pending: { beans: 1_500n, from: later(capRaiseDelayMs) } });
  world.clock.advance(capRaiseDelayMs);
  expect(await read(ana)).toMatchObject({ beans: 1_500n, pending: null });
});

test("[BEANS-105] cancels a pending raise when the current or a lower cap is set", async () => {
  const ana = await world.person();
  for (const wish of [1_000n, 900n]) {
    await ask(ana, 1_000n);
    await ask(ana, 2_000n);
    await ask(ana, wish);
    expect(await read(ana)).toMatchObject({ beans: wish, pending: null });
    world.clock.advance(2 * capRaiseDelayMs);
    expect(await read(ana)).toMatchObject({ beans: wish, pending: null });
  }
});

test("[BEANS-105] holds no more under a pending raise before it applies", async () => {
  const ana = await world.person(100_000n);
  await ask(ana, 1_000n);
  await ask(ana, 5_000n);
  const order = minuteHold(ana, { id: "raise", minute: 1, amount: 1_600n });
  expect(await world.ledger.spendable(ana)).toEqual({ have: 1_000n, limit: "cap" });
  expect(await world.ledger.hold(order)).toEqual({ kind: "refused", have: 1_000n, limit: "cap" });
  world.clock.advance(capRaiseDelayMs);
  await spend(ana, { id: "raise", minute: 1, amount: 1_600n });
});

test("rejects a hold that would pass the cap whatever the balance, counting held beans as spent", async () => {
  const ana = await world.person(100_000n);
  await ask(ana, 4_000n);
  await spend(ana, { id: "cap", minute: 1, amount: 1_600n });
  expect(await world.ledger.spendable(ana)).toEqual({ have: 2_400n, limit: "cap" });
  const open = minuteHold(ana, { id: "cap", minute: 2, amount: 1_600n });
  await world.ledger.hold(open);
  expect((await read(ana)).spentToday).toBe(3_200n);
  const refused = { kind: "refused", have: 800n, limit: "cap" };
  expect(await world.ledger.hold(minuteHold(ana, { id: "cap", minute: 3, amount: 801n }))).toEqual(refused);
  expect(await world.ledger.hold(minuteHold(ana, { id: "cap", minute: 3, amount: 800n }))).toEqual({ kind: "held" });
  expect(await world.ledger.spendable(ana)).toEqual({ have: 0n, limit: "cap" });
  for (const { key, userId } of await world.ledger.openHolds())
    if (userId === ana) await world.ledger.settleHold(key, 0n);
});

test("counts the spending of a UTC day against the cap", async () => {
  const ana = await world.person(100_000n);
  world.clock.advance(dayMs - (world.clock.nowMs() % dayMs));
  await ask(ana, 1_600n);
  world.clock.advance(dayMs - 1);
  await spend(ana, { id: "day", minute: 1, amount: 1_600n });
  expect(await world.ledger.hold(minuteHold(ana, { id: "day", minute: 2, amount: 1n }))).toMatchObject({
    limit: "cap",
  });
  world.clock.advance(1);
  expect((await read(ana)).spentToday).toBe(0n);
  await spend(ana, { id: "day", minute: 2, amount: 1_600n });
});

test("counts only calls against the cap, not beans that a refund takes back", async () => {
  const ana = await world.person(100_000n);
  await ask(ana, 4_000n);
  await world.ledger.post(refund(ana, 50_000n));
  expect((await read(ana)).spentToday).toBe(0n);
  await spend(ana, { id: "refunded", minute: 1, amount: 4_000n });
});

test("names the balance as the limit when it is lower than the cap", async () => {
  const ana = await world.person(1_000n);
  await ask(ana, 1_200n);
  expect(await world.ledger.spendable(ana)).toEqual({ have: 1_000n, limit: "balance" });
  expect(await world.ledger.hold(minuteHold(ana, { id: "less", minute: 1, amount: 1_600n }))).toEqual({
    kind: "refused",
    have: 1_000n,
    limit: "balance",
  });
});

test("leaves nothing under a cap below today's spending, and accepts only the concurrent holds that fit", async () => {
  const ana = await world.person(100_000n);
  await spend(ana, { id: "below", minute: 1, amount: 1_600n });
  await ask(ana, 1_000n);
  expect(await world.ledger.spendable(ana)).toEqual({ have: 0n, limit: "cap" });
  const bo = await world.person(100_000n);
  await ask(bo, 5_000n);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, minute) =>
      world.ledger.hold(minuteHold(bo, { id: "crowd", minute, amount: 1_600n })),
    ),
  );
  expect(answers.filter(({ kind }) => kind === "held")).toHaveLength(3);
});
