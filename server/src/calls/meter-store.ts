import { type Kysely, sql } from "kysely";
import type { CreditReason } from "@fava/wire/endpoints/beans.ts";
import { freeMatchesPerDayMax } from "@fava/wire/limits.ts";
import { CallTakenOverError, type Ledger } from "#billing/ledger.ts";
import { prepared } from "#db/prepared.ts";
import type { Database } from "#db/schema.ts";
import { DatabaseUnavailableError } from "#db/unavailable.ts";
import type { Clock } from "#ports/clock.ts";
import type { Epoch } from "#ports/room-claims.ts";
import type { EarlierMinutes, Funds, MeterEffect } from "./meter-machine.ts";

type Db = Kysely<Database>;

export interface CallSide {
  readonly callId: string;
  readonly userId: bigint;
}

export interface MeteredSide extends CallSide {
  /** Another server may have charged for this call before. */
  readonly isAdopted?: boolean;
  /** Resolves when the database has this server as the room's owner. */
  readonly claim: Promise<Epoch>;
}

interface MeterOpening {
  readonly isFree: boolean;
  readonly funds: Funds;
  readonly earlier?: EarlierMinutes;
}

/** How long a charge waits for `claim`, in milliseconds. After it the database counts as failed. */
const claimWaitMs = 1_000;

/** Claims one of the day's free beginnings; false if none is left. Idempotent for the same call (rule BEANS-262). */
async function claimFreeSeconds(db: Db, { callId, userId }: CallSide, nowMs: number): Promise<boolean> {
  const { rows } = await sql`
    insert into free_matches as claimed (user_id, day, matches, call_id)
    values (${userId}, (${new Date(nowMs)}::timestamptz at time zone 'UTC')::date, 1, ${callId})
    on conflict (user_id) do update set
      day = excluded.day,
      matches = case
        when claimed.call_id = excluded.call_id then claimed.matches
        when claimed.day = excluded.day then claimed.matches + 1
        else 1
      end,
      call_id = excluded.call_id
    where claimed.call_id = excluded.call_id or claimed.day <> excluded.day
      or claimed.matches < ${freeMatchesPerDayMax}
    returning claimed.user_id`.execute(db);
  return rows.length > 0;
}

async function wasHeld(db: Db, key: string): Promise<boolean> {
  const row = await db.selectFrom("bean_holds").select("id").where("key", "=", key).executeTakeFirst();
  return row !== undefined;
}

/** What a call has cost one user so far, less the beans credited for it. */
export async function netCostOf(db: Db, { callId, userId }: CallSide): Promise<bigint> {
  const { rows } = await sql<{ beans: bigint }>`
    select coalesce(sum(-entry.amount), 0)::bigint as beans
    from bean_transfers as transfer
    join bean_accounts as account on account.user_id = ${userId}
    join bean_entries as entry on entry.transfer_id = transfer.id and entry.account_id = account.id
    where transfer.reference = ${callId} and transfer.kind in ('call', 'credit')`.execute(db);
  return rows[0]?.beans ?? 0n;
}

/** Counts minutes held before this server owned the call. None of those holds is open. */
async function earlierMinutes(db: Db, { callId, userId }: CallSide): Promise<EarlierMinutes> {
  const { rows } = await sql<EarlierMinutes>`
    select count(*) filter (where ended.amount = hold.amount)::integer as paid,
      count(*) filter (where ended.amount < hold.amount)::integer as given
    from bean_accounts as account
    join bean_holds as hold on hold.account_id = account.id and hold.reference = ${callId}
    join bean_hold_ends as ended on ended.hold_id = hold.id
    where account.user_id = ${userId}`.execute(db);
  return rows[0] ?? { paid: 0, given: 0 };
}

async function wasPosted(db: Db, key: string): Promise<boolean> {
  const row = await db.selectFrom("bean_transfers").select("id").where("key", "=", key).executeTakeFirst();
  return row !== undefined;
}

type EffectOf<Type extends MeterEffect["type"]> = Extract<MeterEffect, { type: Type }>;

/** The database work of meters. Idempotent, because a transaction whose commit was not confirmed is retried. */
export class MeterWork {
  readonly #db: Db;
  readonly #ledger: Ledger;
  readonly #clock: Clock;

  constructor(options: { db: Db; ledger: Ledger; clock: Clock }) {
    this.#db = options.db;
    this.#ledger = options.ledger;
    this.#clock = options.clock;
  }

