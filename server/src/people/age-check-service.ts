import type { Kysely, Transaction } from "kysely";
import type { Logger } from "pino";
import { codes } from "@fava/wire/codes.ts";
import type { AgeGateReason, AgeInfo, AgeRefusal } from "@fava/wire/endpoints/age.ts";
import { ageReferenceKeptMs } from "@fava/wire/limits.ts";
import type { Database } from "#db/schema.ts";
import { badInput, EndpointError, forbidden, slowDown, unavailable } from "#lib/errors.ts";
import { pushOwnDataChanged } from "#lib/own-data-pushes.ts";
import { type AgeCheck, AgeCheckError, type AgeCheckRequest, type AgeResult } from "#ports/age-check.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import { type Random, randomId } from "#ports/random.ts";
import type { Limits } from "#ports/rate-limits.ts";
import * as store from "./age-check-store.ts";
import type { StandingService } from "./standing-service.ts";

// Exported here because other domains import only services.
export { askedRule, documentRule } from "./age-check-store.ts";

type Trx = Transaction<Database>;

/** What moderation does with a result. Called in the transaction that stores it. */
export interface AgeModeration {
  /** Closes the cases in which a moderator asked for the check. */
  agePassed(trx: Trx, userId: bigint, at: Date): Promise<void>;
  /** A document says that the user is under 18: opens a case in the restricted queue. */
  ageFailed(trx: Trx, userId: bigint, at: Date): Promise<void>;
}

interface AgeCheckServiceOptions {
  db: Kysely<Database>;
  /** Null: checked countries are closed. */
  vendor: AgeCheck | null;
  standings: Pick<StandingService, "restrictionsOf" | "forget" | "of">;
  moderation: AgeModeration;
  bus: Pick<Bus, "push">;
  limits: Limits;
  clock: Clock;
  random: Random;
  /** This site's origin for the vendor; null if unknown. */
  publicOrigin: string | null;
  logger: Pick<Logger, "info" | "warn">;
}

const busySeconds = 2;
const awaySeconds = 30;
const askFirstMs = 15_000;
/** A vendor that still reports a check as pending this long after its end has lost it. */
const lostMs = 86_400_000;
/** How long the server tries to have the vendor forget a check before it erases the number anyway. */
const forgetTriesMs = 604_800_000;

export const ageOutcomes = ["begun", "passed", "failed", "expired", "unreachable"] as const;
export type AgeOutcome = (typeof ageOutcomes)[number];

/**
 * Age checks of users, by a vendor (rules AGE-20 to AGE-29). The vendor's own answer to a question decides; its
 * notifications only make the server ask.
 */
export class AgeCheckService {
  readonly figures: Record<AgeOutcome, number> = { begun: 0, passed: 0, failed: 0, expired: 0, unreachable: 0 };
  readonly #options: AgeCheckServiceOptions;

  constructor(options: AgeCheckServiceOptions) {
    this.#options = options;
  }

  /** Whether a moderator can ask for a check. */
  get hasVendor(): boolean {
    return this.#options.vendor !== null;
  }

