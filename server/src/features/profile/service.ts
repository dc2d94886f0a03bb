import { countryById } from "@fava/wire/countries.ts";
import type { OutputOf, ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import type { LoginType, OwnUser, RemoteUser, Sex } from "@fava/wire/people.ts";
import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";
import { countryName, flagAddress } from "#features/country/service.ts";
import { avatarAddress, type SessionService } from "#features/session/service.ts";
import { badInput, forbidden, noSession } from "#http/call-error.ts";
import type { LiveSession } from "#http/context.ts";
import { LruMap } from "#lru-map.ts";
import type { Balances } from "#ports/balances.ts";
import type { Clock } from "#ports/clock.ts";
import { AgeGate } from "./age-gate.ts";
import { AgeRefusals } from "./age-refusals.ts";
import * as store from "./store.ts";

/** People met this recently are known to each other (product decision "Identity"). */
const metWithinMs = 86_400_000;
const factsKeptMax = 100_000;
/** A sign-in can change country and picture; nobody sees the old ones for longer than this. */
const factsKeptMs = 60_000;

export interface ProfileServiceOptions {
  db: Kysely<Database>;
  clock: Clock;
  sessions: SessionService;
  balances: Balances;
  serverSecret: string;
}

/** What the matcher needs to know of a person; `sex` means something only where `complete`. */
export interface MatchFacts {
  sex: 1 | 2;
  countryId: number;
  zone: number;
  complete: boolean;
}

/** People's own data, and the little that others see of them. */
export class ProfileService {
  readonly #options: ProfileServiceOptions;
  readonly #ageRefusals: AgeRefusals;
  readonly #ageGate: AgeGate;
  readonly #facts = new LruMap<bigint, { user: store.UserRow; until: number }>(factsKeptMax);

  constructor(options: ProfileServiceOptions) {
    this.#options = options;
    this.#ageRefusals = new AgeRefusals(options.serverSecret);
    this.#ageGate = new AgeGate(options.clock, this.#ageRefusals);
  }

  /** Everything about oneself, with a fresh chat signature. */
  async mine(session: LiveSession, language: string): Promise<OwnUser> {
    const { db, balances, sessions } = this.#options;
    const [user, identities, beans] = await Promise.all([
      store.userById(db, session.userId),
      store.identitiesOf(db, session.userId),
      balances.of(session.userId),
    ]);
    const identity = identities[0];
    if (!user || !identity) throw noSession("deleted");
    const tryAgainOn = await this.#ageRefusals.tryAgainOn(db, identities, this.#ageGate.today());
    return {
      ...publicFacts(user, language),
      id: Number(user.id),
      user_no: user.user_no,
      birthday: user.birthday ?? "",
      birth_year: user.birthday === null ? null : Number(user.birthday.slice(0, 4)),
      country: countryById(user.country_id)?.code ?? "",
      credit5: Number(beans),
      role: user.role,
      language: user.language,
      accountType: identity.login_type as LoginType,
      createTime: user.created_at.toISOString(),
      loginTime: user.last_login_at.toISOString(),
      externalId: user.external_id,
      loginIp: user.last_login_ip,
      imei: user.device_id,
      thirdPartyId: identity.third_party_id,
      profile_complete: user.sex !== 0 && user.birthday !== null,
      age_try_again: tryAgainOn,
      tencent_sign: sessions.chatSign(user.external_id, session.id),
    };
  }

  /**
   * Stores birthday or gender, each once and for good.
   *
   * @throws CallError 400 for a date that is none; 403 `already_set`, or `under_age` with the day to try again.
   */
  async update(session: LiveSession, input: ParsedInputOf<Endpoints["userUpdate"]>): Promise<void> {
    const { db, sessions } = this.#options;
    const given = this.#ageGate.parse(input);
    // The refusal is an outcome of the transaction, not an error in it: its row has to be kept.
    const tryAgainOn = await db.transaction().execute(async (trx) => {
      const user = await store.lockedUser(trx, session.userId);
      const identities = await store.identitiesOf(trx, session.userId);
      const refused = await this.#ageGate.refuse(trx, { user, identities, given });
      if (refused !== null) return refused;
      await store.setBirthdayAndSex(trx, session.userId, given);
      return null;
    });
    if (tryAgainOn !== null) throw forbidden("under_age", { try_again_on: tryAgainOn });
    this.#facts.delete(session.userId);
    sessions.refresh(session.userId);
  }

  /**
   * Another person's card.
   *
   * @throws CallError 403 `not_met`, also for people who do not exist: numbers cannot be probed.
   */
  async card(session: LiveSession, otherId: bigint, language: string): Promise<OutputOf<Endpoints["userInfo"]>> {
    await this.#requireMet(session.userId, otherId);
    const user = await store.userById(this.#options.db, otherId);
    if (!user) throw forbidden("not_met");
    return {
      ...publicFacts(user, language),
      user_no: user.user_no,
      externalId: user.external_id,
      followStatus: 0,
      likeStatus: 0,
    };
  }

  /**
   * User id behind a chat id.
   *
   * @throws CallError 403 `not_met`
   */
  async userIdOf(session: LiveSession, externalId: string): Promise<bigint> {
    const userId = await store.userIdByExternalId(this.#options.db, externalId);
    if (userId === null) throw forbidden("not_met");
    await this.#requireMet(session.userId, userId);
    return userId;
  }

  /** Remembers the filters a person chose, so that they follow them to another browser. */
  async saveWish(session: LiveSession, wish: { sex: 0 | 1 | 2; country: number }): Promise<void> {
    if (wish.country > 0 && !countryById(wish.country)) throw badInput("unknown country", "country");
    const { db, clock } = this.#options;
    await store.saveWish(db, session.userId, { ...wish, at: new Date(clock.nowMs()) });
  }

  /** All that the other side of a call sees of a person, but for the price. */
  async remoteUser(userId: bigint, language: string): Promise<Omit<RemoteUser, "price">> {
    const user = await this.#known(userId);
    return { ...publicFacts(user, language), external_id: user.external_id };
  }

  async matchFacts(userId: bigint): Promise<MatchFacts> {
    const user = await this.#known(userId);
    return {
      sex: user.sex === 2 ? 2 : 1,
      countryId: user.country_id,
      zone: countryById(user.country_id)?.zone ?? 0,
      complete: user.sex !== 0 && user.birthday !== null,
    };
  }

  async #known(userId: bigint): Promise<store.UserRow> {
    const now = this.#options.clock.nowMs();
    const known = this.#facts.get(userId);
    if (known && known.until > now) return known.user;
    const user = await store.userById(this.#options.db, userId);
    if (!user) throw noSession("deleted");
    this.#facts.set(userId, { user, until: now + factsKeptMs });
    return user;
  }

  async #requireMet(userId: bigint, otherId: bigint): Promise<void> {
    if (userId === otherId) return;
    const { db, clock } = this.#options;
    const since = new Date(clock.nowMs() - metWithinMs);
    if (!(await store.haveMet(db, { one: userId, other: otherId, since }))) throw forbidden("not_met");
  }
}

/** What everybody who meets a person may see; every other field is named where it is given out (rule PRIV-1). */
function publicFacts(user: store.UserRow, language: string) {
  return {
    user_id: Number(user.id),
    nickname: user.nickname,
    avatar: avatarAddress(user.avatar_key),
    sex: user.sex as Sex,
    country_id: user.country_id,
    country_name: countryName(user.country_id, language),
    country_flag: flagAddress(user.country_id),
  };
}
