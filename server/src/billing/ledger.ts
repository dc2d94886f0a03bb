import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";
import { isRefused, DatabaseUnavailableError } from "#db/unavailable.ts";
import { Emitter } from "#lib/emitter.ts";
import { Gatherer, type GathererLimits } from "#lib/gatherer.ts";
import type { Balances } from "#ports/billing.ts";
import type { Clock } from "#ports/clock.ts";
import * as store from "./ledger-store.ts";

type Db = Kysely<Database>;

type Account = store.Account;
export type OpenHold = store.OpenHoldRow;
type Spendable = store.Spendable;
export type MinuteFunds = store.MinuteFunds;
export type TransferKind = store.TransferKind;
export type TransferOrder = store.TransferOrder;
export type HoldOrder = store.HoldOrder;
export type MinuteOrder = store.MinuteOrder;

/**
 * Two calls, since one computes while the other waits for the disk. What may wait is a hundred calls: seconds, also on a
 * busy machine, and about as long as people used to wait for a connection before they were refused.
 */
const gatheredLimits: GathererLimits = {
  ordersMax: 100,
  roundsMax: 8,
  callsMax: 2,
  aloneMax: 4,
  waitingMax: 10_000,
};

/**
 * Double entry, append only, integer beans (docs/decisions/009-ledger.md).
 *
 * `trx` makes an operation part of the caller's transaction, which must be `read committed`. An expected refusal leaves
 * that transaction usable. Each operation locks the person's account until the transaction ends, so a transaction that
 * touches several people does so in the order of their user ids.
 *
 * Whoever passes `trx` calls `announce` after the commit; without it the ledger does. Without it, orders of many callers
 * go to the database together, and each by itself where that call leaves it (decision 028).
 */
export class Ledger implements Balances {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #isGathering: boolean;
  readonly #changed = new Emitter<[userId: bigint]>();
  readonly #transfers: Gatherer<store.PlainTransfer, store.PostRow>;
  readonly #minutes: Gatherer<MinuteOrder, MinuteAnswer>;

  constructor(options: LedgerOptions) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#isGathering = options.isGathering ?? true;
    const common = { isUndone: isRefused, full: () => new DatabaseUnavailableError("busy"), limits: gatheredLimits };
    this.#transfers = new Gatherer({
      ...common,
      claimsOf: ({ userId, order }) => [userId, order.key],
      together: (transfers) => this.#postTogether(transfers),
      alone: ({ order }) => store.post(this.#db, order, this.#now()),
    });
    this.#minutes = new Gatherer({
      ...common,
      limits: { ...gatheredLimits, roundsMax: 1 },
      claimsOf: ({ hold: { userId } }) => [userId],
      together: (minutes) => this.#takeMinutesTogether(minutes),
      alone: (minute) => this.#takeMinuteAlone(minute),
    });
  }

  /**
   * Moves beans at once; the same order again is `known` and moves nothing (rule BEANS-101).
   *
   * @throws NotEnoughBeansError where a person has less and `overdraft` is not set; held beans cannot be spent.
   * @throws TransferConflictError where the key stands for another transfer.
   */
  async post(order: TransferOrder, trx?: Db): Promise<Posted> {
    const { outcome, transfer, have } = await this.#post(order, trx);
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

  /**
   * Ends the hold of one minute and makes that of the next, both or neither; a refused hold leaves the settlement done.
   * Answers what the person has then. Repeating it changes nothing. Nobody is told: the answer is the news.
   *
   * @throws TransferConflictError as `hold` and `settleHold` do.
   * @throws CallTakenOverError where the order has an epoch and the call is of another, or has ended; nothing is done.
   */
  takeMinute(order: MinuteOrder): Promise<MinuteAnswer> {
    return this.#isGathering ? this.#minutes.add(order) : this.#takeMinuteAlone(order);
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

  #post(order: TransferOrder, trx: Db | undefined): Promise<store.PostRow> {
    const plain = trx || !this.#isGathering ? null : store.plainTransfer(order);
    return plain ? this.#transfers.add(plain) : store.post(trx ?? this.#db, order, this.#now());
  }

  async #postTogether(rounds: readonly (readonly store.PlainTransfer[])[]): Promise<(store.PostRow | null)[][]> {
    const posted = await store.postGathered(this.#db, rounds, this.#now());
    const answer = (transfer: bigint | null): store.PostRow | null =>
      transfer === null ? null : { outcome: "posted", transfer, have: null };
    return posted.map((round) => round.map(answer));
  }

  /** A person has one minute at a time. */
  async #takeMinutesTogether([minutes = []]: readonly (readonly MinuteOrder[])[]): Promise<(MinuteAnswer | null)[][]> {
    const taken = await store.takeMinutesGathered(this.#db, minutes, this.#now());
    return [taken.map((funds) => funds && { kind: "held", funds })];
  }

  #takeMinuteAlone({ settle, hold, epoch }: MinuteOrder): Promise<MinuteAnswer> {
    const { userId, reference: callId } = hold;
    return this.#db.transaction().execute(async (trx) => {
      if (epoch !== null && !(await store.isOwned(trx, { callId, epoch }))) throw new CallTakenOverError();
      if (settle) await this.settleHold(settle.key, settle.amount, trx);
      const { kind } = await this.hold(hold, trx);
      const [{ balance }, spendable] = [await this.account(userId, trx), await this.spendable(userId, trx)];
      return { kind: kind === "refused" ? "refused" : "held", funds: { balance, ...spendable } };
    });
  }

  #now(): Date {
    return new Date(this.#clock.nowMs());
  }
}

export interface LedgerOptions {
  readonly db: Db;
  readonly clock: Clock;
  /** False: every order goes to the database by itself. */
  readonly isGathering?: boolean;
}

/** Our side of a transfer. House accounts keep no running balance, so that no row of theirs is ever fought over. */
type MinuteAnswer = { readonly kind: "held" | "refused"; readonly funds: MinuteFunds };
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

/** Another process charges for this call by now, or nobody any more. */
export class CallTakenOverError extends Error {
  override readonly name = "CallTakenOverError";
  constructor() {
    super("the call is another process's, or has ended");
  }
}
