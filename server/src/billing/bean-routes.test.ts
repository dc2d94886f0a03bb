import { afterEach, beforeAll, expect, test } from "vitest";
import { capRaiseDelayMs } from "@fava/wire/limits.ts";
import type { SignedInContext } from "#ports/handlers.ts";
import { type BeanWorld, beanWorld, minuteHold, refund } from "#test/fixtures/bean-world.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { callContext, refusalOf } from "#test/fixtures/session-world.ts";
import { beanHandlers } from "./bean-routes.ts";

let world: BeanWorld;
let calls: ReturnType<typeof beanHandlers>;

beforeAll(async () => {
  world = await beanWorld();
  const { ledger, clock, database } = world;
  const pack = { id: 1, countryId: 18, golds: 10_000n, priceMinor: 999n, currencyCode: "USD" };
  calls = beanHandlers({
    db: database.db,
    ledger,
    clock,
    prices: { smallestPack: () => pack },
    isStoppedByAge: async () => false,
  });
});

afterEach(() => expectSoundLedger(world.database.db));

function as(userId: bigint): SignedInContext {
  const session = { id: "s", userId, externalId: "e", role: 0, profileComplete: true };
  return { ...callContext(), session };
}

const me = (userId: bigint) => ({ user_id: Number(userId) });
const walletOf = (userId: bigint) => calls.beanWallet(as(userId), me(userId));

test("shows spendable and held beans, and the smallest pack's rate before a purchase", async () => {
  const ana = await world.person();
  const cap = { beans: null, pending: null, spent_today: 0 };
  const rate = { golds: 10_000, price_minor: 999, currency_code: "USD" };
  expect(await walletOf(ana)).toEqual({ balance: 0, debt: 0, held: 0, cap, rate });
  const bo = await world.person(10_000n);
  const order = minuteHold(bo, { id: "wallet", minute: 1, amount: 1_600n });
  await world.ledger.hold(order);
  expect(await walletOf(bo)).toEqual({
    balance: 8_400,
    debt: 0,
    held: 1_600,
    cap: { ...cap, spent_today: 1_600 },
    rate,
  });
  await world.ledger.settleHold(order.key, 0n);
});

test("[BEANS-104] shows a debt beside a balance of 0", async () => {
  const ana = await world.person();
  await world.ledger.post(refund(ana, 700n));
  expect(await walletOf(ana)).toMatchObject({ balance: 0, debt: 700 });
});

test("shows the rate of the pack paid for last, ignoring exact amounts and unpaid orders", async () => {
  const ana = await world.person();
  const { rows } = await world.database.pool.query<{ id: bigint }>(
    `insert into packs (country_id, golds, price_minor, currency_code, created_at)
     values (18, 50000, 3999, 'EUR', now()) returning id`,
  );
  const packId = rows[0]?.id;
  for (const [orderNo, pack, beans, paid] of [
    ["early", packId, 10_000, "2026-01-01"],
    ["last", packId, 50_000, "2026-01-02"],
    ["exact", null, 1_700, "2026-01-03"],
    ["unpaid", packId, 90_000, null],
  ] as const) {
    await world.database.pool.query(
      `insert into payment_orders (order_no, user_id, provider, channel_type, pay_type, pay_name, pack_id, beans,
         amount_minor, currency_code, country_code, language, state, transaction_id, paid_at, created_at, changed_at)
       values ($1, $2, 'sandbox', 20, 'card', 'Card', $3, $4, 3999, 'EUR', 'US', 'en', $5,
         case when $6::timestamptz is null then null else $1 end, $6, now(), now())`,
      [orderNo, ana, pack, beans, paid ? "refunded" : "pending", paid],
    );
  }
  expect((await walletOf(ana)).rate).toEqual({ golds: 50_000, price_minor: 3_999, currency_code: "EUR" });
  // These orders have no purchases, which the next ledger check would report.
  await world.database.pool.query("delete from payment_orders");
});

test("[BEANS-105] returns the current and the coming cap; -1 removes the cap", async () => {
  const ana = await world.person();
  const set = (beans: number) => calls.beanCap(as(ana), { ...me(ana), beans });
  expect(await set(0)).toEqual({ beans: 0, pending: null, spent_today: 0 });
  const from = world.clock.nowMs() + capRaiseDelayMs;
  expect(await set(-1)).toEqual({ beans: 0, pending: { beans: null, from }, spent_today: 0 });
  expect((await walletOf(ana)).cap).toEqual({ beans: 0, pending: { beans: null, from }, spent_today: 0 });
});

test("[BEANS-113] accepts only cursors of the statement", async () => {
  const ana = await world.person(10n);
  const { rows } = await calls.beanStatement(as(ana), { ...me(ana), filter: 0 });
  const page = (cursor: string) => calls.beanStatement(as(ana), { ...me(ana), filter: 0, cursor });
  expect(rows).toHaveLength(1);
  expect((await page(rows[0]?.id ?? "")).rows).toEqual([]);
  for (const cursor of ["0", "-1", "1.5", "x", "9".repeat(40)])
    expect(await refusalOf(page(cursor))).toMatchObject({ code: 400, data: { field: "cursor" } });
});

test("[BEANS-113] shows wallet, cap and statement only to their owner", async () => {
  const [ana, bo] = [await world.person(), await world.person()];
  const refused = { code: 400, data: { field: "user_id" } };
  expect(await refusalOf(calls.beanWallet(as(ana), me(bo)))).toEqual(refused);
  expect(await refusalOf(calls.beanCap(as(ana), { ...me(bo), beans: 1 }))).toEqual(refused);
  expect(await refusalOf(calls.beanStatement(as(ana), { ...me(bo), filter: 0 }))).toEqual(refused);
});
