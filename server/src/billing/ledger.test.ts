import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type BeanWorld, beanWorld, ledgerWays, minuteHold, purchase, refund } from "#test/fixtures/bean-world.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { Ledger, NotEnoughBeansError, TransferConflictError, type TransferOrder } from "./ledger.ts";

let world: BeanWorld;
/** The ledger of another server over the same database. */
let elsewhere: Ledger;

afterEach(() => expectSoundLedger(world.database.db));

function debit(userId: bigint, key: string, amount = 1_600n): TransferOrder {
  return { key, kind: "call", from: { userId }, to: { house: "filter-revenue" }, amount, reference: "call" };
}

/** Returns the users for whom a change was announced while `work` ran. */
async function heard(work: () => Promise<unknown>): Promise<bigint[]> {
  const changed: bigint[] = [];
  using _listening = world.ledger.onChanged((userId) => changed.push(userId));
  await work();
  return changed;
}

/** Locks the users' accounts until every piece of `work` waits for a lock, so that all of them continue at once. */
async function collided<Result>(
  userIds: readonly bigint[],
  work: (() => Promise<Result>)[],
): Promise<PromiseSettledResult<Result>[]> {
  const locker = await world.database.pool.connect();
  try {
    await locker.query("begin");
    await locker.query("select from bean_accounts where user_id = any ($1) order by id for update", [userIds]);
    const running = Promise.allSettled(work.map((start) => start()));
    for (let waiting = 0; waiting < work.length;) {
      // Without this, the transaction reads the same activity as in its first query.
      await locker.query("select pg_stat_clear_snapshot()");
      const { rows } = await locker.query<{ waiting: bigint }>(
        "select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      waiting = Number(rows[0]?.waiting);
    }
    await locker.query("commit");
    return await running;
  } finally {
    locker.release();
  }
}

describe.each(ledgerWays)("a ledger whose orders go %s", (way) => {
  beforeAll(async () => {
    world = await beanWorld(way);
    elsewhere = new Ledger({ db: world.database.db, clock: world.clock, isGathering: way === "gathered" });
  });

  describe("posting", () => {
    test("[BEANS-100] moves beans from one account to another, and creates none", async () => {
      const ana = await world.person(10_000n);
      await world.ledger.post(debit(ana, "move"));
      expect(await world.ledger.account(ana)).toEqual({ balance: 8_400n, held: 0n, debt: 0n });
      const { rows } = await world.database.pool.query(
        `select house, user_id, entry.amount, balance_after, account_version
       from bean_entries as entry join bean_transfers as transfer on transfer.id = transfer_id
       join bean_accounts as account on account.id = account_id where key = 'move' order by entry.amount`,
      );
      expect(rows).toEqual([
        { house: null, user_id: ana, amount: -1_600n, balance_after: 8_400n, account_version: 2n },
        { house: "filter-revenue", user_id: null, amount: 1_600n, balance_after: null, account_version: null },
      ]);
    });

    test("[BEANS-101] credits ten concurrent copies of a purchase once", async () => {
      const ana = await world.person();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => world.ledger.post(purchase(ana, 10_000n, "copied"))),
      );
      expect(answers.filter(({ kind }) => kind === "posted")).toHaveLength(1);
      expect(new Set(answers.map(({ transferId }) => transferId)).size).toBe(1);
      expect(await world.ledger.of(ana)).toBe(10_000n);
    });

    test.each<[string, (order: TransferOrder, other: bigint) => TransferOrder]>([
      ["amount", (order) => ({ ...order, amount: order.amount + 1n })],
      ["person", (order, other) => ({ ...order, to: { userId: other } })],
      ["house account", (order) => ({ ...order, from: { house: "sales:stripe" } })],
      ["kind", (order) => ({ ...order, kind: "credit" })],
      ["reference", (order) => ({ ...order, reference: "elsewhere" })],
      ["reason", (order) => ({ ...order, reason: "support" })],
    ])("[BEANS-102] rejects a used key with another %s as a conflict, and moves nothing", async (what, change) => {
      const [ana, bo] = [await world.person(), await world.person()];
      const order = purchase(ana, 10_000n, `conflict ${what}`);
      await world.ledger.post(order);
      await expect(world.ledger.post(change(order, bo))).rejects.toThrow(TransferConflictError);
      expect([await world.ledger.of(ana), await world.ledger.of(bo)]).toEqual([10_000n, 0n]);
    });

    test("[BEANS-102] gives a key that two users use at once to one of them", async () => {
      const [ana, bo] = [await world.person(), await world.person()];
      const answers = await Promise.allSettled([ana, bo].map((who) => world.ledger.post(purchase(who, 5n, "raced"))));
      expect(answers.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
      expect((await world.ledger.of(ana)) + (await world.ledger.of(bo))).toBe(5n);
    });

    test("[BEANS-103] accepts exactly as many of 50 concurrent debits as the balance covers", async () => {
      const ana = await world.person(10_000n);
      const answers = await Promise.allSettled(
        Array.from({ length: 50 }, (_, index) => world.ledger.post(debit(ana, `parallel ${index}`))),
      );
      const refusals = answers.filter((answer) => answer.status === "rejected").map(({ reason }) => reason as unknown);
      expect(refusals).toHaveLength(44);
      expect(refusals.every((error) => error instanceof NotEnoughBeansError && error.have === 400n)).toBe(true);
      expect(await world.ledger.of(ana)).toBe(400n);
    });

    test("[BEANS-103] lets a user spend the whole balance, and not one bean more", async () => {
      const ana = await world.person(1_600n);
      await world.ledger.post(debit(ana, "everything", 1_600n));
      expect(await world.ledger.of(ana)).toBe(0n);
      await expect(world.ledger.post(debit(ana, "one more", 1n))).rejects.toThrow(NotEnoughBeansError);
    });

    test("[BEANS-103] applies colliding debits and holds to the balance left by the one before", async () => {
      const ana = await world.person(1_600n);
      const answers = await collided(
        [ana],
        [
          () => world.ledger.post(debit(ana, "collided 1", 1_000n)),
          () => elsewhere.post(debit(ana, "collided 2", 1_000n)),
        ],
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
      const bo = await world.person(1_600n);
      const hold = (minute: number) => () =>
        world.ledger.hold(minuteHold(bo, { id: "collided", minute, amount: 1_000n }));
      const held = await collided([bo], [hold(1), hold(2), hold(3)]);
      expect(held.map((answer) => (answer.status === "fulfilled" ? answer.value.kind : "failed")).toSorted()).toEqual([
        "held",
        "refused",
        "refused",
      ]);
      for (const { key, userId } of await world.ledger.openHolds())
        if (userId === bo) await world.ledger.settleHold(key, 0n);
    });

    test("[BEANS-104] leaves a debt after a refund, spends nothing meanwhile, and repays it with the next purchase", async () => {
      const ana = await world.person(10_000n);
      await world.ledger.post(debit(ana, "before the refund"));
      await world.ledger.post(refund(ana, 10_000n));
      expect(await world.ledger.account(ana)).toEqual({ balance: -1_600n, held: 0n, debt: 1_600n });
      expect(await world.ledger.of(ana)).toBe(0n);
      await expect(world.ledger.post(debit(ana, "in debt", 1n))).rejects.toThrow(NotEnoughBeansError);
      expect(await world.ledger.hold(minuteHold(ana, { id: "debt", minute: 1, amount: 1n }))).toEqual({
        kind: "refused",
        have: 0n,
        limit: "balance",
      });
      await world.ledger.post(purchase(ana, 10_000n, "repays"));
      expect(await world.ledger.account(ana)).toEqual({ balance: 8_400n, held: 0n, debt: 0n });
    });

    test("[BEANS-104] lets only refunds and disputes overdraw", async () => {
      const ana = await world.person(10n);
      await expect(world.ledger.post({ ...debit(ana, "overdrawn"), overdraft: true })).rejects.toThrow(
        "check constraint",
      );
      expect(await world.ledger.of(ana)).toBe(10n);
    });
  });

  describe("holds", () => {
    const id = "holds";

    test("[BEANS-106] blocks held beans, and at settlement posts a part and releases the rest", async () => {
      const ana = await world.person(2_000n);
      const first = minuteHold(ana, { id, minute: 1, amount: 1_600n });
      expect(await world.ledger.hold(first)).toEqual({ kind: "held" });
      expect(await world.ledger.hold(first)).toEqual({ kind: "known" });
      expect(await world.ledger.account(ana)).toEqual({ balance: 2_000n, held: 1_600n, debt: 0n });
      expect(await world.ledger.of(ana)).toBe(400n);
      expect(await world.ledger.hold(minuteHold(ana, { id, minute: 2, amount: 401n }))).toEqual({
        kind: "refused",
        have: 400n,
        limit: "balance",
      });
      await expect(world.ledger.post(debit(ana, "held", 401n))).rejects.toThrow(NotEnoughBeansError);
      expect(await world.ledger.openHolds()).toEqual([{ key: first.key, userId: ana, amount: 1_600n, reference: id }]);
      await world.ledger.settleHold(first.key, 600n);
      expect(await world.ledger.openHolds()).toEqual([]);
      expect(await world.ledger.account(ana)).toEqual({ balance: 1_400n, held: 0n, debt: 0n });
    });

    test("[BEANS-106] settles once, however often it is requested", async () => {
      const ana = await world.person(2_000n);
      const { key } = minuteHold(ana, { id, minute: 3, amount: 1_600n });
      await world.ledger.hold({ key, userId: ana, amount: 1_600n, reference: id });
      await Promise.all(Array.from({ length: 10 }, () => world.ledger.settleHold(key, 27n)));
      expect(await world.ledger.account(ana)).toEqual({ balance: 1_973n, held: 0n, debt: 0n });
      await expect(world.ledger.settleHold(key, 28n)).rejects.toThrow(TransferConflictError);
    });

    test("[BEANS-106] leaves no transfer for a hold settled with 0", async () => {
      const ana = await world.person(1_600n);
      const order = minuteHold(ana, { id, minute: 4, amount: 1_600n });
      await world.ledger.hold(order);
      await world.ledger.settleHold(order.key, 0n);
      expect(await world.ledger.account(ana)).toEqual({ balance: 1_600n, held: 0n, debt: 0n });
      await expect(world.ledger.settleHold(order.key, 1n)).rejects.toThrow(TransferConflictError);
    });

    test("[BEANS-106] rejects a settlement above the hold, or of an unknown hold", async () => {
      const ana = await world.person(1_600n);
      const order = minuteHold(ana, { id, minute: 5, amount: 1_000n });
      await world.ledger.hold(order);
      await expect(world.ledger.settleHold(order.key, 1_001n)).rejects.toThrow(TransferConflictError);
      await expect(world.ledger.settleHold("call:nobody:min:1:1", 0n)).rejects.toThrow(TransferConflictError);
      await expect(world.ledger.hold({ ...order, amount: 999n })).rejects.toThrow(TransferConflictError);
      await world.ledger.settleHold(order.key, 0n);
    });

    test("[BEANS-104] still charges a minute that was held before a refund", async () => {
      const ana = await world.person(1_600n);
      const order = minuteHold(ana, { id, minute: 6, amount: 1_600n });
      await world.ledger.hold(order);
      await world.ledger.post(refund(ana, 1_600n));
      expect(await world.ledger.of(ana)).toBe(0n);
      await world.ledger.settleHold(order.key, 1_600n);
      expect(await world.ledger.account(ana)).toEqual({ balance: -1_600n, held: 0n, debt: 1_600n });
    });
  });

  describe("as part of another transaction", () => {
    test("moves beans with the caller's transaction or not at all", async () => {
      const ana = await world.person(100n);
      const rolledBack = world.database.db.transaction().execute(async (trx) => {
        await world.ledger.post(purchase(ana, 50n, "rolled back"), trx);
        throw new Error("the order could not be stored");
      });
      await expect(rolledBack).rejects.toThrow("could not be stored");
      expect(await world.ledger.of(ana)).toBe(100n);
      expect(await world.ledger.post(purchase(ana, 50n, "rolled back"))).toMatchObject({ kind: "posted" });
    });

    test("leaves the caller's transaction usable after a rejection", async () => {
      const ana = await world.person(100n);
      await world.database.db.transaction().execute(async (trx) => {
        await expect(world.ledger.post(debit(ana, "too much"), trx)).rejects.toThrow(NotEnoughBeansError);
        await world.ledger.post(debit(ana, "affordable", 99n), trx);
      });
      expect(await world.ledger.of(ana)).toBe(1n);
    });

    test("notifies listeners only of committed changes of spendable beans", async () => {
      const ana = await world.person(5_000n);
      const order = minuteHold(ana, { id: "heard", minute: 1, amount: 1_600n });
      expect(await heard(() => world.ledger.post(purchase(ana, 1n, "heard")))).toEqual([ana]);
      expect(await heard(() => world.ledger.post(purchase(ana, 1n, "heard")))).toEqual([]);
      expect(await heard(() => world.ledger.hold(order))).toEqual([ana]);
      expect(await heard(() => world.ledger.settleHold(order.key, 1_000n))).toEqual([ana]);
      const full = minuteHold(ana, { id: "heard", minute: 2, amount: 1_600n });
      await world.ledger.hold(full);
      expect(await heard(() => world.ledger.settleHold(full.key, 1_600n))).toEqual([]);
      const inTransaction = () =>
        world.database.db.transaction().execute((trx) => world.ledger.post(purchase(ana, 1n, "later"), trx));
      expect(await heard(inTransaction)).toEqual([]);
      expect(await heard(async () => world.ledger.announce(ana))).toEqual([ana]);
    });
  });

  describe("the database itself", () => {
    test.each(["bean_transfers", "bean_entries", "bean_holds", "bean_hold_ends", "bean_caps"])(
      "[BEANS-108] refuses to change, delete or truncate %s",
      async (table) => {
        const ana = await world.person(10_000n);
        const order = minuteHold(ana, { id: table, minute: 1, amount: 1_600n });
        await world.ledger.hold(order);
        await world.ledger.settleHold(order.key, 1n);
        await world.database.pool.query(
          "insert into bean_caps (user_id, beans, from_at, asked_at) values ($1, 1, now(), now())",
          [ana],
        );
        const refused = `append only table ${table}`;
        const amount = table === "bean_caps" ? "beans" : "amount";
        await expect(world.database.pool.query(`update ${table} set ${amount} = 1`)).rejects.toThrow(refused);
        await expect(world.database.pool.query(`delete from ${table}`)).rejects.toThrow(refused);
        await expect(world.database.pool.query(`truncate ${table} cascade`)).rejects.toThrow("append only table");
      },
    );

    test("[BEANS-108] keeps every account", async () => {
      await world.person(1n);
      await expect(world.database.pool.query("delete from bean_accounts")).rejects.toThrow("append only table");
    });

    test("lets two users send each other beans at once without a deadlock", async () => {
      const [ana, bo] = [await world.person(1_000n), await world.person(1_000n)];
      const send = (from: bigint, to: bigint, index: number): Promise<unknown> =>
        world.ledger.post({
          key: `send ${from} ${index}`,
          kind: "adjustment",
          from: { userId: from },
          to: { userId: to },
          amount: 1n,
          reference: "both ways",
        });
      const crossed = await collided([ana, bo], [() => send(ana, bo, 40), () => send(bo, ana, 40)]);
      expect(crossed.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
      await Promise.all(Array.from({ length: 40 }, (_, index) => [send(ana, bo, index), send(bo, ana, index)]).flat());
      expect([await world.ledger.of(ana), await world.ledger.of(bo)]).toEqual([1_000n, 1_000n]);
    });
  });
});
