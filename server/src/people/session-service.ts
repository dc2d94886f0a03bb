import type { Logger } from "pino";
import type { BanNotice } from "@fava/wire/codes.ts";
import { roles } from "@fava/wire/people.ts";
import type { Authentication } from "#ports/authentication.ts";
import type { RequestContext, LiveSession } from "#ports/handlers.ts";
import { Emitter } from "#lib/emitter.ts";
import type { ServerSecret } from "#lib/server-secret.ts";
import type { IdentityProvider } from "#ports/identity.ts";
import { banNotice } from "./ban-notice.ts";
import type { LoginInput } from "./identity-check.ts";
import { SessionKeys } from "./session-keys.ts";
import { type EndedSession, SessionCache, sessionCacheMs } from "./session-store.ts";
import * as store from "./session-store.ts";
import { type Device, sessionIdleMs, type SignedIn, SignIn, type SignInOptions } from "./sign-in.ts";

// Exported here because other domains import only services.
export { banFacts } from "./ban-notice.ts";
export { banById } from "./session-store.ts";

/** A session ends this long after the sign-in even if it is used (rule SIGNIN-75). */
const sessionAgeMaxMs = 180 * 86_400_000;
const appealSession = /^appeal:(\d{1,18})$/;
const cachedSessionsMax = 100_000;
const sessionsAskedMax = 1_000;

export interface SessionServiceOptions extends SignInOptions {
  serverSecret: ServerSecret;
  log: Pick<Logger, "info" | "warn">;
}

/** `by` is for the log. */
export interface ProvenAccount {
  userId: bigint;
  by: "passkey" | "recovery code";
}

/** Sessions: one per user. The next sign-in, a ban, a deletion or a sign-out ends it at once. */
export class SessionService {
  readonly #options: SessionServiceOptions;
  /** Cached live sessions, which cost no query. */
  readonly cache: SessionCache;
  readonly #keys: SessionKeys;
  readonly #signIn: SignIn;
  readonly #ended = new Emitter<[ended: EndedSession, where: "here" | "elsewhere"]>();

  constructor(options: SessionServiceOptions) {
    this.#options = options;
    this.cache = new SessionCache(options.clock, cachedSessionsMax);
    this.#keys = new SessionKeys(options.serverSecret);
    this.#signIn = new SignIn(options, this.#keys);
  }

  get providers(): readonly IdentityProvider[] {
    return this.#options.providers;
  }

  /** A nonce for the provider's token, valid once and for ten minutes. */
  async prepare(): Promise<{ nonce: string }> {
    return { nonce: await this.#signIn.issueNonce() };
  }

  /** Calls the listener with every session that ended, on any server, after the commit. */
  onEnded(listener: (ended: EndedSession, where: "here" | "elsewhere") => void): Disposable {
    return this.#ended.on(listener);
  }

  remoteEnded(ended: EndedSession): void {
    this.cache.drop(ended.userId);
    this.#ended.emit(ended, "elsewhere");
  }

  /** Call after a gap in the bus. Emits which of these sessions have ended. */
  async findEnded(sessionIds: readonly string[]): Promise<void> {
    for (let from = 0; from < sessionIds.length; from += sessionsAskedMax) {
      const some = sessionIds.slice(from, from + sessionsAskedMax);
      for (const ended of await store.endedAmong(this.#options.db, some)) this.remoteEnded(ended);
    }
  }

  /**
   * Signs in and ends the user's other session as `kicked`.
   * @throws EndpointError 400 "login failed"; 408 with the ban notice; 403 `account_deleted` with `until` and
   * `restore_token` while the account can be restored.
   */
  async login(input: LoginInput, context: RequestContext): Promise<SignedIn> {
    const { picture, ...signedIn } = await this.#signIn.byIdentity(input, context);
    this.#announce(signedIn.user.id, signedIn.kicked, "kicked");
    this.#options.log.info({ userId: String(signedIn.user.id), isNew: signedIn.isNew }, "signed in");
    return this.#signIn.withPicture(signedIn, picture);
  }

  /**
   * Signs in to an account that a passkey or recovery code has proven. Null if the account is erased.
   * @throws EndpointError 408 and 403 as `login`.
   */
  async enterProven({ userId, by }: ProvenAccount, device: Device, context: RequestContext): Promise<SignedIn | null> {
    const signedIn = await this.#signIn.byProvenAccount(userId, device, context);
    if (!signedIn) return null;
    this.#announce(userId, signedIn.kicked, "kicked");
    this.#options.log.info({ userId: String(userId), isNew: false, by }, "signed in");
    return signedIn;
  }

  /**
   * Restores a deleted account by the token of its rejected sign-in, and signs in.
   * @throws EndpointError 400 for an invalid token; 408 with the ban notice.
   */
  async restore(restoreToken: string, device: Device, context: RequestContext): Promise<SignedIn> {
    const signedIn = await this.#signIn.byRestoreToken(restoreToken, device, context);
    this.#announce(signedIn.user.id, signedIn.kicked, "kicked");
    this.#options.log.info({ userId: String(signedIn.user.id) }, "account restored");
    return signedIn;
  }

  /** Marks the account as deleted and ends its session. Idempotent. Returns when it was deleted first. */
  async deleteAccount(userId: bigint): Promise<Date> {
    const at = this.#now();
    const { deletedAt, ended } = await this.#options.db.transaction().execute(async (trx) => ({
      deletedAt: await this.#signIn.deleted(trx, userId, at),
      ended: await store.endLiveSessions(trx, userId, { reason: "deleted", at }),
    }));
    this.#announce(userId, ended, "deleted");
    this.#options.log.info({ userId: String(userId) }, "account deleted");
    return deletedAt;
  }

