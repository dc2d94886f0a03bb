import type { Kysely, Transaction } from "kysely";
import type { Logger } from "pino";
import type { BanNotice } from "@fava/wire/codes.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import type { BanReason } from "@fava/wire/reasons.ts";
import type { Database } from "#db/schema.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { CutCall } from "#ports/moderation.ts";
import type { Action } from "./ban-policy.ts";

type Db = Kysely<Database>;
type Trx = Transaction<Database>;

/** What moderation has others do. */
export interface Sanctions {
  /** What the person is told of the ban in force; null where there is none. */
  banNotice(userId: bigint): Promise<BanNotice | null>;
  /** Ends the person's session as banned, and closes the socket. */
  endSessions(userId: bigint): Promise<void>;
  /** Ends the call that the person is in, at whichever process; the other side hears `cut`. Null where there was none. */
  cutCall(userId: bigint): Promise<CutCall | null>;
  /** Gives back what the call cost this person, once. */
  returnBeans(callId: string, toUserId: bigint): Promise<void>;
}

interface SanctionsExecutorOptions {
  db: Db;
  bus: Pick<Bus, "push">;
  sanctions: Sanctions;
  logger: Pick<Logger, "error">;
  pendingCredits: PendingCredits;
}

interface NewBan {
  readonly userId: bigint;
  readonly reasonId: BanReason;
  readonly at: Date;
  readonly caseId: bigint;
  readonly callId: string | null;
  /** Null: software, with the rule. */
  readonly decidedBy: bigint | null;
  readonly rule: string | null;
}

/** Writes bans down and carries them out (rules CASE-30 and CASE-31). */
export class SanctionsExecutor {
  readonly #options: SanctionsExecutorOptions;

  constructor(options: SanctionsExecutorOptions) {
    this.#options = options;
  }

  /** Keeps a ban and, where the ladder says so, its strike. Answers the ban's id. */
  async keepBan(trx: Trx, ban: NewBan, actions: readonly Action[]): Promise<bigint> {
    const length = actions.find((action) => action.kind === "ban" || action.kind === "suspend");
    if (!length) throw new Error("a ban without a length");
    const { userId, reasonId, at, caseId } = ban;
    const { id } = await trx
      .insertInto("bans")
      .values({
        user_id: userId,
        reason_id: reasonId,
        reason: "",
        created_at: at,
        until: length.untilMs === null ? null : new Date(length.untilMs),
        case_id: caseId,
        call_id: ban.callId,
        decided_by: ban.decidedBy,
        rule: ban.rule,
        is_provisional: length.kind === "suspend" || length.isProvisional,
        strike: length.kind === "ban" ? length.strike : 0,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    for (const action of actions) {
      if (action.kind !== "strike") continue;
      const expires_at = new Date(action.expiresAtMs);
      const strike = { user_id: userId, case_id: caseId, ban_id: id, reason_id: reasonId, at, expires_at };
      await trx.insertInto("strikes").values(strike).execute();
    }
    return id;
  }

  /**
   * After the ban is committed: the call ends and its other side gets its beans back, the notice goes out, and then
   * session and socket end. What fails is logged and the rest still happens: the ban itself is in force already.
   */
  async applySanctions(userId: bigint, about: { callId: string | null }): Promise<void> {
    const { bus, sanctions, db, pendingCredits } = this.#options;
    let cut: CutCall | null = null;
    await this.#try(userId, async () => void (cut = await sanctions.cutCall(userId)));
    await this.#try(userId, async () => {
      const notice = await sanctions.banNotice(userId);
      if (notice) bus.push(userId, { code: pushCodes.banned, ...notice });
    });
    await this.#try(userId, () => sanctions.endSessions(userId));
    await this.#try(userId, async () => {
      const call = cut ?? (await endedCall(db, userId, about.callId));
      if (!call) return;
      const side = { callId: call.callId, userId: call.otherId };
      await pendingCredits.add(db, side);
      await pendingCredits.pay(side);
    });
  }

  async #try(userId: bigint, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.logger.error({ err: error, userId: String(userId) }, "a ban was not wholly carried out");
    }
  }
}

