import type { Kysely, Transaction } from "kysely";
import type { Logger } from "pino";
import { codes } from "@fava/wire/codes.ts";
import { countryByCode } from "@fava/wire/countries.ts";
import { accountRestoreMs, nicknameLengthMax } from "@fava/wire/limits.ts";
import { roles } from "@fava/wire/people.ts";
import { hasVisibleSign, limitMarks } from "@fava/wire/visible-text.ts";
import type { MailOutbox } from "#db/mail-outbox.ts";
import type { Database } from "#db/schema.ts";
import { EndpointError } from "#lib/errors.ts";
import { isReservedName } from "#lib/reserved-names.ts";
import { takeFromLimit } from "#lib/take-from-limit.ts";
import { namedFindings, ruledSpans, scanText } from "#moderation/text-service.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Clock } from "#ports/clock.ts";
import type { RequestContext } from "#ports/handlers.ts";
import type { AvatarSource, IdentityProvider } from "#ports/identity.ts";
import type { OneTimeKeys } from "#ports/one-time-keys.ts";
import type { CountryLookup } from "#ports/country-lookup.ts";
import { type Random, randomId } from "#ports/random.ts";
import type { Limits } from "#ports/rate-limits.ts";
import type { Settings } from "#ports/settings.ts";
import {
  createAccount,
  isKnownDevice,
  markDeleted,
  type Identity,
  lockedAccount,
  lockedUser,
  unlessDeleted,
  recordLogin,
  cancelDeletion,
  type AccountRow,
} from "./account-store.ts";
import { readUserAgent } from "./account-service.ts";
import { AvatarImport, type ProviderPicture } from "./avatar-import.ts";
import { banNotice } from "./ban-notice.ts";
import { IdentityCheck, type LoginInput } from "./identity-check.ts";
import type { SessionKeys } from "./session-keys.ts";
import * as store from "./session-store.ts";
import { insertTextQuestion } from "./text-question-store.ts";

type Writer = NonNullable<Parameters<typeof scanText>[1]>;

export interface SignInOptions {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  settings: Settings;
  countryLookup: CountryLookup;
  providers: readonly IdentityProvider[];
  avatars: AvatarSource;
  blobs: Blobs;
  limits: Limits;
  oneTimeKeys: OneTimeKeys;
  mails: Pick<MailOutbox, "add" | "cancel">;
  log: Pick<Logger, "warn">;
}

/** How long before the end the last mail about a deletion is sent. */
const deletionLastMailMs = 86_400_000;

function deletionMatter(userId: bigint, deletedAt: Date): string {
  return `deletion:${userId}:${deletedAt.getTime()}`;
}

/** `kicked`: ids of the sessions that this sign-in ended. */
type Entered = SignedIn & { kicked: string[] };

export class SignIn {
  readonly #options: SignInOptions;
  readonly #keys: SessionKeys;
  readonly #identities: IdentityCheck;
  readonly #avatars: AvatarImport;

  constructor(options: SignInOptions, keys: SessionKeys) {
    this.#options = options;
    this.#keys = keys;
    this.#identities = new IdentityCheck(options);
    this.#avatars = new AvatarImport(options);
  }

  issueNonce(): Promise<string> {
    return this.#identities.issueNonce();
  }

