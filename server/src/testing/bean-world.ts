import { type HoldOrder, Ledger, type TransferOrder } from "#billing/ledger.ts";
import { askForCap, type CapBeans } from "#billing/wallet.ts";
import { TestClock } from "./clock.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";

/** A ledger over a database of its own, and people with beans. */
export interface BeanWorld {
  database: TestDatabase;
  clock: TestClock;
  ledger: Ledger;
  /** A new person who has bought so many beans. */
  person(beans?: bigint): Promise<bigint>;
  /** Somebody asks for a spending cap of so many beans, or none. */
  askForCap(userId: bigint, beans: CapBeans): Promise<void>;
}

export async function beanWorld(): Promise<BeanWorld> {
  const database = await createTestDatabase();
  const clock = new TestClock();
  const ledger = new Ledger({ db: database.db, clock });
  let peopleMade = 0;
  async function person(beans = 0n): Promise<bigint> {
    peopleMade += 1;
    const { rows } = await database.pool.query<{ id: bigint }>(
      "insert into users (user_no, external_id, nickname, country_id) values ($1, $2, 'ana', 18) returning id",
      [String(10_000_000 + peopleMade), `ext-${peopleMade}`],
    );
    const userId = rows[0]?.id;
    if (userId === undefined) throw new Error("nobody was made");
    if (beans > 0n) await ledger.post(purchase(userId, beans));
    return userId;
  }
  return {
    database,
    clock,
    ledger,
    person,
    askForCap: (userId, beans) => askForCap(database.db, userId, { beans, now: new Date(clock.nowMs()) }),
  };
}

/** A purchase as an order would post it. */
export function purchase(userId: bigint, amount: bigint, orderNo = `first${userId}`): TransferOrder {
  return {
    key: `pay:sandbox:${orderNo}`,
    kind: "purchase",
    from: { house: "sales:sandbox" },
    to: { userId },
    amount,
    reference: orderNo,
  };
}

/** Takes the beans of an order back, whether they are there or not. */
export function refund(userId: bigint, amount: bigint, orderNo = `first${userId}`): TransferOrder {
  return {
    key: `refund:sandbox:${orderNo}`,
    kind: "refund",
    from: { userId },
    to: { house: "sales:sandbox" },
    amount,
    reference: orderNo,
    overdraft: true,
  };
}

/** Minute `minute` of a call. */
export function minuteHold(userId: bigint, call: { id: string; minute: number; amount: bigint }): HoldOrder {
  const { id, minute, amount } = call;
  return { key: `call:${id}:min:${minute}:${userId}`, userId, amount, reference: id };
}
