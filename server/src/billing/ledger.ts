import type { Kysely } from "kysely";
import type { CreditReason } from "@fava/wire/endpoints/beans.ts";
import type { Database } from "#db/schema.ts";
import { Emitter } from "#lib/emitter.ts";
import type { Balances } from "#ports/balances.ts";
import type { Clock } from "#ports/clock.ts";
import * as store from "./ledger-store.ts";

type Db = Kysely<Database>;

type Account = store.Account;
export type OpenHold = store.OpenHoldRow;
type Spendable = store.Spendable;

/**
 * Double entry, append only, integer beans (docs/decisions/009-ledger.md).
 *
 * `trx` makes an operation part of the caller's transaction, which must be `read committed`. An expected refusal leaves
 * that transaction usable. Each operation locks the person's account until the transaction ends, so a transaction that
 * touches several people does so in the order of their user ids.
 *
 * Whoever passes `trx` calls `announce` after the commit; without it the ledger does.
 */
export class Ledger implements Balances {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #changed = new Emitter<[userId: bigint]>();

  constructor(options: { db: Db; clock: Clock }) {
    this.#db = options.db;
    this.#clock = options.clock;
  }

  /**
   * Moves beans at once; the same order again is `known` and moves nothing (rule BEANS-101).
   *
   * @throws NotEnoughBeansError where a person has less and `overdraft` is not set; held beans cannot be spent.
   * @throws TransferConflictError where the key stands for another transfer.
   */
  async post(order: TransferOrder, trx?: Db): Promise<Posted> {
    const { outcome, transfer, have } = await store.post(trx ?? this.#db, order, this.#now());
    if (outcome === "not_enough") throw new NotEnoughBeansError(have ?? 0n);
    if (outcome === "conflict" || transfer === null) throw new TransferConflictError(order.key);
    if (outcome === "posted" && !trx) {
      for (const account of [order.from, order.to]) if ("userId" in account) this.announce(account.userId);
    }
    return { kind: outcome, transferId: transfer };
  }

  /**
   * Sets beans aside, if balance and spending cap of the UTC day allow it (rule BEANS-103).
   *
   * @throws TransferConflictError where the key stands for another hold.
   */
  async hold(order: HoldOrder, trx?: Db): Promise<HoldAnswer> {
    const { outcome, have } = await store.hold(trx ?? this.#db, order, this.#now());
    if (outcome === "conflict") throw new TransferConflictError(order.key);
    if (outcome === "balance" || outcome === "cap") return { kind: "refused", have: have ?? 0n, limit: outcome };
    if (outcome === "held" && !trx) this.announce(order.userId);
    return { kind: outcome };
  }

  /**
   * Ends a hold: `amount` of it, 0 to all, becomes the call's transfer under the hold's key, the rest is released.
   * Repeating it changes nothing.
   *
   * @throws TransferConflictError for another amount than the first time, more than was held, or a key never held.
   */
  async settleHold(key: string, amount: bigint, trx?: Db): Promise<void> {
    const settled = await store.settle(trx ?? this.#db, { key, amount, at: this.#now() });
    if (settled.outcome === "conflict" || settled.outcome === "unknown") throw new TransferConflictError(key);
    // What was posted could not be spent before either: only what was released is news.
    const isNews = settled.outcome === "settled" && settled.released !== 0n;
    if (isNews && !trx && settled.user_id !== null) this.announce(settled.user_id);
  }

  /** What the person can spend, in beans, never negative; the spending cap is left aside. */
  async of(userId: bigint): Promise<bigint> {
    const { balance, held } = await store.account(this.#db, userId);
    return balance > held ? balance - held : 0n;
  }

  /** `balance` may be negative: `debt` is that, as a positive number. */
  account(userId: bigint, trx?: Db): Promise<Account> {
    return store.account(trx ?? this.#db, userId);
  }

  /** What the next hold could take at most, and whether balance or spending cap says so. */
  spendable(userId: bigint, trx?: Db): Promise<Spendable> {
    return store.spendable(trx ?? this.#db, userId, this.#now());
  }

  /** Holds that were not settled: after a crash, all of them are of calls that are over. */
  openHolds(): Promise<readonly OpenHold[]> {
    return store.openHolds(this.#db);
  }

  /** Hears whose spendable beans, or whose cap, changed, once that is committed. */
  onChanged(listener: (userId: bigint) => void): Disposable {
    return this.#changed.on(listener);
  }

  /** Tells the listeners of a change that the caller has committed. */
  announce(userId: bigint): void {
    this.#changed.emit(userId);
  }

  #now(): Date {
    return new Date(this.#clock.nowMs());
  }
}

/** Our side of a transfer. House accounts keep no running balance, so that no row of theirs is ever fought over. */
type HouseAccount = `sales:${string}` | "filter-revenue" | "promotion" | "adjustment" | "write-off";

export type AccountRef = { readonly userId: bigint } | { readonly house: HouseAccount };

/** What a transfer is for. */
export type TransferKind =
  | "purchase"
  /** A filter in a call; held first, then posted. */
  | "call"
  | "credit"
  | "refund"
  | "dispute_opened"
  | "dispute_won"
  | "adjustment";

export interface TransferOrder {
  /** The same key moves beans once, however often it is asked for; decision 009 has forms of it. */
  readonly key: string;
  readonly kind: TransferKind;
  readonly from: AccountRef;
  readonly to: AccountRef;
  /** More than zero. */
  readonly amount: bigint;
  /** Order number or call id. */
  readonly reference: string;
  readonly reason?: CreditReason;
  /** Whether the balance may fall below zero: refunds and chargebacks only. */
  readonly overdraft?: boolean;
}

/** A hold is a transfer from a person to `filter-revenue` that is not made yet. */
export interface HoldOrder {
  readonly key: string;
  readonly userId: bigint;
  readonly amount: bigint;
  /** Call id. */
  readonly reference: string;
}

type Posted = { readonly kind: "posted" | "known"; readonly transferId: bigint };
type HoldAnswer =
  | { readonly kind: "held" | "known" }
  /** `have`: what could be spent, in beans; `limit`: what stood in the way. */
  | { readonly kind: "refused"; readonly have: bigint; readonly limit: "balance" | "cap" };

/** The balance does not cover it. */
export class NotEnoughBeansError extends Error {
  override readonly name = "NotEnoughBeansError";
  readonly have: bigint;
  constructor(have: bigint) {
    super("not enough beans");
    this.have = have;
  }
}

/** The key was used for another transfer: a defect of the caller, never of the person. */
export class TransferConflictError extends Error {
  override readonly name = "TransferConflictError";
}