  /** Signs in by a verified identity. Returns the provider's picture too. Throws as `SessionService.login` does. */
  async byIdentity(input: LoginInput, context: RequestContext): Promise<Entered & { picture: ProviderPicture }> {
    const { identity: verified, provider } = await this.#identities.verified(input);
    const identity: Identity = { loginType: input.login_type, thirdPartyId: verified.thirdPartyId };
    const isAdmin = this.#isAdministrator(identity, verified.mail);
    const writer = this.#writerOf(context);
    const nickname = allowedName(verified.nickname ?? "", writer) || allowedName(input.nickname, writer);
    const entered = await this.#options.db
      .transaction()
      .execute((trx) => this.#enter(trx, { identity, isAdmin, nickname, input, context }));
    // The provider's picture, not the browser's: a browser could name any picture at the provider's host.
    return { ...entered, picture: { url: verified.avatarUrl ?? "", allowedHosts: provider.avatarHosts } };
  }

  /** Imports the provider's picture for a user without one. Never rejects. May take some seconds. */
  async withPicture(signedIn: SignedIn, picture: ProviderPicture): Promise<SignedIn> {
    const { user } = signedIn;
    const key = user.avatar_key === "" ? await this.#avatars.importPicture(user.id, picture) : null;
    return key === null ? signedIn : { ...signedIn, user: { ...user, avatar_key: key } };
  }

  /** Marks the account as deleted, and mails until when its user can restore it. Returns when it was deleted first. */
  async deleted(trx: Transaction<Database>, userId: bigint, at: Date): Promise<Date> {
    const { mails } = this.#options;
    const deletedAt = await markDeleted(trx, userId, at);
    const untilMs = deletedAt.getTime() + accountRestoreMs;
    const mail = { matter: deletionMatter(userId, deletedAt), facts: { untilMs }, userId };
    await mails.add(trx, { template: "deletion", ...mail });
    await mails.add(trx, { template: "deletion_last", ...mail, dueAt: new Date(untilMs - deletionLastMailMs) });
    return deletedAt;
  }

  /** Signs in by a restore token. Throws as `SessionService.restore` does. */
  byRestoreToken(restoreToken: string, device: Device, context: RequestContext): Promise<Entered> {
    const at = this.#now();
    return this.#options.db.transaction().execute(async (trx) => {
      const { userId, deletedAt } = await cancelDeletion(trx, restoreToken, { keys: this.#keys, at });
      const matter = deletionMatter(userId, deletedAt);
      await this.#options.mails.cancel(trx, { template: "deletion_last", matter });
      await this.#refuseBanned(trx, userId, { at, context });
      const entrance = { userId, at, device, context, role: undefined };
      const opened = await openSession(trx, this.#parts(), { ...entrance, countryId: this.#countryOf(context) });
      return { ...opened, isNew: false };
    });
  }

  /**
   * Signs in to an account that a passkey or recovery code has proven. Null if the account is erased. Throws as
   * `SessionService.login` does.
   */
  byProvenAccount(userId: bigint, device: Device, context: RequestContext): Promise<Entered | null> {
    const at = this.#now();
    const countryId = this.#countryOf(context);
    return this.#options.db.transaction().execute(async (trx) => {
      const user = await lockedUser(trx, userId);
      if (!user) return null;
      await this.#refuseBanned(trx, userId, { at, context });
      if (!(await unlessDeleted(trx, user, { keys: this.#keys, at }))) return null;
      return {
        ...(await this.#openKnown(trx, { userId, at, device, context, countryId, role: undefined })),
        isNew: false,
      };
    });
  }

  async #enter(
    trx: Transaction<Database>,
    login: {
      identity: Identity;
      isAdmin: boolean;
      nickname: string;
      input: LoginInput;
      context: RequestContext;
    },
  ): Promise<Entered> {
    const { random, settings } = this.#options;
    const { identity, isAdmin, input, context } = login;
    const at = this.#now();
    const countryId = this.#countryOf(context);
    const found = await lockedAccount(trx, identity);
    if (found) await this.#refuseBanned(trx, found.id, { at, context });
    const known = found && (await unlessDeleted(trx, found, { keys: this.#keys, at }));
    if (!known) await this.#limitRegistrations(context.ip, input.imei);
    const account =
      known ??
      (await createAccount(trx, random, {
        identity,
        nickname: login.nickname,
        countryId: countryId ?? settings.defaultCountryId,
        at,
      }));
    if (!known) await this.#askAboutName(trx, account, context);
    const role = isAdmin ? roles.administrator : undefined;
    const entrance = { userId: account.id, at, device: input, context, countryId, role };
    const opened = await (known ? this.#openKnown(trx, entrance) : openSession(trx, this.#parts(), entrance));
    return { ...opened, isNew: !known };
  }

  /** Opens a session of an account that existed before, and mails its user about a new device. */
  async #openKnown(trx: Transaction<Database>, entrance: Entrance): ReturnType<typeof openSession> {
    const isNewDevice = !(await isKnownDevice(trx, entrance.userId, entrance.device.imei));
    const opened = await openSession(trx, this.#parts(), entrance);
    if (isNewDevice) await this.#mailSignIn(trx, entrance);
    return opened;
  }

  async #mailSignIn(trx: Transaction<Database>, entrance: Entrance): Promise<void> {
    const { userId, at, context, countryId = null } = entrance;
    const facts = { ...readUserAgent(context.userAgent), countryId, atMs: at.getTime() };
    await this.#options.mails.add(trx, { template: "sign_in", matter: `${userId}:${at.getTime()}`, facts, userId });
  }

  #isAdministrator({ loginType, thirdPartyId }: Identity, mail: string | null): boolean {
    const { adminIdentities } = this.#options.settings;
    return adminIdentities.has(`${loginType}:${thirdPartyId}`) || (mail !== null && adminIdentities.has(mail));
  }

  /** Asks a moderator about a name in which the text rules find something. The name is in use until the answer. */
  async #askAboutName(
    trx: Transaction<Database>,
    { id, nickname }: AccountRow,
    context: RequestContext,
  ): Promise<void> {
    const findings = ruledSpans(scanText(nickname, this.#writerOf(context)));
    if (findings.length === 0) return;
    const asked = { userId: id, place: "nickname", text: nickname, before: nickname } as const;
    await insertTextQuestion(trx, { ...asked, source: "provider", findings, at: this.#now() });
  }

  #writerOf(context: RequestContext): Writer {
    const country = this.#options.countryLookup.countryOf(context.ip);
    return { countries: country ? [country] : [], languages: new Set([context.language]) };
  }

  #countryOf({ ip }: RequestContext): number | undefined {
    return countryByCode(this.#options.countryLookup.countryOf(ip) ?? "")?.id;
  }

  #parts(): { keys: SessionKeys; random: Random } {
    return { keys: this.#keys, random: this.#options.random };
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }

  /** Limits new accounts per address and per device. Sign-ins to existing accounts do not count. */
  async #limitRegistrations(address: string, deviceId: string): Promise<void> {
    const { limits } = this.#options;
    await takeFromLimit(limits, "registerByAddress", address);
    if (deviceId !== "") await takeFromLimit(limits, "registerByDevice", deviceId);
  }

  async #refuseBanned(
    trx: Transaction<Database>,
    userId: bigint,
    { at, context: { language } }: { at: Date; context: RequestContext },
  ): Promise<void> {
    const notice = await banNotice(trx, userId, { keys: this.#keys, at, language });
    if (notice) throw new EndpointError(codes.banned, "banned", notice);
  }
}

/** The provider's name; empty, so that the account number takes its place, if users could not choose that name. */
function allowedName(given: string, writer: Writer): string {
  const nickname = cleanNickname(given);
  const isFree = hasVisibleSign(nickname) && !isReservedName(nickname);
  return isFree && namedFindings(scanText(nickname, writer)).length === 0 ? nickname : "";
}

// Controls, separators and marks of text direction, which could rearrange the surrounding line.
const unsafe = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** The part of a provider's name that a nickname may have: at most 40 characters, few marks; may be empty. */
export function cleanNickname(text: string): string {
  const clean = text.normalize("NFC").replace(/\s+/gu, " ").replace(unsafe, "").replace(/ {2,}/g, " ").trim();
  return Array.from(limitMarks(clean)).slice(0, nicknameLengthMax).join("").trim();
}

/** A session ends this long after its last request (rule SIGNIN-75). */
export const sessionIdleMs = 30 * 86_400_000;
const userAgentLengthMax = 300;

export interface SignedIn {
  user: AccountRow;
  isNew: boolean;
  token: string;
  signKey: Buffer;
  chatSign: string;
}

export interface Device {
  source: 1 | 2;
  imei: string;
}

interface Entrance {
  userId: bigint;
  at: Date;
  device: Device;
  context: RequestContext;
  countryId: number | undefined;
  role: number | undefined;
}

/** Opens a session. Returns the ids of the sessions that it ended as `kicked`. */
async function openSession(
  trx: Transaction<Database>,
  { keys, random }: { keys: SessionKeys; random: Random },
  entrance: Entrance,
): Promise<Omit<SignedIn, "isNew"> & { kicked: string[] }> {
  const { userId, at, device, context } = entrance;
  const userAgent = context.userAgent.slice(0, userAgentLengthMax);
  const user = await recordLogin(trx, userId, {
    at,
    ip: context.ip,
    deviceId: device.imei,
    userAgent,
    language: context.language,
    countryId: entrance.countryId,
    role: entrance.role,
  });
  const kicked = await store.endLiveSessions(trx, userId, { reason: "kicked", at });
  const sessionId = randomId(random);
  const token = randomId(random, 32);
  await store.insertSession(trx, {
    id: sessionId,
    user_id: userId,
    token_hash: keys.tokenHash(token),
    source: device.source,
    ip: context.ip,
    user_agent: userAgent,
    language: context.language,
    created_at: at,
    last_seen_at: at,
    expires_at: new Date(at.getTime() + sessionIdleMs),
  });
  const chatSign = keys.chatSign(user.external_id, sessionId, at.getTime());
  return { user, token, signKey: keys.signKey(sessionId), chatSign, kicked };
}