  /** @throws EndpointError 403 `age_check` with the fields of `AgeRefusal`. */
  async require(userId: bigint): Promise<void> {
    const { ageGate } = await this.#options.standings.restrictionsOf(userId);
    if (ageGate !== null) throw forbidden("age_check", await this.#refusal(userId, ageGate));
  }

  /** The state of the user's check. Asks the vendor about a pending one, at most once in three seconds. */
  async info(userId: bigint): Promise<AgeInfo> {
    const { db, vendor, standings, clock } = this.#options;
    const { ageGate: before } = await standings.restrictionsOf(userId);
    if (before !== null && vendor) {
      const pending = await store.pendingOfUser(db, userId, vendor.id);
      if (pending) await this.#askOnce(vendor, pending);
    }
    const { ageGate: why } = await standings.restrictionsOf(userId);
    const name = vendor?.name ?? null;
    if (why === null) {
      const state = (await isChecked(db, userId)) ? "passed" : "none";
      return { required: false, why, state, methods: [], vendor: name, retry_at: null, until: null };
    }
    const at = new Date(clock.nowMs());
    const facts = await store.readAgeFacts(db, userId, at);
    const retryAt = facts.awaitsModerator ? null : await this.#retryAt(userId, facts, at);
    const mayBegin = vendor !== null && retryAt === null && !facts.awaitsModerator;
    const methods: AgeInfo["methods"] = facts.hasFailedEstimate ? ["document"] : ["any", "document"];
    const until = facts.until?.getTime() ?? null;
    const { state } = facts;
    return { required: true, why, state, methods: mayBegin ? methods : [], vendor: name, retry_at: retryAt, until };
  }

  /**
   * Begins a check, or returns the page of the running one.
   * @throws EndpointError 400 if no check is needed; 403 `age_check` if none can begin; 429 with `until` after too many;
   * 503 if the vendor does not answer.
   */
  async begin(userId: bigint, method: "any" | "document"): Promise<string> {
    const { db, vendor, standings, clock } = this.#options;
    const { ageGate: why } = await standings.restrictionsOf(userId);
    if (why === null) throw badInput("no age check is needed");
    const at = new Date(clock.nowMs());
    const facts = await store.readAgeFacts(db, userId, at);
    if (!vendor || facts.awaitsModerator) throw forbidden("age_check", await this.#refusal(userId, why));
    const reserved = await db
      .transaction()
      .execute((trx) => store.reserveCheck(trx, { userId, vendor: vendor.id, why, at }));
    switch (reserved.kind) {
      case "running":
        return reserved.url;
      case "busy":
        throw slowDown(busySeconds, "another request begins the check");
      case "limit": {
        const { untilMs: until } = reserved;
        const data = { retry_after: Math.ceil((until - at.getTime()) / 1_000), until };
        throw new EndpointError(codes.slowDown, "too many age checks", data);
      }
      case "new":
        return this.#beginNew(vendor, {
          id: reserved.id,
          allowsEstimate: method === "any" && !facts.hasFailedEstimate,
        });
    }
  }

  /** A notification of the vendor: asks the vendor about the check, if it is a pending one of this site. */
  async hinted(vendorId: string, raw: Buffer, headers: Parameters<AgeCheck["hint"]>[1]): Promise<void> {
    const { db, vendor } = this.#options;
    if (vendor?.id !== vendorId) return;
    const vendorRef = vendor.hint(raw, headers);
    const pending = vendorRef === null ? null : await store.pendingByRef(db, vendor.id, vendorRef);
    if (pending) await this.#askOnce(vendor, pending);
  }

  /** Asks the vendor about checks that are due. */
  async askDue(): Promise<void> {
    const { db, vendor, clock } = this.#options;
    if (!vendor) return;
    for (const pending of await store.takeDueChecks(db, vendor.id, new Date(clock.nowMs())))
      await this.#ask(vendor, pending);
  }

