import { beforeAll, beforeEach, expect, test } from "vitest";
import { type Person, ShopWorld } from "#test/fixtures/shop-world.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let world: ShopWorld;
let ana: Person;

beforeAll(async () => {
  world = await ShopWorld.open();
});
beforeEach(async () => {
  ana = await world.person();
  world.payments.onQuery = () => null;
});

/** Values of a metric by its labels, such as `why="review"`. */
async function valuesOf(name: string): Promise<Record<string, number>> {
  const text = await world.metrics.getSingleMetricAsString(name);
  const found = text.matchAll(new RegExp(`^${name}\\{(.*)\\} (\\d+)$`, "gm"));
  return Object.fromEntries(Array.from(found, ([, labels = "", value]) => [labels, Number(value)]));
}

test("counts orders by the state that they reach, and webhooks by what became of them", async () => {
  const orderNo = await world.order(ana);
  expect(await world.report(orderNo, { kind: "paid" })).toBe(200);
  expect(await world.report(orderNo, { kind: "paid" })).toBe(200);
  expect(await world.report(orderNo, { kind: "paid" }, { signature: "forged" })).toBe(400);
  expect(await valuesOf("fava_orders_total")).toMatchObject({
    'provider="sandbox",state="pending"': 1,
    'provider="sandbox",state="paid"': 1,
  });
  expect(await valuesOf("fava_webhooks_total")).toEqual({
    'provider="sandbox",result="accepted"': 2,
    'provider="sandbox",result="refused"': 1,
  });
});

test("counts orders that need a person or whose provider is not queried in time", async () => {
  const hanging = () => valuesOf("fava_orders_hanging");
  expect(await hanging()).toEqual({ 'why="review"': 0, 'why="unchecked"': 0, 'why="refund"': 0 });
  const unpaid = await world.order(ana);
  const wrong = await world.paidOrder(await world.person());
  await world.shop.orders.act(wrong, { kind: "contradicted", reason: "provider_disagrees" });
  expect(await hanging()).toMatchObject({ 'why="review"': 1, 'why="unchecked"': 0 });
  world.clock.advance(22 * minuteMs);
  expect(await hanging()).toMatchObject({ 'why="review"': 1, 'why="unchecked"': 1 });
  await world.shop.checks.runDue();
  expect(await hanging()).toMatchObject({ 'why="unchecked"': 0 });
  expect(await world.stateOf(unpaid)).toBe("pending");
});

test("[BEANS-181] reports a ledger that does not add up for a day after the reconciliation", async () => {
  const findings = () => valuesOf("fava_reconciliation_findings");
  await world.shop.reconciliation.run();
  expect(await findings()).toEqual({});
  const account = world.database.db.updateTable("bean_accounts").where("user_id", "=", ana.userId);
  await world.paidOrder(ana);
  await account.set((row) => ({ balance: row("balance", "+", 7n) })).execute();
  expect(await world.shop.reconciliation.run()).toBe(1);
  expect(await findings()).toEqual({ 'kind="ledger"': 1 });
  await account.set((row) => ({ balance: row("balance", "-", 7n) })).execute();
  world.clock.advance(23 * hourMs);
  expect([await world.shop.reconciliation.run(), await findings()]).toEqual([0, { 'kind="ledger"': 1 }]);
  world.clock.advance(2 * hourMs);
  expect(await findings()).toEqual({});
});