  /** Claims free seconds and reads the funds. A call with earlier holds has used its free seconds. */
  async open(side: CallSide & Pick<MeteredSide, "isAdopted">): Promise<MeterOpening> {
    const isFree = await claimFreeSeconds(this.#db, side, this.#clock.nowMs());
    const funds = await this.funds(side.userId);
    if (!side.isAdopted) return { isFree, funds };
    const earlier = await earlierMinutes(this.#db, side);
    return { isFree: isFree && earlier.paid + earlier.given === 0, funds, earlier };
  }

  async funds(userId: bigint, db: Db = this.#db): Promise<Funds> {
    const { balance } = await this.#ledger.account(userId, db);
    return { balance, ...(await this.#ledger.spendable(userId, db)) };
  }

  /**
   * Posts the previous minute in full and holds the next one, both or neither, because the recovery finds a paying user
   * by the open hold.
   * @throws CallTakenOverError if another server owns the call, or none does.
   * @throws RoomNotStoredError if the call was never stored.
   */
  async takeMinute(
    side: MeteredSide & { price: bigint },
    { settle, minute }: EffectOf<"take-minute">,
  ): Promise<{ kind: "held" | "refused"; funds: Funds }> {
    const { callId, userId, price } = side;
    return this.#ledger.takeMinute({
      settle: settle && { key: minuteKey(side, settle.minute), amount: settle.amount },
      hold: { key: minuteKey(side, minute), userId, amount: price, reference: callId },
      epoch: await this.#epochOf(side),
    });
  }

  /**
   * Settles and credits at the end of a call.
   * @throws CallTakenOverError if another server owns the call, which then settles it.
   */
  async finish(side: MeteredSide, { settlements, credit }: EffectOf<"finish">): Promise<void> {
    const epoch = await this.#epochOf(side);
    await this.#db.transaction().execute(async (trx) => {
      if (!(await isOfEpoch(trx, side.callId, epoch))) throw new CallTakenOverError();
      for (const { minute, amount } of settlements) {
        const key = minuteKey(side, minute);
        if (await wasHeld(trx, key)) await this.#ledger.settleHold(key, amount, trx);
      }
      if (credit.of === "call") await this.#creditRest(side, credit.reason, trx);
      if (credit.of === "part") await this.#creditPart(side, credit, trx);
    });
    this.#ledger.announce(side.userId);
  }

  /** Releases a hold of a call that no server knows, and credits all that the call has cost. Returns the beans. */
  async giveBack({ key, ...side }: CallSide & { key: string }): Promise<bigint> {
    return this.#db.transaction().execute(async (trx) => {
      await this.#ledger.settleHold(key, 0n, trx);
      return this.#creditRest(side, "failed_call", trx);
    });
  }

  /** Credits what a call has cost and was not credited yet. Returns the beans. */
  async creditCall(side: CallSide, reason: CreditReason): Promise<bigint> {
    const beans = await this.#db.transaction().execute((trx) => this.#creditRest(side, reason, trx));
    if (beans > 0n) this.#ledger.announce(side.userId);
    return beans;
  }

  async #epochOf({ claim }: MeteredSide): Promise<Epoch> {
    let timer: Disposable | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = this.#clock.after(claimWaitMs, () => reject(new DatabaseUnavailableError("slow")));
    });
    try {
      return await Promise.race([claim, late]);
    } finally {
      timer?.[Symbol.dispose]();
    }
  }

  async #creditRest(side: CallSide, reason: CreditReason, trx: Db): Promise<bigint> {
    const key = `credit:call:${side.callId}:${side.userId}`;
    if (await wasPosted(trx, key)) return 0n;
    const amount = await netCostOf(trx, side);
    if (amount > 0n) await this.#credit(side, { key, amount, reason }, trx);
    return amount;
  }

  /** Credits at most what the call has cost, because the last minute's hold may have failed. */
  async #creditPart(
    side: CallSide,
    { beans, reason }: { beans: bigint; reason: CreditReason },
    trx: Db,
  ): Promise<void> {
    const key = `credit:call:${side.callId}:${side.userId}:minute`;
    if (await wasPosted(trx, key)) return;
    const cost = await netCostOf(trx, side);
    const amount = beans < cost ? beans : cost;
    if (amount > 0n) await this.#credit(side, { key, amount, reason }, trx);
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

/** Whether the call has this epoch, until the transaction ends. Ended calls count, since they must be settled too. */
async function isOfEpoch(trx: Db, callId: string, epoch: Epoch): Promise<boolean> {
  const { rows } = await sql`
    ${prepared("call_of_epoch")} select from calls where id = ${callId} and owner_epoch = ${epoch} for share`.execute(
    trx,
  );
  return rows.length > 0;
}

function minuteKey({ callId, userId }: CallSide, minute: number): string {
  return `call:${callId}:min:${minute}:${userId}`;
}
