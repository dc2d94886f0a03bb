import fc from "fast-check";
import { sql } from "kysely";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { fuzz, storyTimeoutMs } from "@fava/wire/testing/depth.ts";
import { openDatabase } from "#db/pool.ts";
import {
  type BeanWorld,
  beanWorld,
  type LedgerWay,
  ledgerWays,
  minuteHold,
  purchase,
} from "#test/fixtures/bean-world.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { CallTakenOverError, Ledger, type MinuteOrder, type TransferOrder } from "./ledger.ts";
import { storeCall } from "#test/fixtures/stored-calls.ts";

let world: BeanWorld;
const ledgers = {} as Record<LedgerWay, Ledger>;

beforeAll(async () => {
  world = await beanWorld();
  const { db } = world.database;
  for (const way of ledgerWays) {
    ledgers[way] = new Ledger({ db, clock: world.clock, isGathering: way === "gathered" });
  }
});

afterEach(() => expectSoundLedger(world.database.db));

function debit(userId: bigint, key: string, amount = 100n): TransferOrder {
  return { key, kind: "call", from: { userId }, to: { house: "filter-revenue" }, amount, reference: "call" };
}

/** A random operation. Few keys make repetitions and conflicts common. */
interface Move {
  readonly kind: "purchase" | "debit" | "credit" | "refund" | "send" | "minute" | "first" | "hold" | "settle" | "cap";
  readonly who: number;
  readonly key: number;
  readonly amount: number;
}

const people = 5;
function move(...kinds: Move["kind"][]): fc.Arbitrary<Move> {
  return fc.record({
    kind: fc.constantFrom(...kinds),
    who: fc.nat(people - 1),
    key: fc.nat(4),
    amount: fc.constantFrom(0, 1, 800, 1_600, 1_600, 10_000),
  });
}
const ofOne = move(
  ...(["purchase", "debit", "debit", "credit", "refund", "minute", "minute", "minute"] as const),
  ...(["first", "hold", "settle", "cap"] as const),
);
/** Several users may act in one turn, but each only once, since operations of a turn arrive in any order. */
const turn = fc.oneof(
  { weight: 8, arbitrary: fc.uniqueArray(ofOne, { minLength: 1, maxLength: people, selector: ({ who }) => who }) },
  { weight: 1, arbitrary: fc.tuple(move("send")) },
);
/** Users share some keys in these kinds, so that the second user of a key gets a conflict. */
const withCommonKeys = new Set<Move["kind"]>(["purchase", "debit", "credit"]);

/** Plays one story, with or without batches, for users of its own. */
class Story {
  readonly #name: string;
  readonly #way: LedgerWay;
  readonly #who: readonly bigint[];

  constructor(name: string, way: LedgerWay, who: readonly bigint[]) {
    this.#name = `${name} ${way}`;
    this.#way = way;
    this.#who = who;
  }