/** A person's ban takes the place of what software decided meanwhile. */
export async function replaceSuspensions(db: Db, userId: bigint, at: Date): Promise<void> {
  await db
    .updateTable("bans")
    .set({ ended_early_at: at, ended_because: "replaced" })
    .where("user_id", "=", userId)
    .where("decided_by", "is", null)
    .where("rule", "is not", null)
    .where("ended_early_at", "is", null)
    .where("until", ">", at)
    .execute();
}

/** A person takes back what software decided in a case, also where its time is over. Answers the calls that were cut. */
export async function liftSuspensions(db: Db, caseId: bigint, at: Date): Promise<string[]> {
  const rows = await db
    .updateTable("bans")
    .set({ ended_early_at: at, ended_because: "lifted" })
    .where("case_id", "=", caseId)
    .where("decided_by", "is", null)
    .where("rule", "is not", null)
    .where("ended_early_at", "is", null)
    .returning("call_id")
    .execute();
  return rows.flatMap(({ call_id }) => call_id ?? []);
}

/** A call that this person had, if it is written down yet. */
export async function endedCall(
  db: Db,
  userId: bigint,
  callId: string | null,
): Promise<{ callId: string; otherId: bigint } | null> {
  if (callId === null) return null;
  const call = await db
    .selectFrom("calls")
    .select(["offerer_id", "answerer_id"])
    .where("id", "=", callId)
    .executeTakeFirst();
  if (!call) return null;
  return { callId, otherId: call.offerer_id === userId ? call.answerer_id : call.offerer_id };
}

/** Somebody's side of a call that is to give its beans back. */
interface PendingCredit {
  readonly callId: string;
  readonly userId: bigint;
}

interface PendingCreditsOptions {
  db: Db;
  clock: Clock;
  logger: Pick<Logger, "error">;
  sanctions: {
    /** Gives back what a call has cost this person, once however often it is asked for. */
    returnBeans(callId: string, toUserId: bigint): Promise<void>;
  };
}

/** So long whoever noted a debt is left to pay it, after the call has ended. */
const payerHasMs = 60_000;
const triesMax = 300;
const rowsAtOnce = 100;

/**
 * Beans that people are owed for calls which were cut, or wrongly cut. Noted together with the decision, so that neither
 * a ledger that fails nor a process that ends takes them from anybody; the ledger pays each once.
 */
export class PendingCredits {
  readonly #options: PendingCreditsOptions;

  constructor(options: PendingCreditsOptions) {
    this.#options = options;
  }

  /** Notes a debt, in the transaction of the decision where there is one. */
  async add(db: Db, { callId, userId }: PendingCredit): Promise<void> {
    const since = new Date(this.#options.clock.nowMs());
    await db
      .insertInto("owed_beans")
      .values({ call_id: callId, user_id: userId, since })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** Pays now what was noted; never fails: what is left is paid by `retry`. */
  async pay(credit: PendingCredit): Promise<void> {
    const { db, sanctions, logger } = this.#options;
    const { callId, userId } = credit;
    try {
      await sanctions.returnBeans(callId, userId);
      await db.deleteFrom("owed_beans").where("call_id", "=", callId).where("user_id", "=", userId).execute();
    } catch (error) {
      logger.error({ err: error, callId, userId: String(userId) }, "beans could not be given back yet");
    }
  }

  /** Pays what was left, the oldest first. After a day of failures it stays written down for an operator. */
  async retry(): Promise<void> {
    const { db, clock } = this.#options;
    const rows = await db
      .selectFrom("owed_beans")
      .select(["call_id", "user_id"])
      .where("since", "<", new Date(clock.nowMs() - payerHasMs))
      .where("tries", "<", triesMax)
      .orderBy("since")
      .limit(rowsAtOnce)
      .execute();
    for (const { call_id, user_id } of rows) {
      await db
        .updateTable("owed_beans")
        .set((row) => ({ tries: row("tries", "+", 1) }))
        .where("call_id", "=", call_id)
        .where("user_id", "=", user_id)
        .execute();
      await this.pay({ callId: call_id, userId: user_id });
    }
  }
}