  /** Has the vendor forget checks 30 days after their result, and erases their numbers (rule AGE-28). */
  async forgetOld(): Promise<void> {
    const { db, clock } = this.#options;
    const nowMs = clock.nowMs();
    const due = { before: new Date(nowMs - ageReferenceKeptMs), at: new Date(nowMs) };
    for (const reference of await store.oldReferences(db, due)) {
      const isGivenUp = (reference.decidedAt?.getTime() ?? 0) < nowMs - ageReferenceKeptMs - forgetTriesMs;
      if ((await this.#forget(reference)) || isGivenUp) await store.eraseReference(db, reference.id);
    }
  }

  /** For the erasure of an account, which deletes the checks. */
  async forgetAllOf(userId: bigint): Promise<void> {
    for (const reference of await store.referencesOf(this.#options.db, userId)) await this.#forget(reference);
  }

  async #beginNew(vendor: AgeCheck, { id, allowsEstimate }: { id: bigint; allowsEstimate: boolean }): Promise<string> {
    const { db, clock, random, publicOrigin, logger } = this.#options;
    const request: AgeCheckRequest = {
      reference: randomId(random),
      allowsEstimate,
      returnUrl: publicOrigin && `${publicOrigin}/?age=back`,
      notifyUrl: publicOrigin && `${publicOrigin}/age/webhook/${vendor.id}`,
    };
    try {
      const begun = await vendor.begin(request);
      const nextAskAt = new Date(clock.nowMs() + askFirstMs);
      if (!(await store.storeBegun(db, id, { begun, nextAskAt })))
        throw slowDown(busySeconds, "the check took too long");
      this.figures.begun += 1;
      return begun.url;
    } catch (error) {
      await store.dropCheck(db, id);
      if (!(error instanceof AgeCheckError)) throw error;
      this.figures.unreachable += 1;
      logger.warn({ err: error, vendor: vendor.id }, "failed to begin an age check at the vendor");
      throw unavailable(awaySeconds);
    }
  }

  async #askOnce(vendor: AgeCheck, pending: store.PendingCheck): Promise<void> {
    if ((await this.#options.limits.take("ageAskByCheck", String(pending.id))) !== null) return;
    await this.#ask(vendor, pending);
  }

  async #ask(vendor: AgeCheck, pending: store.PendingCheck): Promise<void> {
    const { clock } = this.#options;
    const result = await this.#answerOf(vendor, pending);
    if (result !== null && result.state !== "pending") return this.#decide(pending, result);
    if (pending.expiresAt.getTime() + lostMs < clock.nowMs())
      await this.#decide(pending, { state: "expired", method: null });
  }

  /** Null if the vendor does not answer: nobody passes meanwhile. */
  async #answerOf(vendor: AgeCheck, { vendorRef }: store.PendingCheck): Promise<AgeResult | null> {
    try {
      return await vendor.ask(vendorRef);
    } catch (error) {
      if (!(error instanceof AgeCheckError)) throw error;
      this.figures.unreachable += 1;
      this.#options.logger.warn({ err: error, vendor: vendor.id }, "failed to ask the vendor about an age check");
      return null;
    }
  }

  async #decide({ id, userId }: store.PendingCheck, result: store.DecidedAge): Promise<void> {
    const { db, moderation, standings, bus, clock, logger } = this.#options;
    const at = new Date(clock.nowMs());
    const isNew = await db.transaction().execute(async (trx) => {
      if (!(await store.decideCheck(trx, id, { result, at }))) return false;
      if (result.state === "passed") {
        await moderation.agePassed(trx, userId, at);
        await store.storePass(trx, userId, at);
      }
      // An estimate says nothing about a person near 18, so only a document opens a case.
      if (result.state === "failed" && result.method !== "estimate") await moderation.ageFailed(trx, userId, at);
      return true;
    });
    if (!isNew) return;
    this.figures[result.state] += 1;
    logger.info({ userId: String(userId), state: result.state, method: result.method }, "age check decided");
    standings.forget(userId);
    pushOwnDataChanged(bus, userId);
  }

  async #refusal(userId: bigint, why: AgeGateReason): Promise<AgeRefusal> {
    const { db, clock } = this.#options;
    const at = new Date(clock.nowMs());
    const facts = await store.readAgeFacts(db, userId, at);
    return { why, state: facts.state, retry_at: await this.#retryAt(userId, facts, at) };
  }

  async #retryAt(userId: bigint, { state }: store.AgeFacts, at: Date): Promise<number | null> {
    return state === "pending" ? null : store.nextCheckMs(this.#options.db, userId, at);
  }

  async #forget({ vendor: id, vendorRef }: store.KeptReference): Promise<boolean> {
    const { vendor, logger } = this.#options;
    if (vendor?.id !== id) return true;
    try {
      await vendor.forget(vendorRef);
      return true;
    } catch (error) {
      if (!(error instanceof AgeCheckError)) throw error;
      logger.warn({ err: error, vendor: id }, "failed to have the vendor forget an age check");
      return false;
    }
  }
}

/** Whether a vendor has found the user to be an adult. */
export async function isChecked(db: Kysely<Database>, userId: bigint): Promise<boolean> {
  const row = await db.selectFrom("users").select("age_checked_at").where("id", "=", userId).executeTakeFirst();
  return (row?.age_checked_at ?? null) !== null;
}