  async banOfAppealToken(token: string): Promise<{ userId: bigint; ban: store.BanRow } | null> {
    const { db, clock } = this.#options;
    const banId = this.#keys.banOfAppealToken(token, clock.nowMs());
    if (banId === null) return null;
    const [user, ban] = await Promise.all([store.userOfBan(db, banId), store.banById(db, banId)]);
    return user && ban ? { userId: user.id, ban } : null;
  }

  /** The session of a token. Costs no query while the session is cached. */
  authenticate(token: string): Promise<Authentication> {
    const banId = this.#keys.banOfAppealToken(token, this.#options.clock.nowMs());
    if (banId !== null) return this.#byAppeal(banId);
    const tokenHash = this.#keys.tokenHash(token);
    return this.cache.get(tokenHash, () => this.#readSession(tokenHash));
  }

  async isOpen(sessionId: string): Promise<boolean> {
    const banId = appealSession.exec(sessionId)?.[1];
    if (banId !== undefined) return (await this.#byAppeal(BigInt(banId))).kind === "appeal";
    const row = await store.liveSessionById(this.#options.db, sessionId);
    return row !== undefined && row.expires_at > this.#now();
  }

  async logout(session: LiveSession): Promise<void> {
    await this.#end(session.userId, "signed_out", session.id);
  }

  async endAllOf(userId: bigint, reason: EndedSession["reason"]): Promise<void> {
    await this.#end(userId, reason);
  }

  banNotice(userId: bigint): Promise<BanNotice | null> {
    return banNotice(this.#options.db, userId, { keys: this.#keys, at: this.#now() });
  }

  /** Call after role, birthday or gender changed, so that requests see the new values. */
  refresh(userId: bigint): void {
    this.cache.forget(userId);
  }

  async followLanguage(userId: bigint, language: string): Promise<void> {
    await store.setLanguage(this.#options.db, userId, language);
    this.cache.forget(userId);
  }

  /** The `tencent_sign` that opens the chat socket: bound to the session, valid for ten minutes. */
  chatSign(externalId: string, sessionId: string): string {
    return this.#keys.chatSign(externalId, sessionId, this.#options.clock.nowMs());
  }

  async verifyChatSign(tencentId: string, sign: string): Promise<LiveSession | null> {
    const now = this.#options.clock.nowMs();
    const sessionId = this.#keys.sessionOfChatSign(tencentId, sign, now);
    if (sessionId === null) return null;
    const row = await store.liveSessionById(this.#options.db, sessionId);
    if (!row || row.external_id !== tencentId || row.expires_at.getTime() <= now) return null;
    return liveSession(row);
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }

  /** An appeal token authenticates while its ban is in force. */
  async #byAppeal(banId: bigint): Promise<Authentication> {
    const { db } = this.#options;
    const found = await store.userOfBan(db, banId);
    const at = this.#now();
    const notice = found && (await banNotice(db, found.id, { keys: this.#keys, at }));
    if (!found || !notice) return { kind: "ended", reason: "expired", signKeys: [] };
    const session = {
      id: `appeal:${banId}`,
      userId: found.id,
      externalId: found.external_id,
      role: roles.user,
      profileComplete: found.sex !== 0 && found.birthday !== null,
    };
    return { kind: "appeal", session, notice, language: found.language };
  }

  async #readSession(tokenHash: string): Promise<Authentication> {
    const { db } = this.#options;
    const now = this.#options.clock.nowMs();
    const at = new Date(now);
    const row = await store.sessionByTokenHash(db, tokenHash, at);
    if (!row) return { kind: "ended", reason: "expired", signKeys: [] };
    const signKeys = this.#keys.signKeys(row.id);
    const notice = row.is_banned ? await banNotice(db, row.user_id, { keys: this.#keys, at }) : null;
    if (notice) {
      if (row.end_reason === null) await this.#end(row.user_id, "banned", row.id);
      return { kind: "banned", notice };
    }
    if (row.end_reason !== null) return { kind: "ended", reason: wireEndReason(row.end_reason), signKeys };
    if (row.expires_at.getTime() <= now) {
      await this.#end(row.user_id, "expired", row.id);
      return { kind: "ended", reason: "expired", signKeys };
    }
    if (now - row.last_seen_at.getTime() >= sessionCacheMs) {
      const expiresAt = new Date(Math.min(now + sessionIdleMs, row.created_at.getTime() + sessionAgeMaxMs));
      await store.touchSession(db, row.id, { at, expiresAt });
    }
    return { kind: "live", session: liveSession(row), signKeys, language: row.language };
  }

  async #end(userId: bigint, reason: EndedSession["reason"], sessionId?: string): Promise<void> {
    const at = this.#now();
    const end = sessionId === undefined ? { reason, at } : { reason, at, sessionId };
    this.#announce(userId, await store.endLiveSessions(this.#options.db, userId, end), reason);
  }

  #announce(userId: bigint, sessionIds: readonly string[], reason: EndedSession["reason"]): void {
    this.cache.forget(userId);
    for (const sessionId of sessionIds) this.#ended.emit({ sessionId, userId, reason }, "here");
  }
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

/** If the ban that ended the session is over, the client receives `expired`. */
function wireEndReason(reason: string): "expired" | "kicked" | "deleted" | "signed_out" {
  return reason === "kicked" || reason === "deleted" || reason === "signed_out" ? reason : "expired";
}
