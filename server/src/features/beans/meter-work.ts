import type { CreditReason } from "@fava/wire/endpoints/beans.ts";
import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Clock } from "#ports/clock.ts";
import type { Ledger } from "./ledger.ts";
import type { MeterEffect } from "./meter-machine.ts";
import type { Funds } from "./meter-state.ts";
import { type CallSide, claimFreeSeconds, netCostOf, wasHeld, wasPosted } from "./meter-store.ts";

type Db = Kysely<Database>;
type EffectOf<Type extends MeterEffect["type"]> = Extract<MeterEffect, { type: Type }>;

/**
 * What meters do in the ledger. Everything here bears repetition: a transaction whose commit was not confirmed is tried
 * again, and moves no bean twice.
 */
export class MeterWork {
  readonly #db: Db;
  readonly #ledger: Ledger;
  readonly #clock: Clock;

  constructor(options: { db: Db; ledger: Ledger; clock: Clock }) {
    this.#db = options.db;
    this.#ledger = options.ledger;
    this.#clock = options.clock;
  }

  async open(side: CallSide): Promise<{ isFree: boolean; funds: Funds }> {
    const isFree = await claimFreeSeconds(this.#db, side, this.#clock.nowMs());
    return { isFree, funds: await this.funds(side.userId) };
  }

  async funds(userId: bigint, db: Db = this.#db): Promise<Funds> {
    const { balance } = await this.#ledger.account(userId, db);
    return { balance, ...(await this.#ledger.spendable(userId, db)) };
  }

  /**
   * Posts the minute before in full and holds the next, both or neither: whoever has paid for a minute of a call that
   * a crash cuts off has an open hold, by which the recovery finds them (rule BEANS-280).
   */
  takeMinute(
    side: CallSide & { price: bigint },
    { settle, minute }: EffectOf<"take-minute">,
  ): Promise<{ kind: "held" | "refused"; funds: Funds }> {
    const { callId, userId, price } = side;
    return this.#db.transaction().execute(async (trx) => {
      if (settle) await this.#ledger.settleHold(minuteKey(side, settle.minute), settle.amount, trx);
      const order = { key: minuteKey(side, minute), userId, amount: price, reference: callId };
      const { kind } = await this.#ledger.hold(order, trx);
      return { kind: kind === "refused" ? "refused" : "held", funds: await this.funds(userId, trx) };
    });
  }

  async finish(side: CallSide, { settlements, credit }: EffectOf<"finish">): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      for (const { minute, amount } of settlements) {
        const key = minuteKey(side, minute);
        if (await wasHeld(trx, key)) await this.#ledger.settleHold(key, amount, trx);
      }
      if (credit.of === "call") await this.#creditRest(side, credit.reason, trx);
      if (credit.of === "minute") await this.#creditMinute(side, credit.beans, trx);
    });
    this.#ledger.announce(side.userId);
  }

  /** Releases a hold whose call a crash ended, and gives back everything the call had cost; answers how much. */
  async giveBack({ key, ...side }: CallSide & { key: string }): Promise<bigint> {
    return this.#db.transaction().execute(async (trx) => {
      await this.#ledger.settleHold(key, 0n, trx);
      return this.#creditRest(side, "failed_call", trx);
    });
  }

  /** Gives back what a call has cost and was not given back yet; answers how much. Once a call and person. */
  async creditCall(side: CallSide, reason: CreditReason): Promise<bigint> {
    const beans = await this.#db.transaction().execute((trx) => this.#creditRest(side, reason, trx));
    if (beans > 0n) this.#ledger.announce(side.userId);
    return beans;
  }

  async #creditRest(side: CallSide, reason: CreditReason, trx: Db): Promise<bigint> {
    const key = `credit:call:${side.callId}:${side.userId}`;
    if (await wasPosted(trx, key)) return 0n;
    const amount = await netCostOf(trx, side);
    if (amount > 0n) await this.#credit(side, { key, amount, reason }, trx);
    return amount;
  }

  /** Never more than the call has cost, should the hold of that minute not have come about. */
  async #creditMinute(side: CallSide, beans: bigint, trx: Db): Promise<void> {
    const key = `credit:call:${side.callId}:${side.userId}:minute`;
    if (await wasPosted(trx, key)) return;
    const cost = await netCostOf(trx, side);
    const amount = beans < cost ? beans : cost;
    if (amount > 0n) await this.#credit(side, { key, amount, reason: "failed_call" }, trx);
  }

  async #credit(
    { callId, userId }: CallSide,
    credit: { key: string; amount: bigint; reason: CreditReason },
    trx: Db,
  ): Promise<void> {
    const accounts = { from: { house: "filter-revenue" }, to: { userId } } as const;
    await this.#ledger.post({ ...credit, ...accounts, kind: "credit", reference: callId }, trx);
  }
}

function minuteKey({ callId, userId }: CallSide, minute: number): string {
  return `call:${callId}:min:${minute}:${userId}`;
}
