import { expect, test } from "vitest";
import { type BeanWorld, beanWorld, minuteHold, purchase, refund } from "#test/fixtures/bean-world.ts";
import { checkLedger } from "./ledger-check.ts";

/** A user with a purchase, a charged minute, a held minute and a refund, and the order of the purchase. */
async function history(): Promise<BeanWorld> {
  const world = await beanWorld();
  const ana = await world.person(10_000n);
  const settled = minuteHold(ana, { id: "call", minute: 1, amount: 1_600n });
  await world.ledger.hold(settled);
  await world.ledger.settleHold(settled.key, 1_000n);
  await world.ledger.hold(minuteHold(ana, { id: "call", minute: 2, amount: 1_600n }));
  const bo = await world.person();
  await world.ledger.post(purchase(bo, 100n, "boorder"));
  await world.ledger.post({ ...refund(bo, 300n, "boorder") });
  for (const [userId, orderNo, beans] of [
    [ana, `first${ana}`, 10_000n],
    [bo, "boorder", 100n],
  ] as const) {
    await world.database.pool.query(
      `insert into payment_orders (order_no, user_id, provider, channel_type, pay_type, pay_name, beans, amount_minor,
         currency_code, country_code, language, state, transaction_id, paid_at, created_at, changed_at)
       values ($1, $2, 'sandbox', 20, 'card', 'Card', $3, 999, 'USD', 'US', 'en', 'paid', $1, now(), now(), now())`,
      [orderNo, userId, beans],
    );
  }
  return world;
}

/** Changes rows past every guard of the database, as only its superuser can. */
async function tamper(world: BeanWorld, statement: string): Promise<void> {
  const client = await world.database.pool.connect();
  try {
    await client.query("set session_replication_role = replica");
    await client.query(statement);
    await client.query("reset session_replication_role");
  } finally {
    client.release();
  }
}

async function broken(world: BeanWorld): Promise<string[]> {
  const { findings } = await checkLedger(world.database.db);
  return findings.filter(({ breachCount }) => breachCount > 0).map(({ name }) => name);
}

test("finds no breach in a ledger that only its own functions wrote, and counts what it checked", async () => {
  const world = await history();
  const report = await checkLedger(world.database.db);
  expect(report).toMatchObject({ transferCount: 4n, accountCount: 2n });
  expect(report.findings.map(({ breachCount, breaches }) => [breachCount, breaches])).toEqual(
    report.findings.map(() => [0, []]),
  );
  expect(report.findings.length).toBeGreaterThanOrEqual(10);
});

test.each([
  ["all entries together are 0", "update bean_entries set amount = amount + 1 where amount = 1000"],
  ["every transfer has its two entries, and no others", "delete from bean_entries where amount = 1000"],
  [
    "every entry is of an account, with running figures exactly where that is a person's",
    "update bean_entries set account_id = 999 where amount = 1000",
  ],
  ["every balance is the sum of its entries", "update bean_accounts set balance = balance + 1 where balance > 0"],
  [
    "versions count an account's entries without a gap",
    "update bean_entries set account_version = 5 where balance_after = 9000",
  ],
  [
    "every balance after a transfer is the sum up to it",
    "update bean_entries set balance_after = 9001 where balance_after = 9000",
  ],
  ["a balance falls below 0 by a refund or a dispute only", "update bean_transfers set overdraft = false"],
  [
    "nobody holds more than they have, but for a refund or a dispute",
    "update bean_accounts set held = 9001 where held > 0",
  ],
  ["what is held is the sum of the open holds", "update bean_accounts set held = 1601 where held > 0"],
  [
    "a settled hold posted its amount, at most what was held, under its own key",
    "update bean_hold_ends set amount = 1001",
  ],
  ["every paid order has its one purchase", "update payment_orders set beans = 101 where order_no = 'boorder'"],
  [
    "every paid order has its one purchase",
    "update bean_transfers set reference = 'boorder' where kind = 'purchase' and amount = 10000",
  ],
  [
    "every purchase is of a paid order",
    "update payment_orders set state = 'pending', paid_at = null, transaction_id = null where order_no = 'boorder'",
  ],
])("finds a breach of: %s", async (name, statement) => {
  const world = await history();
  await tamper(world, statement);
  expect(await broken(world)).toContain(name);
});

test("lists the first twenty breaches and counts all", async () => {
  const world = await beanWorld();
  for (let index = 0; index < 25; index += 1) await world.person(1n);
  await tamper(world, "update bean_accounts set balance = 2 where user_id is not null");
  const { findings } = await checkLedger(world.database.db);
  const found = findings.find(({ name }) => name === "every balance is the sum of its entries");
  expect([found?.breachCount, found?.breaches.length]).toEqual([25, 20]);
  expect(found?.breaches[0]).toMatch(/^user \d+ has 2, entries say 1$/);
});
