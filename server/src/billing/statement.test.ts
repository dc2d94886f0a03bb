import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { listPageRows } from "@fava/wire/limits.ts";
import { type BeanWorld, beanWorld, minuteHold, purchase, refund } from "#test/fixtures/bean-world.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import type { TransferOrder } from "./ledger.ts";
import { untouchedPurchases } from "./purchases.ts";
import { readStatement, type StatementQuery } from "./statement.ts";
import { storeCall } from "#test/fixtures/stored-calls.ts";

const dayMs = 86_400_000;
let world: BeanWorld;

beforeAll(async () => {
  world = await beanWorld();
});

afterEach(() => expectSoundLedger(world.database.db));

function read(userId: bigint, change: Partial<StatementQuery> = {}) {
  const now = new Date(world.clock.nowMs());
  return readStatement(world.database.db, { userId, filter: 0, before: null, now, isStopped: false, ...change });
}

const untouched = async (userId: bigint) =>
  (await untouchedPurchases(world.database.db, userId)).map(({ orderNo }) => orderNo);

async function payMinute(userId: bigint, call: { id: string; minute: number; amount: bigint }): Promise<void> {
  const order = minuteHold(userId, call);
  await world.ledger.hold(order);
  await world.ledger.settleHold(order.key, order.amount);
}

async function storedCall(payer: bigint, price: number): Promise<string> {
  const people = { offerer_id: await world.person(), answerer_id: payer, answerer_price: price };
  return storeCall(world.database.db, { ...people, matched_at: new Date(world.clock.nowMs()) });
}

function given(userId: bigint, amount: bigint, change: Partial<TransferOrder> = {}): TransferOrder {
  const from = { house: "filter-revenue" } as const;
  return { key: `given ${userId}`, kind: "credit", from, to: { userId }, amount, reference: "call", ...change };
}

describe("statement", () => {
  test("shows every kind of transfer with its sign, its reason and the balance after it, newest first", async () => {
    const ana = await world.person(10_000n);
    await payMinute(ana, { id: await storedCall(ana, 1_600), minute: 1, amount: 1_600n });
    await world.ledger.post(given(ana, 1_600n, { reference: "kinds", reason: "failed_call" }));
    const sales = { house: "sales:sandbox" } as const;
    const disputed = { amount: 10_000n, reference: `first${ana}` };
    await world.ledger.post({
      ...disputed,
      key: `open ${ana}`,
      kind: "dispute_opened",
      from: { userId: ana },
      to: sales,
      overdraft: true,
    });
    await world.ledger.post({ ...disputed, key: `won ${ana}`, kind: "dispute_won", from: sales, to: { userId: ana } });
    await world.ledger.post(refund(ana, 4_000n));
    await world.ledger.post(given(ana, 5n, { key: `gift ${ana}`, kind: "adjustment", reason: "support" }));
    const { rows, next } = await read(ana);
    const order = { order_no: `first${ana}`, paid_seconds: null };
    const none = { order_no: null, paid_seconds: null };
    expect(next).toBeNull();
    expect(rows).toMatchObject([
      { kind: "adjustment", reason: "support", beans: 5, balance_after: 6_005, ...none },
      { kind: "refund", reason: null, beans: -4_000, balance_after: 6_000, ...order },
      { kind: "credit", reason: "dispute_won", beans: 10_000, balance_after: 10_000, ...order },
      { kind: "dispute", reason: null, beans: -10_000, balance_after: 0, ...order },
      { kind: "credit", reason: "failed_call", beans: 1_600, balance_after: 10_000, ...none },
      { kind: "call", reason: null, beans: -1_600, balance_after: 8_400, order_no: null, paid_seconds: 60 },
      { kind: "purchase", reason: null, beans: 10_000, balance_after: 10_000, ...order },
    ]);
    const kinds = async (filter: 1 | 2 | 3) => (await read(ana, { filter })).rows.map(({ kind }) => kind);
    expect(await kinds(1)).toEqual(["refund", "dispute", "purchase"]);
    expect(await kinds(2)).toEqual(["call"]);
    expect(await kinds(3)).toEqual(["adjustment", "credit", "credit"]);
  });

  test("shows a call as one row with all its minutes and paid seconds", async () => {
    const ana = await world.person(10_000n);
    const id = await storedCall(ana, 1_600);
    await payMinute(ana, { id, minute: 1, amount: 1_600n });
    await world.ledger.post(purchase(ana, 1n, "between"));
    await payMinute(ana, { id, minute: 2, amount: 1_600n });
    await payMinute(ana, { id, minute: 3, amount: 27n });
    const { rows } = await read(ana);
    expect(rows).toMatchObject([
      { kind: "call", beans: -3_227, balance_after: 6_774, paid_seconds: 121 },
      { kind: "purchase", beans: 1 },
      { kind: "purchase", beans: 10_000 },
    ]);
  });

  test("computes exactly the counted seconds from the paid beans at every usual price", async () => {
    const ana = await world.person(100_000n);
    for (const [price, seconds] of [
      [1_600, 1],
      [800, 59],
      [2_000, 7],
      [60, 13],
    ] as const) {
      const id = await storedCall(ana, price);
      const up = (BigInt(price) * BigInt(seconds) + 59n) / 60n;
      await payMinute(ana, { id, minute: 1, amount: up });
      expect((await read(ana)).rows[0]).toMatchObject({ kind: "call", paid_seconds: seconds });
    }
  });

  test("shows a call that is missing in the call log without its seconds", async () => {
    const ana = await world.person(10_000n);
    await payMinute(ana, { id: "lost", minute: 1, amount: 1_600n });
    expect((await read(ana)).rows[0]).toMatchObject({ kind: "call", beans: -1_600, paid_seconds: null });
  });

  test("[BEANS-113] returns pages without gaps or repetitions, also while beans move", async () => {
    const ana = await world.person(100_000n);
    for (let index = 0; index < 2 * listPageRows; index += 1)
      await world.ledger.post(purchase(ana, 1n, `p${ana}${index}`));
    const first = await read(ana);
    await world.ledger.post(purchase(ana, 1n, `meanwhile${ana}`));
    const second = await read(ana, { before: BigInt(first.next ?? 0) });
    const third = await read(ana, { before: BigInt(second.next ?? 0) });
    expect([first.rows.length, second.rows.length, third.rows.length]).toEqual([listPageRows, listPageRows, 1]);
    expect(third.next).toBeNull();
    const ids = [first, second, third].flatMap(({ rows }) => rows.map(({ id }) => BigInt(id)));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(ids.toSorted((one, other) => (one < other ? 1 : -1)));
  });

  test("[BEANS-113] never shows another user's beans", async () => {
    const [ana, bo] = [await world.person(10n), await world.person()];
    expect((await read(bo)).rows).toEqual([]);
    const to = { userId: bo };
    await world.ledger.post(given(bo, 3n, { key: "gift", kind: "adjustment", from: { userId: ana }, to }));
    expect((await read(bo)).rows).toMatchObject([{ beans: 3, balance_after: 3 }]);
    expect((await read(ana)).rows).toMatchObject([{ beans: -3, balance_after: 7 }, { beans: 10 }]);
  });
});

