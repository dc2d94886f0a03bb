import type { BanNotice } from "@fava/wire/codes.ts";
import { codes } from "@fava/wire/codes.ts";
import { countryByCode } from "@fava/wire/countries.ts";
import { roles } from "@fava/wire/people.ts";
import { banReasonDefault } from "@fava/wire/reasons.ts";
import type { Kysely, Transaction } from "kysely";
import type { Logger } from "pino";
import type { Database } from "#db/schema.ts";
import type { Authentication } from "#http/authentication.ts";
import { CallError } from "#http/call-error.ts";
import { takeFromLimit } from "#http/call-limits.ts";
import type { CallContext, LiveSession } from "#http/context.ts";
import type { AvatarSource } from "#ports/avatars.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Clock } from "#ports/clock.ts";
import type { IdentityProvider } from "#ports/identity.ts";
import type { Limits } from "#ports/limits.ts";
import type { Places } from "#ports/places.ts";
import { type Random, randomId } from "#ports/random.ts";
import type { Settings } from "#ports/settings.ts";
import {
  createAccount,
  type Identity,
  lacksAvatar,
  lockedAccount,
  recordLogin,
  type UserRow,
} from "./account-store.ts";
import type { EndedSession } from "./ended-session.ts";
import { AvatarImport } from "./avatar-import.ts";
import { IdentityCheck, type LoginInput } from "./identity-check.ts";
import { cleanNickname } from "./nickname.ts";
import { SessionCache, sessionCacheMs } from "./session-cache.ts";
import { SessionKeys } from "./session-keys.ts";
import * as store from "./store.ts";

export type { EndedSession } from "./ended-session.ts";

/** A session ends after this long without a call, and in any case this long after the sign-in (rule SIGNIN-75). */
const sessionIdleMs = 30 * 86_400_000;
const sessionAgeMaxMs = 180 * 86_400_000;
const cachedSessionsMax = 100_000;
const userAgentLengthMax = 300;

export interface SessionServiceOptions {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  settings: Settings;
  places: Places;
  providers: readonly IdentityProvider[];
  avatars: AvatarSource;
  blobs: Blobs;
  serverSecret: string;
  limits: Limits;
  log: Pick<Logger, "info" | "warn">;
}

/** What a sign-in answers; the routes turn it into the wire's fields. */
export interface SignedIn {
  user: UserRow;
  isNew: boolean;
  token: string;
  signKey: Buffer;
  chatSign: string;
}

/** Who is signed in: one live session a person, ended at once by the next sign-in, a ban or a sign-out. */
export class SessionService {
  readonly #options: SessionServiceOptions;
  readonly #identities: IdentityCheck;
  readonly #avatars: AvatarImport;
  readonly #cache: SessionCache;
  readonly #keys: SessionKeys;
  readonly #endedListeners = new Set<(ended: EndedSession) => void>();

  constructor(options: SessionServiceOptions) {
    this.#options = options;
    this.#identities = new IdentityCheck(options);
    this.#avatars = new AvatarImport({ source: options.avatars, blobs: options.blobs, log: options.log });
    this.#cache = new SessionCache(options.clock, cachedSessionsMax);
    this.#keys = new SessionKeys(options.serverSecret);
  }

  get providers(): readonly IdentityProvider[] {
    return this.#options.providers;
  }

