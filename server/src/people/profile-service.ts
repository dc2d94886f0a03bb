import type { Kysely, Transaction } from "kysely";
import type { CalendarDay } from "@fava/wire/age.ts";
import { countryById } from "@fava/wire/countries.ts";
import type { OutputOf, ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import type { AskedTextPlace } from "@fava/wire/endpoints/text-questions.ts";
import type { LoginType, OwnUser, RemoteUser, Sex } from "@fava/wire/people.ts";
import type { MatchFacts } from "#calls/match-service.ts";
import type { Database } from "#db/schema.ts";
import { avatarAddress } from "#lib/avatar-address.ts";
import { countryName } from "#lib/country-name.ts";
import { badInput, forbidden, noSession } from "#lib/errors.ts";
import type { ServerSecret } from "#lib/server-secret.ts";
import type { Balances } from "#ports/billing.ts";
import type { Clock } from "#ports/clock.ts";
import type { Directory, Messaging } from "#ports/directory.ts";
import type { LiveSession } from "#ports/handlers.ts";
import type { Settings } from "#ports/settings.ts";
import type { TextRules } from "#ports/text-rules.ts";
import { AgeGate, type GivenFacts } from "./age-gate.ts";
import { flagAddress } from "./country-service.ts";
import type { ImageService } from "./image-service.ts";
import { changedColumns, nicknameNext, type ProfileEdits, readEdits, requireTexts } from "./profile-edits.ts";
import { AgeRefusals } from "./profile-store.ts";
import * as store from "./profile-store.ts";
import { ringMutedUntil } from "./ring-store.ts";
import type { SessionService } from "./session-service.ts";
import { type KnownPerson, knownPerson, type StandingService } from "./standing-service.ts";
import { excludedCountriesOf, requireNotExcluded, sharedTags } from "./talk-service.ts";
import { answerTo } from "./text-question-store.ts";

export interface ProfileServiceOptions {
  db: Kysely<Database>;
  clock: Clock;
  standings: StandingService;
  sessions: SessionService;
  balances: Balances;
  directory: Pick<Directory, "cards" | "isKnown" | "byExternalId">;
  messaging: Messaging;
  texts: Pick<TextRules, "require">;
  images: ProfileImages;
  settings: Pick<Settings, "excludedCountriesMax">;
  serverSecret: ServerSecret;
}

export interface ProfileImages {
  proposeAvatar: ImageService["proposeAvatar"];
  photosOf: ImageService["photosOf"];
  bytes: Pick<ImageService["bytes"], "clear">;
}

export class ProfileService {
  readonly #options: ProfileServiceOptions;
  readonly #ageRefusals: AgeRefusals;
  readonly #ageGate: AgeGate;

  constructor(options: ProfileServiceOptions) {
    this.#options = options;
    this.#ageRefusals = new AgeRefusals(options.serverSecret);
    this.#ageGate = new AgeGate(options.clock, this.#ageRefusals);
  }

  /** The user's own profile, with a new chat signature. */
  async mine(session: LiveSession, language: string): Promise<OwnUser> {
    const { db, balances, clock, sessions } = this.#options;
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
      about: user.about,
      location: user.location,
      nickname_next: nicknameNext(user, clock.nowMs()),
      searchable: user.searchable ? 1 : 0,
      ringable: user.ringable ? 1 : 0,
    };
  }

  /** Removes a refusal for age, for example after a mistyped birthday. */
  async liftAgeRefusal(trx: Transaction<Database>, userId: bigint): Promise<void> {
    await this.#ageRefusals.remove(trx, await store.identitiesOf(trx, userId));
  }

  /**
   * Changes the profile completely or not at all. Birthday and gender can be set once.
   * @throws EndpointError 400 for an invalid date, nothing to store, an empty text, an unknown upload; 403
   * `already_set`, or `under_age` with the day to try again; 406 `personal_data`, `nickname_too_soon`.
   */
  async update(session: LiveSession, input: ParsedInputOf<Endpoints["userUpdate"]>): Promise<void> {
    const { db, images, sessions, texts, serverSecret } = this.#options;
    const edits = readEdits(input);
    const hasFacts = input.birthday !== undefined || input.birth_year !== undefined || input.sex !== undefined;
    const given = hasFacts || Object.keys(edits).length === 0 ? this.#ageGate.parse(input) : null;
    const before = await store.userById(db, session.userId);
    if (!before) throw noSession("deleted");
    // Before the transaction, so that a refused text is recorded although the change is rolled back.
    const isAccepted = async (place: AskedTextPlace, text: string) =>
      (await answerTo(db, serverSecret, { userId: session.userId, place, text })) === "accepted";
    await requireTexts({ texts, isAccepted }, before, edits);
    // Returned, not thrown, so that the transaction commits the row of the refusal.
    const tryAgainOn = await db.transaction().execute(async (trx) => {
      const user = await store.lockedUser(trx, session.userId);
      const refused = given && (await this.#setFacts(trx, user, given));
      if (refused === null) await this.#edit(trx, user, edits);
      return refused;
    });
    if (tryAgainOn !== null) throw forbidden("under_age", { try_again_on: tryAgainOn });
    if (edits.avatar !== undefined) await images.bytes.clear(session.userId);
    this.forget(session.userId);
    sessions.refresh(session.userId);
  }

  /**
   * A user's card as strangers see it.
   * @throws EndpointError 403 `not_met`, also for unknown ids, so that nobody can probe ids.
   */
  async card(session: LiveSession, otherId: bigint, language: string): Promise<OutputOf<Endpoints["userInfo"]>> {
    const { db, directory, images, messaging } = this.#options;
    const { userId } = session;
    if (!(await directory.isKnown(userId, otherId))) throw forbidden("not_met");
    const [people, user, viewer, photos, canMessage, ringMuted] = await Promise.all([
      directory.cards(userId, [otherId], language),
      knownPerson(db, otherId),
      this.#known(userId),
      images.photosOf(otherId),
      userId === otherId ? ("no" as const) : messaging.canMessage(userId, otherId),
      ringMutedUntil(db, { userId, otherId, now: new Date(this.#options.clock.nowMs()) }),
    ]);
    const person = people.get(otherId);
    if (!person || !user) throw forbidden("not_met");
    const shared = userId === otherId ? undefined : sharedTags(viewer.talk, user.talk);
    return {
      ...person,
      user_no: user.user_no,
      about: user.about,
      location: user.location,
      photos,
      can_message: canMessage,
      official: user.official ? 1 : 0,
      ...(shared && { shared }),
      ...(ringMuted && { ring_muted_until: ringMuted.getTime() }),
    };
  }

  /** @throws EndpointError 403 `not_met` for a user whom this one may not know of. */
  async userIdOf(session: LiveSession, externalId: string): Promise<bigint> {
    const { directory } = this.#options;
    const found = await directory.byExternalId(externalId);
    if (!found || !(await directory.isKnown(session.userId, found.userId))) throw forbidden("not_met");
    return found.userId;
  }

  /**
   * Stores the filters, so that the user finds them in other browsers.
   * @throws EndpointError 400 for an unknown country or one that the user leaves out.
   */
  async saveFilters(session: LiveSession, filters: { sex: 0 | 1 | 2; country: number }): Promise<void> {
    if (filters.country > 0 && !countryById(filters.country)) throw badInput("unknown country", "country");
    requireNotExcluded(filters, await this.matchFacts(session.userId));
    const { db, clock } = this.#options;
    await store.storeMatchFilters(db, session.userId, { ...filters, at: new Date(clock.nowMs()) });
  }

  async remoteUser(userId: bigint, language: string, viewerId?: bigint): Promise<Omit<RemoteUser, "price">> {
    const [user, viewer] = await Promise.all([
      this.#known(userId),
      viewerId === undefined ? null : this.#known(viewerId),
    ]);
    const shared = viewer ? sharedTags(viewer.talk, user.talk) : undefined;
    return { ...publicFacts(user, language), external_id: user.external_id, ...(shared && { shared }) };
  }

  async matchFacts(userId: bigint): Promise<MatchFacts> {
    const user = await this.#known(userId);
    return {
      sex: user.sex === 2 ? 2 : 1,
      countryId: user.country_id,
      zone: countryById(user.country_id)?.zone ?? 0,
      complete: user.sex !== 0 && user.birthday !== null,
      talk: user.talk,
      leavesOut: excludedCountriesOf(user, this.#options.settings),
    };
  }

  forget(userId: bigint): void {
    this.#options.standings.forget(userId);
  }

  async #known(userId: bigint): Promise<KnownPerson> {
    const { person } = await this.#options.standings.of(userId);
    if (!person) throw noSession("deleted");
    return person;
  }

  async #setFacts(trx: Transaction<Database>, user: store.ProfileRow, given: GivenFacts): Promise<CalendarDay | null> {
    const identities = await store.identitiesOf(trx, user.id);
    const refused = await this.#ageGate.refuse(trx, { user, identities, given });
    if (refused === null) await store.setColumns(trx, user.id, given);
    return refused;
  }

  async #edit(trx: Transaction<Database>, user: store.ProfileRow, edits: ProfileEdits): Promise<void> {
    const columns = changedColumns(user, edits, this.#options.clock.nowMs());
    if (Object.keys(columns).length > 0) await store.setColumns(trx, user.id, columns);
    if (edits.avatar !== undefined) await this.#options.images.proposeAvatar(trx, user.id, edits.avatar);
  }
}

/** What every partner may see. Code that sends more names each further field (rule PRIV-1). */
function publicFacts(
  user: Pick<KnownPerson, "id" | "nickname" | "avatar_key" | "sex" | "country_id">,
  language: string,
) {
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
