import type { Kysely, Transaction } from "kysely";
import { ageAskMs } from "@fava/wire/limits.ts";
import { operations } from "@fava/wire/moderation.ts";
import { reasons } from "@fava/wire/reasons.ts";
import type { MailOutbox } from "#db/mail-outbox.ts";
import type { Database } from "#db/schema.ts";
import { badInput, refused } from "#lib/errors.ts";
import { pushOwnDataChanged } from "#lib/own-data-pushes.ts";
import { askedRule, documentRule } from "#people/age-check-service.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import { logRestricted, writeAudit } from "./audit.ts";
import { requireCaseAccess, type Viewer } from "./ban-policy.ts";
import {
  type CaseFacts,
  caseFacts,
  closeCase,
  liftPauses,
  lockSubject,
  openOrJoin,
  releaseClaim,
  requireClaim,
} from "./case-store.ts";
import type { ModerationService } from "./moderation-service.ts";
import { enqueueOutcomes } from "./outbox-service.ts";
import { judgeReporters } from "./reporter-records.ts";

type Trx = Transaction<Database>;

interface AgeAsksOptions {
  db: Kysely<Database>;
  clock: Clock;
  bus: Pick<Bus, "push">;
  moderation: Pick<ModerationService, "changed">;
  /** False: this site has no vendor of age checks. */
  hasVendor: () => boolean;
  mails: Pick<MailOutbox, "add">;
}

/** Age checks that moderators ask for instead of a ban (rules AGE-26, AGE-27). */
export class AgeAsks {
  readonly #options: AgeAsksOptions;

  constructor(options: AgeAsksOptions) {
    this.#options = options;
  }

  /** Whether an age check can be asked for in this case, and was not yet. */
  async mayAsk(about: CaseFacts): Promise<boolean> {
    return this.#fits(about) && (await ageRestraintOf(this.#options.db, about.id)) === undefined;
  }

  /**
   * Asks the user of a claimed case for an age check: matching rests without a strike, and the case leaves its queue for
   * 14 days. Idempotent.
   * @throws EndpointError 400 for an unknown case, or one in which no check can be asked for; 403 `own_case`,
   * `colleague`, `role`, `claimed` or `not_claimed`; 406 `already_decided`.
   * @returns when the case returns to its queue.
   */
  async ask(viewer: Viewer, caseId: bigint, note: string): Promise<Date> {
    const { db, clock, bus, moderation } = this.#options;
    const at = new Date(clock.nowMs());
    const { subjectId, until } = await db.transaction().execute(async (trx) => {
      const found = await caseFacts(trx, caseId);
      if (!found) throw badInput("no such case", "id");
      requireCaseAccess(viewer, found);
      if (found.queue === "restricted") await logRestricted(trx, viewer.userId, { at, caseId, act: "decide" });
      await lockSubject(trx, found.subjectId);
      const about = (await caseFacts(trx, caseId)) ?? found;
      if (about.state !== "open") throw refused("already_decided");
      if (!this.#fits(about)) throw badInput("no age check can be asked for in this case", "id");
      const before = await ageRestraintOf(trx, caseId);
      if (before) return { subjectId: about.subjectId, until: before.until ?? at };
      await requireClaim(trx, `case:${caseId}`, { moderatorId: viewer.userId, at });
      return { subjectId: about.subjectId, until: await this.#store(trx, about, { viewer, note, at }) };
    });
    moderation.changed(subjectId);
    pushOwnDataChanged(bus, subjectId);
    return until;
  }

  #fits({ queue, state }: CaseFacts): boolean {
    return queue === "restricted" && state === "open" && this.#options.hasVendor();
  }

  async #store(trx: Trx, about: CaseFacts, asking: { viewer: Viewer; note: string; at: Date }): Promise<Date> {
    const { id: caseId, subjectId, reasonId } = about;
    const { viewer, note, at } = asking;
    const until = new Date(at.getTime() + ageAskMs);
    // The check replaces the pause of the report, which would outlast a pass.
    await liftPauses(trx, caseId, at);
    await restrain(trx, { subjectId, caseId, rule: askedRule, at, until });
    const matter = `case:${caseId}:${at.getTime()}`;
    const facts = { untilMs: until.getTime() };
    await this.#options.mails.add(trx, { template: "age_check", matter, facts, userId: subjectId });
    await releaseClaim(trx, `case:${caseId}`, viewer.userId);
    const entry = { at, actorId: viewer.userId, kind: "ask_age" as const, subjectId, caseId, reasonId, note };
    await writeAudit(trx, { ...entry, detail: { until: until.getTime() } });
    return until;
  }
}

/** Closes the cases in which a moderator asked for the check that the user has passed. */
export async function closeAskedCases(trx: Trx, userId: bigint, at: Date): Promise<void> {
  await lockSubject(trx, userId);
  const asked = await trx
    .selectFrom("restraints")
    .select("case_id")
    .where("user_id", "=", userId)
    .where("what", "=", "age")
    .where("rule", "=", askedRule)
    .where("lifted_at", "is", null)
    .execute();
  for (const { case_id: caseId } of asked) {
    if (caseId === null) continue;
    await liftPauses(trx, caseId, at);
    const about = await caseFacts(trx, caseId);
    if (about?.state !== "open") continue;
    // A pass does not make the reports wrong: an adult may look younger.
    await judgeReporters(trx, caseId, null);
    await enqueueOutcomes(trx, caseId, { at });
    await closeCase(trx, about, { operation: operations.approve, byId: null, at });
    const { reasonId } = about;
    await writeAudit(trx, { at, actorId: null, kind: "age_passed", subjectId: userId, caseId, reasonId });
  }
}

/**
 * A document says that the user is under 18: opens or joins a restricted case, which is in its queue at once, and keeps
 * the user from meeting others until a moderator decides it.
 */
export async function openAgeCase(trx: Trx, userId: bigint, at: Date): Promise<void> {
  await lockSubject(trx, userId);
  const reasonId = reasons.minor.id;
  const signal = { subjectId: userId, rule: "age_document", reasonId, callId: null, evidence: [] } as const;
  const { caseId } = await openOrJoin(trx, signal, at);
  await liftPauses(trx, caseId, at);
  await restrain(trx, { subjectId: userId, caseId, rule: documentRule, at, until: at });
  const detail = { rule: signal.rule, callId: null };
  await writeAudit(trx, { at, actorId: null, kind: "age_failed", subjectId: userId, caseId, reasonId, detail });
}

/** Keeps the user from meeting others until an age check or a decision lifts it. From `until` the case is in its queue. */
async function restrain(
  trx: Trx,
  age: { subjectId: bigint; caseId: bigint; rule: typeof askedRule | typeof documentRule; at: Date; until: Date },
): Promise<void> {
  const { subjectId, caseId, rule, at, until } = age;
  await trx
    .insertInto("restraints")
    .values({ user_id: subjectId, what: "age", rule, case_id: caseId, from_at: at, until })
    .execute();
}

function ageRestraintOf(db: Kysely<Database>, caseId: bigint): Promise<{ until: Date | null } | undefined> {
  return db
    .selectFrom("restraints")
    .select("until")
    .where("case_id", "=", caseId)
    .where("what", "=", "age")
    .where("lifted_at", "is", null)
    .executeTakeFirst();
}
