import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { invitationMs } from "@fava/wire/limits.ts";
import type { Database } from "#db/schema.ts";
import { EndpointError, refused } from "#lib/errors.ts";
import { takeFromLimit } from "#lib/take-from-limit.ts";
import { Tasks } from "#lib/tasks.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { HubListener } from "#ports/hub-listener.ts";
import { type Random, randomId } from "#ports/random.ts";
import type { Limits } from "#ports/rate-limits.ts";
import * as store from "./invitation-store.ts";
import type { Caller } from "./message-service.ts";
import type { SocialService } from "./social-service.ts";

interface InvitationServiceOptions {
  db: Kysely<Database>;
  social: Pick<SocialService, "cards">;
  /** @throws EndpointError 403 `paused` or `age_check`. */
  requireStanding: (userId: bigint) => Promise<void>;
  bus: Pick<Bus, "social">;
  limits: Limits;
  clock: Clock;
  random: Random;
  logger: Logger;
}

const tokenBytes = 24;
const gone = { state: "gone" } as const;

/**
 * Links to a direct call with their maker. The first user who opens one waits; the maker confirms by ringing that user
 * (`RingService`), with every check of a ring. The call ends the invitation.
 */
export class InvitationService implements Pick<HubListener, "arrived">, AsyncDisposable {
  readonly #options: InvitationServiceOptions;
  readonly #tasks: Tasks;

  constructor(options: InvitationServiceOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
  }

  /** @throws EndpointError 403 `paused`, `age_check`; 406 `too_many`; 429. */
  async make(userId: bigint): Promise<OutputOf<Endpoints["invite"]>> {
    const { db, limits, random, requireStanding } = this.#options;
    await requireStanding(userId);
    await takeFromLimit(limits, "inviteByUser", String(userId));
    const [token, at] = [randomId(random, tokenBytes), this.#now()];
    const [id, until] = [idOf(token), new Date(at.getTime() + invitationMs)];
    if (!(await store.addInvitation(db, { id, userId, at, until }))) throw refused("too_many");
    return { id, token, until: until.getTime() };
  }

  /** An opener who is hidden from the maker is left out. */
  async list({ userId, language }: Caller): Promise<OutputOf<Endpoints["inviteList"]>> {
    const { db, social } = this.#options;
    const found = await store.invitationsOf(db, userId, this.#now());
    const openers = found.flatMap(({ openerId }) => openerId ?? []);
    const cards = await social.cards(userId, openers, language);
    const openerOf = (id: bigint | null) => (id === null ? null : (cards.get(id) ?? null));
    return {
      rows: found.map(({ id, until, openerId }) => ({ id, until: until.getTime(), opener: openerOf(openerId) })),
    };
  }

  async takeBack(userId: bigint, id: string): Promise<void> {
    const openerId = await store.removeInvitation(this.#options.db, userId, id);
    if (openerId !== undefined) this.#pushOver(id, [userId, ...(openerId === null ? [] : [openerId])]);
  }

  /**
   * Tells the maker once. The response says nothing about why a link does not work.
   * @throws EndpointError about the caller: 403 `paused`, `age_check`; 429.
   */
  async open({ userId, language }: Caller, token: string): Promise<OutputOf<Endpoints["inviteOpen"]>> {
    const { db, social, limits, requireStanding } = this.#options;
    await takeFromLimit(limits, "inviteOpenByUser", String(userId));
    await requireStanding(userId);
    const [id, now] = [idOf(token), this.#now()];
    const makerId = await store.makerOf(db, id, now);
    if (makerId === userId) return { state: "own" };
    if (makerId === null || !(await this.#isInStanding(makerId))) return gone;
    const opened = await store.openInvitation(db, { id, userId, now });
    const maker = opened && (await social.cards(userId, [makerId], language)).get(makerId);
    if (!opened || !maker) return gone;
    if (opened.isFirst) await this.#pushOpener(makerId, id, userId);
    const { nickname, avatar } = maker;
    return { state: "waiting", id, until: opened.until.getTime(), maker: { nickname, avatar } };
  }

  /** The two have had the call. */
  async markUsed(one: bigint, other: bigint): Promise<void> {
    for (const id of await store.removeInvitationsBetween(this.#options.db, one, other))
      this.#pushOver(id, [one, other]);
  }

  arrived(userId: bigint): void {
    this.#tasks.add("failed to push opened invitations", async () => {
      for (const { id, openerId } of await store.invitationsOf(this.#options.db, userId, this.#now()))
        if (openerId !== null) await this.#pushOpener(userId, id, openerId);
    });
  }

  idle(): Promise<void> {
    return this.#tasks.idle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tasks[Symbol.asyncDispose]();
  }

  async #pushOpener(makerId: bigint, id: string, openerId: bigint): Promise<void> {
    const { social, bus } = this.#options;
    const card = (await social.cards(makerId, [openerId], "en")).get(openerId);
    if (!card) return;
    const { user_id: userId, externalId, nickname, avatar } = card;
    bus.social(makerId, { kind: "invited", id, from: { userId, externalId, nickname, avatar } });
  }

  #pushOver(id: string, people: readonly bigint[]): void {
    for (const userId of people) this.#options.bus.social(userId, { kind: "invite_over", id });
  }

  #isInStanding(userId: bigint): Promise<boolean> {
    return this.#options.requireStanding(userId).then(
      () => true,
      (error: unknown) => {
        if (error instanceof EndpointError) return false;
        throw error;
      },
    );
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }
}

function idOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