  /** A nonce for the provider's token: valid for ten minutes, once. */
  prepare(): { nonce: string } {
    return { nonce: this.#identities.issueNonce() };
  }

  /** Called with every session that ends, after it has ended in the database. */
  onEnded(listener: (ended: EndedSession) => void): Disposable {
    this.#endedListeners.add(listener);
    return { [Symbol.dispose]: () => void this.#endedListeners.delete(listener) };
  }

  /**
   * Signs a person in and ends the session they had elsewhere as `kicked`.
   *
   * @throws CallError 400 "login failed"; 408 with the ban notice.
   */
  async login(input: LoginInput, context: CallContext): Promise<SignedIn> {
    const { identity: verified, provider } = await this.#identities.verified(input);
    const identity: Identity = { loginType: input.login_type, thirdPartyId: verified.thirdPartyId };
    const avatarKey = (await lacksAvatar(this.#options.db, identity))
      ? await this.#avatars.run(verified.avatarUrl ?? input.avatar, provider.avatarHosts)
      : undefined;
    const nickname = cleanNickname(verified.nickname ?? "") || cleanNickname(input.nickname);
    const signedIn = await this.#options.db
      .transaction()
      .execute((trx) => this.#enter(trx, { identity, nickname, avatarKey, input, context }));
    this.#announce(signedIn.user.id, signedIn.kicked, "kicked");
    this.#options.log.info({ userId: String(signedIn.user.id), isNew: signedIn.isNew }, "signed in");
    return signedIn;
  }

  /** What a session token opens. Costs no query while the session is in use. */
  authenticate(token: string): Promise<Authentication> {
    const tokenHash = this.#keys.tokenHash(token);
    return this.#cache.get(tokenHash, () => this.#readSession(tokenHash));
  }

  async logout(session: LiveSession): Promise<void> {
    await this.#end(session.userId, "signed_out", session.id);
  }

  /** Ends whatever session the person has. */
  async endAllOf(userId: bigint, reason: EndedSession["reason"]): Promise<void> {
    await this.#end(userId, reason);
  }

  /** Role, birthday or gender changed: the next call sees it. */
  refresh(userId: bigint): void {
    this.#cache.forget(userId);
  }

  /** `tencent_sign` for the chat socket; bound to the session and valid for ten minutes. */
  chatSign(externalId: string, sessionId: string): string {
    return this.#keys.chatSign(externalId, sessionId, this.#options.clock.nowMs());
  }

  /** The live session that a chat signature was made for, or null. */
  async verifyChatSign(tencentId: string, sign: string): Promise<LiveSession | null> {
    const now = this.#options.clock.nowMs();
    const sessionId = this.#keys.sessionOfChatSign(tencentId, sign, now);
    if (sessionId === null) return null;
    const row = await store.liveSessionById(this.#options.db, sessionId);
    if (!row || row.external_id !== tencentId || row.expires_at.getTime() <= now) return null;
    return liveSession(row);
  }

  async #enter(
    trx: Transaction<Database>,
    login: {
      identity: Identity;
      nickname: string;
      avatarKey: string | undefined;
      input: LoginInput;
      context: CallContext;
    },
  ): Promise<SignedIn & { kicked: string[] }> {
    const { places, random, settings } = this.#options;
    const { identity, input, context } = login;
    const at = new Date(this.#options.clock.nowMs());
    const countryId = countryByCode(places.countryOf(context.ip) ?? "")?.id;
    const known = await lockedAccount(trx, identity);
    if (known) await this.#refuseBanned(trx, known.id, at);
    else await this.#limitRegistrations(context.ip, input.imei);
    const account =
      known ??
      (await createAccount(trx, random, {
        identity,
        nickname: login.nickname,
        countryId: countryId ?? settings.defaultCountryId,
        at,
      }));
    const userAgent = context.userAgent.slice(0, userAgentLengthMax);
    const isAdmin = settings.adminIdentities.has(`${identity.loginType}:${identity.thirdPartyId}`);
    const user = await recordLogin(trx, account.id, {
      at,
      ip: context.ip,
      deviceId: input.imei,
      userAgent,
      language: context.language,
      avatarKey: login.avatarKey,
      countryId,
      role: isAdmin ? roles.administrator : undefined,
    });
    const kicked = await store.endLiveSessions(trx, user.id, { reason: "kicked", at });
    const sessionId = randomId(random);
    const token = randomId(random, 32);
    await store.insertSession(trx, {
      id: sessionId,
      user_id: user.id,
      token_hash: this.#keys.tokenHash(token),
      source: input.source,
      ip: context.ip,
      user_agent: userAgent,
      language: context.language,
      created_at: at,
      last_seen_at: at,
      expires_at: new Date(at.getTime() + sessionIdleMs),
    });
    const chatSign = this.#keys.chatSign(user.external_id, sessionId, at.getTime());
    return { user, isNew: !known, token, signKey: this.#keys.signKey(sessionId), chatSign, kicked };
  }

  async #readSession(tokenHash: string): Promise<Authentication> {
    const { db } = this.#options;
    const row = await store.sessionByTokenHash(db, tokenHash);
    if (!row) return { kind: "ended", reason: "expired" };
    const now = this.#options.clock.nowMs();
    const notice = await this.#banNotice(db, row.user_id, new Date(now));
    if (notice) {
      if (row.end_reason === null) await this.#end(row.user_id, "banned", row.id);
      return { kind: "banned", notice };
    }
    if (row.end_reason !== null) return { kind: "ended", reason: wireEndReason(row.end_reason) };
    if (row.expires_at.getTime() <= now) {
      await this.#end(row.user_id, "expired", row.id);
      return { kind: "ended", reason: "expired" };
    }
    if (now - row.last_seen_at.getTime() >= sessionCacheMs) {
      const expiresAt = new Date(Math.min(now + sessionIdleMs, row.created_at.getTime() + sessionAgeMaxMs));
      await store.touchSession(db, row.id, { at: new Date(now), expiresAt });
    }
    return { kind: "live", session: liveSession(row), signKey: this.#keys.signKey(row.id) };
  }

  async #end(userId: bigint, reason: EndedSession["reason"], sessionId?: string): Promise<void> {
    const at = new Date(this.#options.clock.nowMs());
    const end = sessionId === undefined ? { reason, at } : { reason, at, sessionId };
    this.#announce(userId, await store.endLiveSessions(this.#options.db, userId, end), reason);
  }

  #announce(userId: bigint, sessionIds: readonly string[], reason: EndedSession["reason"]): void {
    this.#cache.forget(userId);
    for (const sessionId of sessionIds) {
      for (const listener of this.#endedListeners) listener({ sessionId, userId, reason });
    }
  }

  /** New accounts from one address or one device are few a day; signing in again is not limited by this. */
  async #limitRegistrations(address: string, deviceId: string): Promise<void> {
    const { limits } = this.#options;
    await takeFromLimit(limits, "registerByAddress", address);
    if (deviceId !== "") await takeFromLimit(limits, "registerByDevice", deviceId);
  }

  async #refuseBanned(trx: Transaction<Database>, userId: bigint, at: Date): Promise<void> {
    const notice = await this.#banNotice(trx, userId, at);
    if (notice) throw new CallError(codes.banned, "banned", notice);
  }

  async #banNotice(db: Kysely<Database>, userId: bigint, at: Date): Promise<BanNotice | null> {
    const ban = await store.banInForce(db, userId, at);
    if (!ban) return null;
    return {
      id: ban.user_no,
      reason_id: ban.reason_id,
      reason: ban.reason === "" ? banReasonDefault : ban.reason,
      time: ban.until?.toISOString() ?? null,
      appeal_token: this.#keys.appealToken(ban.id, at.getTime()),
    };
  }
}

/** Address of a person's picture; empty for none. */
export function avatarAddress(avatarKey: string): string {
  return avatarKey === "" ? "" : `/media/avatars/${avatarKey}`;
}

function liveSession(row: store.SessionRow): LiveSession {
  return {
    id: row.id,
    userId: row.user_id,
    externalId: row.external_id,
    role: row.role,
    profileComplete: row.sex !== 0 && row.birthday !== null,
  };
}

/** A session ended by a ban that is over meanwhile has nothing more to tell than that it ended. */
function wireEndReason(reason: string): "expired" | "kicked" | "deleted" | "signed_out" {
  return reason === "kicked" || reason === "deleted" || reason === "signed_out" ? reason : "expired";
}
