import fc from "fast-check";
import { sql } from "kysely";
import { afterEach, expect, test } from "vitest";
import { fuzz, storyTimeoutMs } from "@fava/wire/testing/depth.ts";
import { openDatabase, type OpenedDatabase } from "#db/pool.ts";
import {
  type BeanWorld,
  beanWorld,
  type LedgerWay,
  ledgerWays,
  minuteHold,
  purchase,
  refund,
} from "#test/fixtures/bean-world.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { type HoldOrder, Ledger, NotEnoughBeansError, TransferConflictError, type TransferOrder } from "./ledger.ts";

/** A random request. Few keys make repetitions and conflicts common. */
type Move =
  | { kind: "purchase" | "refund" | "debit" | "send"; who: number; key: number; amount: number }
  | { kind: "hold" | "settle"; who: number; key: number; amount: number }
  /** Settles the previous hold in full, and makes the hold of the key. */
  | { kind: "minute"; who: number; key: number; amount: number };
type Step =
  /** Concurrent moves, each in its own transaction. `killed`: the connections of half of them are cut meanwhile. */
  | { kind: "together"; moves: Move[]; killed: boolean }
  /** Moves one after another in one transaction of one user. */
  | { kind: "transaction"; who: number; moves: Move[]; end: "commit" | "rollback" | "crash" };

const people = 3;
const move: fc.Arbitrary<Move> = fc.record({
  kind: fc.constantFrom("purchase", "refund", "debit", "send", "hold", "settle", "settle", "minute", "minute"),
  who: fc.nat(people - 1),
  key: fc.nat(5),
  amount: fc.constantFrom(1, 27, 800, 1_600, 1_600, 1_600, 10_000),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("together"),
    moves: fc.array(move, { minLength: 2, maxLength: 14 }),
    killed: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("transaction"),
    who: fc.nat(people - 1),
    moves: fc.array(move, { minLength: 1, maxLength: 4 }),
    end: fc.constantFrom("commit", "rollback", "crash"),
  }),
);

let world: BeanWorld;
let doomed: OpenedDatabase;
let doomedLedger: Ledger;
let runs = 0;
let committed = 0;

async function open(way: LedgerWay): Promise<void> {
  world = await beanWorld(way);
  const url = new URL(world.database.url);
  url.searchParams.set("application_name", "doomed");
  doomed = openDatabase(url.href, { max: 4 });
  leftovers.push(doomed);
  doomedLedger = new Ledger({ db: doomed.db, clock: world.clock, isGathering: way === "gathered" });
}

afterEach(() => expectSoundLedger(world.database.db));

/** A random history, with what its callers were promised. */
class History {
  readonly #name: string;
  readonly #who: readonly bigint[];
  /** Transfers and settlements that a caller was told are done. */
  readonly #done = new Map<string, bigint>();

  constructor(name: string, who: readonly bigint[]) {
    this.#name = name;
    this.#who = who;
  }

  async take(next: Step): Promise<void> {
    if (next.kind === "transaction") return this.#transaction(next);
    const work = next.moves.map((each, index) => {
      const ledger = index % 2 === 0 ? world.ledger : doomedLedger;
      // After a lost connection the caller cannot know the outcome, and retries.
      return this.#ask(each, ledger).catch(() => this.#ask(each, world.ledger));
    });
    if (next.killed) await killDoomed();
    await Promise.all(work);
  }

