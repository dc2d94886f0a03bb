import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";
import { isRefused, DatabaseUnavailableError } from "#db/unavailable.ts";
import { Emitter } from "#lib/emitter.ts";
import { BatchSender, type BatchSenderLimits } from "#lib/batch-sender.ts";
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

/** Two batches at once: one computes while the other waits for the disk. The queue holds some seconds of work. */
const gatheredLimits: BatchSenderLimits = {
  ordersMax: 100,
  roundsMax: 8,
  callsMax: 2,
  aloneMax: 4,
  waitingMax: 10_000,
};

/**
 * Double-entry, append-only ledger in integer beans (docs/decisions/009-ledger.md). An operation locks the user's
 * account until its transaction ends. An operation on several users locks them in the order of their ids. With the
 * caller's `trx` (`read committed`), an expected refusal leaves the transaction usable, and the caller calls `announce`
 * after the commit. Without `trx`, operations are batched (docs/decisions/028-batched-ledger-operations.md).
 */
export class Ledger implements Balances {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #isGathering: boolean;
  readonly #changed = new Emitter<[userId: bigint]>();
  readonly #transfers: BatchSender<store.PlainTransfer, store.PostRow>;
  readonly #minutes: BatchSender<MinuteOrder, MinuteAnswer>;

  constructor(options: LedgerOptions) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#isGathering = options.isGathering ?? true;
    const common = { isUndone: isRefused, full: () => new DatabaseUnavailableError("busy"), limits: gatheredLimits };
    this.#transfers = new BatchSender({
      ...common,
      claimsOf: ({ userId, order }) => [userId, order.key],
      together: (transfers) => this.#postTogether(transfers),
      alone: ({ order }) => store.post(this.#db, order, this.#now()),
    });
    this.#minutes = new BatchSender({
      ...common,
      limits: { ...gatheredLimits, roundsMax: 1 },
      claimsOf: ({ hold: { userId } }) => [userId],
      together: (minutes) => this.#takeMinutesTogether(minutes),
      alone: (minute) => this.#takeMinuteAlone(minute),
    });
  }

  /**
   * Posts a transfer. Idempotent: repeating an order returns `known` (rule BEANS-101).
   * @throws NotEnoughBeansError if the user has fewer spendable beans and `overdraft` is not set.
   * @throws TransferConflictError if the key belongs to another transfer.
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
   * Holds beans within the balance and the spending cap of the UTC day (rule BEANS-103).
   * @throws TransferConflictError if the key belongs to another hold.
   */
  async hold(order: HoldOrder, trx?: Db): Promise<HoldAnswer> {
    const { outcome, have } = await store.hold(trx ?? this.#db, order, this.#now());
    if (outcome === "conflict") throw new TransferConflictError(order.key);
    if (outcome === "balance" || outcome === "cap") return { kind: "refused", have: have ?? 0n, limit: outcome };
    if (outcome === "held" && !trx) this.announce(order.userId);
    return { kind: outcome };
  }

  /**
   * Settles a hold: posts `amount` of it (0 to all) under the hold's key and releases the rest. Idempotent.
   * @throws TransferConflictError for another amount than the first time, more than was held, or an unknown key.
   */
  async settleHold(key: string, amount: bigint, trx?: Db): Promise<void> {
    const settled = await store.settle(trx ?? this.#db, { key, amount, at: this.#now() });
    if (settled.outcome === "conflict" || settled.outcome === "unknown") throw new TransferConflictError(key);
    // Posting held beans does not change what is spendable. Only a release does.
    const isNews = settled.outcome === "settled" && settled.released !== 0n;
    if (isNews && !trx && settled.user_id !== null) this.announce(settled.user_id);
  }

  /**
   * Settles one minute's hold and holds the next minute, in one transaction. If the new hold is refused, the old one
   * still settles. Idempotent; announces nothing.
   * @throws TransferConflictError as `hold` and `settleHold` do.
   * @throws CallTakenOverError if the call has another epoch than the order, or has ended. Nothing is done then.
   */
  takeMinute(order: MinuteOrder): Promise<MinuteAnswer> {
    return this.#isGathering ? this.#minutes.add(order) : this.#takeMinuteAlone(order);
  }

  /** The user's spendable beans, never negative. Ignores the spending cap. */
  async of(userId: bigint): Promise<bigint> {
    const { balance, held } = await store.account(this.#db, userId);
    return balance > held ? balance - held : 0n;
  }

  /** `balance` may be negative; `debt` is then its absolute value. */
  account(userId: bigint, trx?: Db): Promise<Account> {
    return store.account(trx ?? this.#db, userId);
  }

  spendable(userId: bigint, trx?: Db): Promise<Spendable> {
    return store.spendable(trx ?? this.#db, userId, this.#now());
  }

  /** Holds that are not settled. After a crash, all of them belong to ended calls. */
  openHolds(): Promise<readonly OpenHold[]> {
    return store.openHolds(this.#db);
  }

  /** Calls the listener after the commit with a user whose spendable beans or spending cap changed. */
  onChanged(listener: (userId: bigint) => void): Disposable {
    return this.#changed.on(listener);
  }

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

  /** One round suffices, since a user has at most one minute in a batch. */
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
  /** False: each operation is sent alone. */
  readonly isGathering?: boolean;
}

type MinuteAnswer = { readonly kind: "held" | "refused"; readonly funds: MinuteFunds };
type Posted = { readonly kind: "posted" | "known"; readonly transferId: bigint };
type HoldAnswer =
  | { readonly kind: "held" | "known" }
  /** `have`: the user's spendable beans. `limit`: what the order exceeded. */
  | { readonly kind: "refused"; readonly have: bigint; readonly limit: "balance" | "cap" };

export class NotEnoughBeansError extends Error {
  override readonly name = "NotEnoughBeansError";
  readonly have: bigint;
  constructor(have: bigint) {
    super("not enough beans");
    this.have = have;
  }
}

/** The key belongs to another transfer or hold. A defect of the calling code, never the user's doing. */
export class TransferConflictError extends Error {
  override readonly name = "TransferConflictError";
}

export class CallTakenOverError extends Error {
  override readonly name = "CallTakenOverError";
  constructor() {
    super("the call belongs to another server, or has ended");
  }
}
