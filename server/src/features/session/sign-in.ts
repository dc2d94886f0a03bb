import { codes } from "@fava/wire/codes.ts";
import { countryByCode } from "@fava/wire/countries.ts";
import { roles } from "@fava/wire/people.ts";
import type { Kysely, Transaction } from "kysely";
import type { Logger } from "pino";
import type { Database } from "#db/schema.ts";
import { findingsIn } from "#features/text/service.ts";
import { CallError } from "#http/call-error.ts";
import { takeFromLimit } from "#http/call-limits.ts";
import type { CallContext } from "#http/context.ts";
import type { AvatarSource } from "#ports/avatars.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Clock } from "#ports/clock.ts";
import type { IdentityProvider } from "#ports/identity.ts";
import type { Limits } from "#ports/limits.ts";
import type { Places } from "#ports/places.ts";
import type { Random } from "#ports/random.ts";
import type { Settings } from "#ports/settings.ts";
import { createAccount, type Identity, lacksAvatar, lockedAccount } from "./account-store.ts";
import { AvatarImport } from "./avatar-import.ts";
import { banNotice } from "./ban-notice.ts";
import { notDeleted, takeBackDeletion } from "./deleted-account.ts";
import { IdentityCheck, type LoginInput } from "./identity-check.ts";
import { cleanNickname } from "./nickname.ts";
import type { SessionKeys } from "./session-keys.ts";
import { openSession, type SignedIn } from "./session-opener.ts";

export interface SignInOptions {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  settings: Settings;
  places: Places;
  providers: readonly IdentityProvider[];
  avatars: AvatarSource;
  blobs: Blobs;
  limits: Limits;
  log: Pick<Logger, "warn">;
}

/** Who has just come in, and the ids of the sessions that this ended as `kicked`. */
type Entered = SignedIn & { kicked: string[] };

/** How people come in: to a new account, to theirs, or back to one that they deleted. */
export class SignIn {
  readonly #options: SignInOptions;
  readonly #keys: SessionKeys;
  readonly #identities: IdentityCheck;
  readonly #avatars: AvatarImport;

  constructor(options: SignInOptions, keys: SessionKeys) {
    this.#options = options;
    this.#keys = keys;
    this.#identities = new IdentityCheck(options);
    this.#avatars = new AvatarImport({ source: options.avatars, blobs: options.blobs, log: options.log });
  }

  /** For the provider's token: valid for ten minutes, once. */
  issueNonce(): string {
    return this.#identities.issueNonce();
  }

  /** By an identity that a provider vouches for; the errors are those of `SessionService.login`. */
  async byIdentity(input: LoginInput, context: CallContext): Promise<Entered> {
    const { identity: verified, provider } = await this.#identities.verified(input);
    const identity: Identity = { loginType: input.login_type, thirdPartyId: verified.thirdPartyId };
    const picture = (await lacksAvatar(this.#options.db, identity))
      ? await this.#avatars.take(verified.avatarUrl ?? input.avatar, provider.avatarHosts)
      : null;
    const nickname = allowedName(verified.nickname ?? "") || allowedName(input.nickname);
    return this.#options.db
      .transaction()
      .execute((trx) => this.#enter(trx, { identity, nickname, picture, input, context }));
  }

  /** By the restore token of a deleted account; the errors are those of `SessionService.restore`. */
  byRestoreToken(
    restoreToken: string,
    device: { source: 1 | 2; imei: string },
    context: CallContext,
  ): Promise<Entered> {
    const at = this.#now();
    return this.#options.db.transaction().execute(async (trx) => {
      const userId = await takeBackDeletion(trx, restoreToken, { keys: this.#keys, at });
      await this.#refuseBanned(trx, userId, { at, context });
      const entrance = { userId, at, device, context, avatarKey: undefined, role: undefined };
      const opened = await openSession(trx, this.#parts(), { ...entrance, countryId: this.#countryOf(context) });
      return { ...opened, isNew: false };
    });
  }

  async #enter(
    trx: Transaction<Database>,
    login: {
      identity: Identity;
      nickname: string;
      picture: Buffer | null;
      input: LoginInput;
      context: CallContext;
    },
  ): Promise<Entered> {
    const { random, settings } = this.#options;
    const { identity, input, context } = login;
    const at = this.#now();
    const countryId = this.#countryOf(context);
    const found = await lockedAccount(trx, identity);
    if (found) await this.#refuseBanned(trx, found.id, { at, context });
    const known = found && (await notDeleted(trx, found, { keys: this.#keys, at }));
    if (!known) await this.#limitRegistrations(context.ip, input.imei);
    const account =
      known ??
      (await createAccount(trx, random, {
        identity,
        nickname: login.nickname,
        countryId: countryId ?? settings.defaultCountryId,
        at,
      }));
    const avatarKey = (login.picture && (await this.#avatars.keep(trx, login.picture))) ?? undefined;
    const isAdmin = settings.adminIdentities.has(`${identity.loginType}:${identity.thirdPartyId}`);
    const opened = await openSession(trx, this.#parts(), {
      userId: account.id,
      at,
      device: input,
      context,
      avatarKey,
      countryId,
      role: isAdmin ? roles.administrator : undefined,
    });
    return { ...opened, isNew: !known };
  }

  #countryOf({ ip }: CallContext): number | undefined {
    return countryByCode(this.#options.places.countryOf(ip) ?? "")?.id;
  }

  #parts(): { keys: SessionKeys; random: Random } {
    return { keys: this.#keys, random: this.#options.random };
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }

  /** New accounts from one address or one device are few a day; signing in again is not limited by this. */
  async #limitRegistrations(address: string, deviceId: string): Promise<void> {
    const { limits } = this.#options;
    await takeFromLimit(limits, "registerByAddress", address);
    if (deviceId !== "") await takeFromLimit(limits, "registerByDevice", deviceId);
  }

  async #refuseBanned(
    trx: Transaction<Database>,
    userId: bigint,
    { at, context: { language } }: { at: Date; context: CallContext },
  ): Promise<void> {
    const notice = await banNotice(trx, userId, { keys: this.#keys, at, language });
    if (notice) throw new CallError(codes.banned, "banned", notice);
  }
}

/** The name as it can be stored; empty for one that nobody could choose later, which their number replaces. */
function allowedName(given: string): string {
  const nickname = cleanNickname(given);
  return findingsIn(nickname).length === 0 ? nickname : "";
}