describe("untouched purchases", () => {
  test("spends beans first in, first out", async () => {
    const ana = await world.person(1_600n);
    await world.ledger.post(purchase(ana, 5_000n, `second${ana}`));
    expect(await untouched(ana)).toEqual([`first${ana}`, `second${ana}`]);
    await payMinute(ana, { id: "fifo", minute: 1, amount: 1n });
    expect(await untouched(ana)).toEqual([`second${ana}`]);
    await payMinute(ana, { id: "fifo", minute: 2, amount: 1_599n });
    expect(await untouched(ana)).toEqual([`second${ana}`]);
    await payMinute(ana, { id: "fifo", minute: 3, amount: 1n });
    expect(await untouched(ana)).toEqual([]);
  });

  test("counts beans held for a running call as spent", async () => {
    const ana = await world.person(1_600n);
    const order = minuteHold(ana, { id: "held", minute: 1, amount: 100n });
    await world.ledger.hold(order);
    expect(await untouched(ana)).toEqual([]);
    await world.ledger.settleHold(order.key, 0n);
    expect(await untouched(ana)).toEqual([`first${ana}`]);
  });

  test("counts nothing spent by a refunded call, and spends beans from support first", async () => {
    const ana = await world.person();
    await world.ledger.post(given(ana, 1_000n, { key: `gift ${ana}`, kind: "adjustment", reason: "support" }));
    await world.ledger.post(purchase(ana, 1_600n, `bought${ana}`));
    await payMinute(ana, { id: "back", minute: 1, amount: 1_000n });
    expect(await untouched(ana)).toEqual([`bought${ana}`]);
    await payMinute(ana, { id: "back", minute: 2, amount: 1_000n });
    expect(await untouched(ana)).toEqual([]);
    await world.ledger.post(given(ana, 1_000n, { reason: "failed_call" }));
    expect(await untouched(ana)).toEqual([`bought${ana}`]);
  });

  test("leaves out a refunded purchase, and counts one that repaid a debt as spent", async () => {
    const ana = await world.person(1_600n);
    await payMinute(ana, { id: "debt", minute: 1, amount: 600n });
    await world.ledger.post(refund(ana, 1_600n));
    await world.ledger.post(purchase(ana, 5_000n, `repays${ana}`));
    expect(await untouched(ana)).toEqual([]);
    await world.ledger.post(purchase(ana, 700n, `after${ana}`));
    expect(await untouched(ana)).toEqual([`after${ana}`]);
  });

  test("restores the purchase after a failed refund", async () => {
    const ana = await world.person(1_600n);
    await world.ledger.post(purchase(ana, 800n, `second${ana}`));
    const from = { house: "sales:sandbox" } as const;
    await world.ledger.post(refund(ana, 1_600n));
    expect(await untouched(ana)).toEqual([`second${ana}`]);
    const back = { amount: 1_600n, reference: `first${ana}`, from };
    await world.ledger.post(given(ana, 0n, { ...back, key: `back ${ana}`, kind: "adjustment" }));
    expect(await untouched(ana)).toEqual([`first${ana}`, `second${ana}`]);
  });

  test("shows until when an untouched purchase can be withdrawn, for 14 days", async () => {
    const ana = await world.person(1_600n);
    const until = world.clock.nowMs() + 14 * dayMs;
    expect((await read(ana)).rows).toMatchObject([{ kind: "purchase", withdraw_until: until }]);
    world.clock.advance(14 * dayMs - 1);
    expect((await read(ana)).rows).toMatchObject([{ withdraw_until: until }]);
    world.clock.advance(1);
    expect((await read(ana)).rows).toMatchObject([{ withdraw_until: null }]);
    await world.ledger.post(purchase(ana, 800n, `second${ana}`));
    await payMinute(ana, { id: "withdraw", minute: 1, amount: 1_601n });
    expect((await read(ana, { filter: 1 })).rows).toMatchObject([{ withdraw_until: null }, { withdraw_until: null }]);
  });
});