  async take(moves: readonly Move[]): Promise<unknown[]> {
    if (this.#way === "gathered") return Promise.all(moves.map((each) => this.#outcome(each)));
    const outcomes: unknown[] = [];
    for (const each of moves) outcomes.push(await this.#outcome(each));
    return outcomes;
  }

  /** Everything that is stored, without the names of this story's users and keys. */
  async written(): Promise<unknown> {
    const { db } = world.database;
    const { rows: entries } = await sql<{ key: string }>`
      select array_position(${this.#who}::bigint[], account.user_id) as who, key, kind, reference, reason, overdraft,
        entry.amount, balance_after, account_version, transfer.at
      from bean_entries as entry join bean_transfers as transfer on transfer.id = transfer_id
      join bean_accounts as account on account.id = account_id
      where account.user_id = any (${this.#who}::bigint[]) and starts_with(key, ${this.#name})
      order by who, account_version`.execute(db);
    const { rows: holds } = await sql<{ key: string }>`
      select array_position(${this.#who}::bigint[], account.user_id) as who, hold.key, hold.amount, hold.reference,
        hold.at, ended.amount as settled, ended.at as ended_at, transfer.key = hold.key as has_transfer
      from bean_holds as hold join bean_accounts as account on account.id = account_id
      left join bean_hold_ends as ended on ended.hold_id = hold.id
      left join bean_transfers as transfer on transfer.id = ended.transfer_id
      where account.user_id = any (${this.#who}::bigint[]) order by who, hold.key`.execute(db);
    const accounts = await Promise.all(this.#who.map((userId) => world.ledger.account(userId)));
    const own = (row: { key: string }) => ({ ...row, key: row.key.slice(this.#name.length) });
    return { entries: entries.map(own), holds: holds.map(own), accounts };
  }

  async #outcome(asked: Move): Promise<unknown> {
    try {
      const answer = await this.#ask(asked);
      return answer && typeof answer === "object" && "transferId" in answer && "kind" in answer ? answer.kind : answer;
    } catch (error) {
      return error instanceof Error ? [error.name, "have" in error ? error.have : null] : error;
    }
  }

  #ask(asked: Move): Promise<unknown> {
    const ledger = ledgers[this.#way];
    const [who, next] = [this.#idOf(asked.who), this.#idOf((asked.who + 1) % people)];
    const amount = BigInt(asked.amount);
    const whose = asked.key === 4 && withCommonKeys.has(asked.kind) ? "" : asked.who;
    const key = `${this.#name} ${asked.kind} ${asked.key} ${whose}`;
    const common = { ...debit(who, key, amount), reference: `call ${asked.key}` };
    const [house, person] = [{ house: "filter-revenue" }, { userId: who }] as const;
    switch (asked.kind) {
      case "debit":
        return ledger.post(common);
      case "purchase":
        return ledger.post({ ...purchase(who, amount, `${asked.key}`), key });
      case "credit":
        return ledger.post({ ...common, kind: "credit", from: house, to: person, reason: "failed_call" });
      case "refund":
        return ledger.post({ ...common, kind: "refund", overdraft: true });
      case "send":
        return ledger.post({ ...common, kind: "adjustment", to: { userId: next } });
      case "hold":
        return ledger.hold(this.#hold(asked, asked.key));
      case "settle":
        return ledger.settleHold(this.#hold(asked, asked.key).key, amount);
      case "first":
        return ledger.takeMinute({ settle: null, hold: this.#hold(asked, asked.key), epoch: null });
      case "minute": {
        const settle = { key: this.#hold(asked, asked.key - 1).key, amount };
        return ledger.takeMinute({ settle, hold: this.#hold(asked, asked.key), epoch: null });
      }
      case "cap":
        return world.askForCap(who, amount * 2n);
    }
  }

  #hold({ who }: Move, minute: number) {
    const order = minuteHold(this.#idOf(who), { id: "call", minute, amount: 1_600n });
    return { ...order, key: `${this.#name} ${who} ${minute}` };
  }

  #idOf(who: number): bigint {
    const userId = this.#who[who];
    if (userId === undefined) throw new Error(`nobody is number ${who}`);
    return userId;
  }
}

let stories = 0;

test(
  "answers and writes batched orders as if each had been sent alone",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 4, maxLength: 14 }), async (turns) => {
        stories += 1;
        const both: Story[] = [];
        for (const way of ledgerWays) {
          const who: bigint[] = [];
          for (const beans of [50_000n, 20_000n, 5_000n, 1_600n, 0n]) who.push(await world.person(beans));
          both.push(new Story(`story${stories}`, way, who));
        }
        for (const moves of turns) {
          const [gathered, alone] = await Promise.all(both.map((story) => story.take(moves)));
          expect(gathered).toEqual(alone);
          world.clock.advance(1_000);
        }
        const [gathered, alone] = await Promise.all(both.map((story) => story.written()));
        expect(gathered).toEqual(alone);
        for (const { key } of await world.ledger.openHolds()) await world.ledger.settleHold(key, 0n);
      }),
      { ...fuzz(25), endOnFailure: true },
    );
  },
  storyTimeoutMs(90_000),
);

describe("a batch of orders", () => {
  test("fails only the order that the database rejects", async () => {
    const who = await Promise.all([1, 2, 3].map(() => world.person(1_000n)));
    const answers = await Promise.allSettled(
      who.map((userId, index) => ledgers.gathered.post(debit(userId, `bad ${userId}`, index === 1 ? 0n : 100n))),
    );
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(answers[1]).toMatchObject({ reason: { message: expect.stringContaining("check constraint") } });
    expect(await Promise.all(who.map((userId) => world.ledger.of(userId)))).toEqual([900n, 1_000n, 900n]);
  });

  test("delays only the order of a user whose account is locked", async () => {
    const [ana, bo] = [await world.person(1_000n), await world.person(1_000n)];
    let anas: Promise<unknown> = Promise.resolve();
    await world.database.db.transaction().execute(async (trx) => {
      await ledgers.alone.post(debit(ana, "locks"), trx);
      anas = ledgers.gathered.post(debit(ana, "waits", 950n));
      anas.catch(() => undefined);
      await ledgers.gathered.post(debit(bo, "goes on"));
      await ledgers.gathered.post(debit(bo, "and on"));
    });
    await expect(anas).rejects.toMatchObject({ name: "NotEnoughBeansError", have: 900n });
    expect([await world.ledger.of(ana), await world.ledger.of(bo)]).toEqual([900n, 800n]);
  });

  test("leaves all callers without a result when the connection is cut, and applies each order once when retried", async () => {
    const url = new URL(world.database.url);
    url.searchParams.set("application_name", "cut");
    const cut = openDatabase(url.href, { max: 2 });
    leftovers.push(cut);
    const ledger = new Ledger({ db: cut.db, clock: world.clock });
    const [ana, bo, cy] = [await world.person(1_000n), await world.person(1_000n), await world.person(1_000n)];
    const orders = [ana, bo].map((userId) => debit(userId, `cut ${userId}`));
    const rollback = world.database.db.transaction().execute(async (trx) => {
      // Another order with this key waits until this transaction ends.
      await world.ledger.post(debit(cy, `cut ${bo}`), trx);
      const answers = Promise.allSettled(orders.map((order) => ledger.post(order)));
      await expect
        .poll(
          async () =>
            (
              await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'cut' and wait_event_type = 'Lock'`.execute(world.database.db)
            ).rows.length,
        )
        .toBe(1);
      for (const answer of await answers) {
        expect(answer).toMatchObject({ reason: { name: "DatabaseUnavailableError", reason: "away" } });
      }
      throw new Error("rolled back");
    });
    await expect(rollback).rejects.toThrow("rolled back");
    for (const kind of ["posted", "known"]) {
      const again = await Promise.all(orders.map((order) => ledger.post(order)));
      expect(again.map((answer) => answer.kind)).toEqual([kind, kind]);
    }
    expect(await Promise.all([ana, bo, cy].map((userId) => world.ledger.of(userId)))).toEqual([900n, 900n, 1_000n]);
  });

  test("notifies listeners once of each posted order", async () => {
    const [ana, bo] = [await world.person(150n), await world.person(1_000n)];
    const heard: bigint[] = [];
    using _listening = ledgers.gathered.onChanged((userId) => heard.push(userId));
    const keys = ["heard 1", "heard 2"];
    await Promise.allSettled(
      [ana, bo].flatMap((who) => keys.map((key) => ledgers.gathered.post(debit(who, `${key} ${who}`)))),
    );
    expect(heard.toSorted((one, other) => Number(one - other))).toEqual([ana, bo, bo]);
  });
});

describe.each(ledgerWays)("minutes of a call that a server must own, %s", (way) => {
  async function liveCall(): Promise<{
    id: string;
    ana: bigint;
    minute: (number: number, epoch: number) => MinuteOrder;
  }> {
    const [ana, bo] = [await world.person(10_000n), await world.person()];
    const prices = { offerer_price: 1_600, answerer_price: 0 };
    const people = { offerer_id: ana, answerer_id: bo };
    const times = { matched_at: new Date(0), connected_at: null, ended_at: null, end_reason: null };
    const id = await storeCall(world.database.db, { ...people, ...prices, ...times });
    const holdOf = (minute: number) => minuteHold(ana, { id, minute, amount: 1_600n });
    const minute = (number: number, epoch: number) => ({
      settle: number > 1 ? { key: holdOf(number - 1).key, amount: 1_600n } : null,
      hold: holdOf(number),
      epoch,
    });
    return { id, ana, minute };
  }
  const raise = (id: string, db = world.database.db) =>
    sql`update calls set owner_epoch = owner_epoch + 1 where id = ${id}`.execute(db);
  const releaseAll = async () => {
    for (const { key } of await world.ledger.openHolds()) await world.ledger.settleHold(key, 0n);
  };

  test("[BEANS-285] are charged only with the epoch of the call", async () => {
    const { id, ana, minute } = await liveCall();
    expect(await ledgers[way].takeMinute(minute(1, 0))).toMatchObject({ kind: "held", funds: { have: 8_400n } });
    await raise(id);
    await expect(ledgers[way].takeMinute(minute(2, 0))).rejects.toThrow(CallTakenOverError);
    expect(await world.ledger.account(ana)).toEqual({ balance: 10_000n, held: 1_600n, debt: 0n });
    expect(await ledgers[way].takeMinute(minute(2, 1))).toMatchObject({ kind: "held", funds: { balance: 8_400n } });
    await releaseAll();
  });

  test("[BEANS-285] are not charged for an ended or unknown call", async () => {
    const { id, ana, minute } = await liveCall();
    await sql`update calls set ended_at = matched_at, end_reason = 'next' where id = ${id}`.execute(world.database.db);
    await expect(ledgers[way].takeMinute(minute(1, 0))).rejects.toThrow(CallTakenOverError);
    const unknown = { ...minute(1, 0), hold: minuteHold(ana, { id: "nowhere", minute: 1, amount: 1n }) };
    await expect(ledgers[way].takeMinute(unknown)).rejects.toThrow(CallTakenOverError);
    expect(await world.ledger.openHolds()).toEqual([]);
  });

  test("[BEANS-285] wait for a takeover of the call, and are then rejected", async () => {
    const { id, minute } = await liveCall();
    let late: Promise<unknown> = Promise.resolve();
    await world.database.db.transaction().execute(async (trx) => {
      await raise(id, trx);
      late = ledgers[way].takeMinute(minute(1, 0));
      late.catch(() => undefined);
      await expect
        .poll(
          async () =>
            (
              await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(world.database.db)
            ).rows.length,
        )
        .toBe(1);
    });
    await expect(late).rejects.toThrow(CallTakenOverError);
    expect(await world.ledger.openHolds()).toEqual([]);
  });
});