  /** Settles the open holds. Returns the stored transfers, and those that callers were promised. */
  async finish(): Promise<{ stored: Record<string, bigint>; promised: Record<string, bigint>; held: bigint }> {
    for (const { key, userId } of await world.ledger.openHolds()) {
      if (this.#who.includes(userId)) await world.ledger.settleHold(key, 0n);
    }
    const { rows } = await sql<{ key: string; amount: bigint }>`
      select key, amount from bean_transfers where key like ${`${this.#name} %`}
      union all
      select hold.key, 0 from bean_holds as hold join bean_hold_ends as ended on ended.hold_id = hold.id
      where ended.amount = 0 and hold.key like ${`${this.#name} %`}`.execute(world.database.db);
    const accounts = await Promise.all(this.#who.map((userId) => world.ledger.account(userId)));
    return {
      stored: Object.fromEntries(rows.map(({ key, amount }) => [key, amount])),
      promised: Object.fromEntries(this.#done),
      held: accounts.reduce((sum, { held }) => sum + held, 0n),
    };
  }

  async #transaction({ who, moves, end }: Extract<Step, { kind: "transaction" }>): Promise<void> {
    const done = new Map<string, bigint>();
    const work = doomed.db.transaction().execute(async (trx) => {
      // Without sends, which would lock a second user's account in arbitrary order.
      for (const each of moves.filter(({ kind }) => kind !== "send"))
        await this.#ask({ ...each, who }, doomedLedger, { trx, done });
      if (end === "crash") await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx);
      if (end === "rollback") throw new Error("rolled back");
    });
    // If the connection is cut during the commit, the caller was promised nothing.
    const isCommitted = await work.then(
      () => true,
      () => false,
    );
    if (!isCommitted) return;
    if (end !== "commit") throw new Error(`a transaction was committed in spite of its ${end}`);
    committed += 1;
    for (const [key, amount] of done) this.#done.set(key, amount);
  }

  /** Allows rejections, which the ledger check later proves right. */
  async #ask(
    asked: Move,
    ledger: Ledger,
    within?: { trx: OpenedDatabase["db"]; done: Map<string, bigint> },
  ): Promise<void> {
    const done = within?.done ?? this.#done;
    const amount = BigInt(asked.amount);
    try {
      if (asked.kind === "hold") await ledger.hold(this.#holdOf(asked), within?.trx);
      else if (asked.kind === "settle") {
        const { key } = this.#holdOf(asked);
        const part = asked.amount === 1 ? 0n : amount;
        await ledger.settleHold(key, part, within?.trx);
        done.set(key, part);
      } else if (asked.kind === "minute") {
        // Taking a minute is always a transaction of its own.
        if (!within) await this.#takeMinute(asked, ledger);
      } else {
        const order = this.#orderOf(asked, asked.kind);
        await ledger.post(order, within?.trx);
        done.set(order.key, order.amount);
      }
    } catch (error) {
      if (!(error instanceof NotEnoughBeansError || error instanceof TransferConflictError)) throw error;
    }
  }

  async #takeMinute(asked: Move, ledger: Ledger): Promise<void> {
    const before = asked.key > 0 ? this.#holdOf({ ...asked, key: asked.key - 1 }) : null;
    await ledger.takeMinute({
      settle: before && { key: before.key, amount: before.amount },
      hold: this.#holdOf(asked),
      epoch: null,
    });
    if (before) this.#done.set(before.key, before.amount);
  }

  #holdOf({ who, key, amount }: Move): HoldOrder {
    const order = minuteHold(this.#idOf(who), { id: `${this.#name} ${key}`, minute: 1, amount: BigInt(amount) });
    return { ...order, key: `${this.#name} ${order.key}` };
  }

  #orderOf({ who, key, amount }: Move, kind: "purchase" | "refund" | "debit" | "send"): TransferOrder {
    const userId = this.#idOf(who);
    const common = { key: `${this.#name} ${kind} ${who} ${key}`, amount: BigInt(amount), reference: `order ${key}` };
    if (kind === "purchase") return { ...purchase(userId, 1n), ...common };
    if (kind === "refund") return { ...refund(userId, 1n), ...common };
    const from = { userId };
    if (kind === "debit") return { ...common, kind: "call", from, to: { house: "filter-revenue" } };
    return { ...common, kind: "adjustment", from, to: { userId: this.#idOf((who + 1) % people) } };
  }

  #idOf(who: number): bigint {
    const userId = this.#who[who];
    if (userId === undefined) throw new Error(`nobody is number ${who}`);
    return userId;
  }
}

async function killDoomed(): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'doomed' and datname = current_database()`.execute(world.database.db);
}

test.each(ledgerWays)(
  "keeps every invariant through any concurrent history of transfers, holds, repetitions and crashes (%s)",
  async (way) => {
    await open(way);
    committed = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        runs += 1;
        const who = [await world.person(10_000n), await world.person(2_000n), await world.person()];
        const history = new History(`run${runs}`, who);
        for (const next of steps) await history.take(next);
        const { stored, promised, held } = await history.finish();
        expect(stored).toMatchObject(promised);
        expect(held).toBe(0n);
        await expectSoundLedger(world.database.db);
      }),
      { ...fuzz(20), endOnFailure: true },
    );
    expect(committed).toBeGreaterThan(0);
  },
  storyTimeoutMs(90_000),
);
