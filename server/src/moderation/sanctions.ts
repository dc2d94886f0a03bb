import type { Kysely, Transaction } from "kysely";
import type { Logger } from "pino";
import type { BanNotice } from "@fava/wire/codes.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import type { BanReason } from "@fava/wire/reasons.ts";
import type { MailOutbox } from "#db/mail-outbox.ts";
import type { Database } from "#db/schema.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { CutCall } from "#ports/moderation.ts";
import type { Action } from "./ban-policy.ts";

type Db = Kysely<Database>;
type Trx = Transaction<Database>;

export interface Sanctions {
  banNotice(userId: bigint): Promise<BanNotice | null>;
  /** Ends the user's session as banned and closes the socket. */
  endSessions(userId: bigint): Promise<void>;
  /** Ends the user's call with reason `cut`, on any server; null if the user was in no call. */
  cutCall(userId: bigint): Promise<CutCall | null>;
  returnBeans(callId: string, toUserId: bigint): Promise<void>;
}

interface SanctionsExecutorOptions {
  db: Db;
  bus: Pick<Bus, "push">;
  sanctions: Sanctions;
  logger: Pick<Logger, "error">;
  pendingCredits: PendingCredits;
  mails: Pick<MailOutbox, "add">;
}

interface NewBan {
  readonly userId: bigint;
  readonly reasonId: BanReason;
  readonly at: Date;
  readonly caseId: bigint;
  readonly callId: string | null;
  /** The moderator; null for software, and `rule` is then set. */
  readonly decidedBy: bigint | null;
  readonly rule: string | null;
}

export class SanctionsExecutor {
  readonly #options: SanctionsExecutorOptions;

  constructor(options: SanctionsExecutorOptions) {
    this.#options = options;
  }

  /** Stores a ban, and a strike if `actions` contains one. Returns the ban's id. */
  async storeBan(trx: Trx, ban: NewBan, actions: readonly Action[]): Promise<bigint> {
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
    const by = ban.decidedBy === null ? "software" : "person";
    const facts = { reasonId, untilMs: length.untilMs, by } as const;
    await this.#options.mails.add(trx, { template: "ban", matter: `ban:${id}`, facts, userId });
    for (const action of actions) {
      if (action.kind !== "strike") continue;
      const expires_at = new Date(action.expiresAtMs);
      const strike = { user_id: userId, case_id: caseId, ban_id: id, reason_id: reasonId, at, expires_at };
      await trx.insertInto("strikes").values(strike).execute();
    }
    return id;
  }

  /** Call after the commit. Ends the call, refunds the partner, ends session and socket. Logs a step that fails. */
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
      this.#options.logger.error({ err: error, userId: String(userId) }, "failed to carry out a part of a ban");
    }
  }
}

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

/** Lifts software's suspensions of a case, even expired ones. Returns the calls that they had cut. */
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

/** The calls of bans that ended because their moderator reopened the case. */
export async function reopenedCalls(db: Db, caseId: bigint): Promise<string[]> {
  const rows = await db
    .selectFrom("bans")
    .select("call_id")
    .where("case_id", "=", caseId)
    .where("ended_because", "=", "reopened")
    .execute();
  return rows.flatMap(({ call_id }) => call_id ?? []);
}

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

interface PendingCredit {
  readonly callId: string;
  readonly userId: bigint;
}

interface PendingCreditsOptions {
  db: Db;
  clock: Clock;
  logger: Pick<Logger, "error">;
  sanctions: {
    returnBeans(callId: string, toUserId: bigint): Promise<void>;
  };
}

/** How long the server that stored a refund has to pay it, before `retry` does. */
const payerHasMs = 60_000;
const triesMax = 300;
const rowsAtOnce = 100;

/**
 * Refunds of cut calls. Each is stored with its decision, so that no failing ledger or server loses it, and paid once.
 */
export class PendingCredits {
  readonly #options: PendingCreditsOptions;

  constructor(options: PendingCreditsOptions) {
    this.#options = options;
  }

  async add(db: Db, { callId, userId }: PendingCredit): Promise<void> {
    const since = new Date(this.#options.clock.nowMs());
    await db
      .insertInto("owed_beans")
      .values({ call_id: callId, user_id: userId, since })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** Pays a refund now. Never rejects, since `retry` pays what failed. */
  async pay(credit: PendingCredit): Promise<void> {
    const { db, sanctions, logger } = this.#options;
    const { callId, userId } = credit;
    try {
      await sanctions.returnBeans(callId, userId);
      await db.deleteFrom("owed_beans").where("call_id", "=", callId).where("user_id", "=", userId).execute();
    } catch (error) {
      logger.error({ err: error, callId, userId: String(userId) }, "failed to refund a cut call; will retry");
    }
  }

  /** Pays unpaid refunds, oldest first. One that failed for a day waits for an operator. */
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
