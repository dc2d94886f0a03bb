import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { OrderSnapshot } from "#ports/payments.ts";
import { eventAbout, outage } from "#test/fakes/scripted-payments.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { type Person, ShopWorld } from "#test/fixtures/shop-world.ts";

const minuteMs = 60_000;
let world: ShopWorld;
let ana: Person;

beforeAll(async () => {
  world = await ShopWorld.open();
});
beforeEach(async () => {
  ana = await world.person();
  world.payments.onQuery = () => null;
});
afterEach(() => expectSoundLedger(world.database.db));

const isPaid = ({ orderNo }: OrderSnapshot) => eventAbout(orderNo, { kind: "paid" });
const questions = (orderNo: string) => world.payments.asked.filter((asked) => asked === orderNo).length;

/** How many minutes after its creation the provider was queried about an order, with one due check a minute. */
async function askedAt(orderNo: string, minutes: number): Promise<number[]> {
  const times: number[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    world.clock.advance(minuteMs);
    const before = questions(orderNo);
    await world.shop.checks.runDue();
    if (questions(orderNo) > before) times.push(minute);
  }
  return times;
}

test("credits an unreported payment by querying the provider", async () => {
  const orderNo = await world.order(ana);
  world.payments.onQuery = isPaid;
  await world.shop.checks.runDue();
  expect(await world.balance(ana)).toBe(0n);
  world.clock.advance(minuteMs);
  await world.shop.checks.runDue();
  expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["paid", 10_000n]);
  expect(await world.report(orderNo, { kind: "paid" })).toBe(200);
  expect(await world.balance(ana)).toBe(10_000n);
});

test("queries after 1, 5, 15 and 60 minutes and a day, and expires the order once its payment page has expired", async () => {
  const orderNo = await world.order(ana);
  expect(await askedAt(orderNo, 29)).toEqual([1, 5, 15]);
  expect(await world.stateOf(orderNo)).toBe("pending");
  expect(await askedAt(orderNo, 40)).toEqual([31]);
  expect(await world.stateOf(orderNo)).toBe("expired");
  world.payments.onQuery = isPaid;
  world.clock.advance(24 * 60 * minuteMs);
  await world.shop.checks.runDue();
  expect([await world.stateOf(orderNo), await world.balance(ana)]).toEqual(["paid", 10_000n]);
});

test("keeps the order's state and retries when the provider does not respond", async () => {
  const orderNo = await world.order(ana);
  world.payments.onQuery = () => outage();
  expect(await askedAt(orderNo, 12)).toEqual([1, 6, 11]);
  expect(await world.stateOf(orderNo)).toBe("pending");
});

test("queries about an order once from two concurrent checks", async () => {
  const orderNo = await world.order(ana);
  world.clock.advance(minuteMs);
  await Promise.all([world.shop.checks.runDue(), world.shop.checks.runDue()]);
  expect(questions(orderNo)).toBe(1);
});

test("queries the provider at once when the buyer asks, but not about a settled order", async () => {
  const orderNo = await world.order(ana);
  expect((await world.status(ana, orderNo)).data.state).toBe("pending");
  world.payments.onQuery = isPaid;
  expect((await world.status(ana, orderNo, 1)).data).toMatchObject({ state: "paid", balance: 10_000 });
  const before = questions(orderNo);
  await world.status(ana, orderNo, 1);
  expect(questions(orderNo)).toBe(before);
});

test("returns the stored state when the buyer asks too often or the provider is unavailable", async () => {
  const checked = new Set<string>();
  const strict = await ShopWorld.open({
    limits: {
      take: async (limit, key) => (limit === "orderCheckByOrder" && checked.size === checked.add(key).size ? 3 : null),
      waitSeconds: async () => null,
    },
  });
  const bo = await strict.person();
  const orderNo = await strict.order(bo);
  strict.payments.onQuery = () => outage();
  for (let count = 0; count < 5; count += 1) {
    expect(await strict.status(bo, orderNo, 1)).toMatchObject({ code: 200, data: { state: "pending" } });
  }
  expect(strict.payments.asked).toHaveLength(1);
});

test("[BEANS-173] shows an order only to its buyer", async () => {
  const orderNo = await world.order(ana);
  const bo = await world.person();
  expect((await world.status(bo, orderNo)).code).toBe(400);
});

test("stops the shop's background work when it is disposed", async () => {
  const other = await ShopWorld.open({ timers: true });
  const before = other.clock.pendingCount;
  expect(before).toBeGreaterThan(0);
  await other.besideShop[Symbol.asyncDispose]();
  expect(other.clock.pendingCount).toBe(0);
});
