import type { MatchFilters } from "@fava/wire/beans.ts";
import { codes } from "@fava/wire/codes.ts";
import type { RemoteUser } from "@fava/wire/people.ts";
import type { Talk } from "@fava/wire/talk.ts";
import { badInput, EndpointError, forbidden } from "#lib/errors.ts";
import { userLocaleOf } from "#lib/user-locale.ts";
import { wireInteger } from "#lib/wire-integer.ts";
import type { AvailableBalances } from "#ports/billing.ts";
import type { Clock } from "#ports/clock.ts";
import { type AccountRestrictions, untilDecidedMs } from "#ports/moderation.ts";
import { requireNotExcluded } from "#people/talk-service.ts";
import type { RingSearch } from "#ports/peers.ts";
import type { Settings } from "#ports/settings.ts";
import type { Matched, MatchRestrictions } from "./live-room.ts";

/** What the matcher needs to know of a user. Only if `complete` is `sex` valid. */
export interface MatchFacts {
  readonly sex: 1 | 2;
  readonly countryId: number;
  readonly zone: number;
  readonly complete: boolean;
  /** Languages and interests that the user chose, by which the matcher prefers partners. */
  readonly talk?: Talk;
  /** Ids of countries whose users this user never meets. */
  readonly leavesOut?: readonly number[];
}

export interface MatchPeople {
  matchFacts(userId: bigint): Promise<MatchFacts>;
  /** What a partner sees of a user, in the partner's language. With `viewerId` also what the two have in common. */
  remoteUser(userId: bigint, language: string, viewerId?: bigint): Promise<Omit<RemoteUser, "price">>;
}

/** Pairs that must never meet. Answers come from memory, so `prepare` must precede each search. */
export interface MatchExclusions {
  /** @throws EndpointError 429 if memory is full. */
  prepare(userId: bigint): Promise<void>;
  /** True from `prepare` until the user's chat session ends. */
  isPrepared(userId: bigint): boolean;
  isExcluded(one: bigint, other: bigint): boolean;
}

export interface RematchRequests {
  /** Whether both users requested a rematch and may meet. */
  bothRequested(one: bigint, other: bigint): Promise<boolean>;
  markFulfilled(one: bigint, other: bigint): Promise<void>;
}

export interface MatchGate {
  /** Cached after the first request. */
  restrictionsOf(userId: bigint): Promise<MatchRestrictions>;
}

export interface MatchAges {
  /** @throws EndpointError 403 `age_check` if the user must pass an age check first. */
  require(userId: bigint): Promise<void>;
}

export interface SearchRequest {
  readonly userId: bigint;
  /** The user's interface language, in which the user sees the partner's country. */
  readonly language: string;
  readonly filters: MatchFilters;
  /** A connection offer that the page prepared. It serves at most one match. */
  readonly offer: string | null;
  /** True: continue a running search, but start none. */
  readonly refresh?: boolean;
  readonly withUserId?: bigint | undefined;
  /** For a search with `withUserId`: the ring that led to it; undefined if it is a rematch. */
  readonly ring?: RingSearch | undefined;
  /** The newest match's room that the page knows; undefined if the page does not send it. */
  readonly knownRoomId?: string | undefined;
  /** True if the page has told the user that frames are inspected during a search, which the server requires. */
  readonly checks?: boolean;
  readonly traceparent?: string | undefined;
}

/**
 * One user's search.
 * - `waiting`: the matcher has the search.
 * - `settling`: a pair was found, and the server reads what the room needs.
 * - `away`: the socket is lost; the user keeps the place in the queue until they are back.
 * - `retrying`: the room could not be created; the search returns to the matcher later.
 * - `moving`: the server asked the page to move to the server of a partner.
 */
export interface Search extends SearchRequest {
  readonly facts: MatchFacts;
  /** Price in beans per minute. */
  readonly price: number;
  /** Place in the queue: when the search began, in milliseconds since the epoch. */
  readonly sinceMs: number;
  /** Since when the user waits with these filters, likewise; undefined if the wait is not measured. */
  readonly waitSinceMs?: number | undefined;
  /** How many matches in a row the user's page ignored. */
  readonly missed: number;
  readonly phase: "waiting" | "settling" | "away" | "retrying" | "moving";
}

export type NewSearch = Omit<Search, "phase">;

/** A search for one specific user, after an accepted ring or because both want to meet again. */
export type RematchSearch<Kind extends NewSearch = Search> = Kind & { readonly withUserId: bigint };

export function isRematch<Kind extends NewSearch>(search: Kind): search is RematchSearch<Kind> {
  return search.withUserId !== undefined;
}

interface EligibilityOptions {
  people: MatchPeople;
  gate: MatchGate;
  ages: MatchAges;
  exclusions: MatchExclusions;
  rematchRequests: RematchRequests;
  availableBalances: AvailableBalances;
  settings: Pick<Settings, "selectableCountryIds">;
  clock: Clock;
}

/** Decides who may be matched: when a user presses Start, and again when a pair is found. */
export class MatchEligibility implements RematchRequests {
  readonly #options: EligibilityOptions;

  constructor(options: EligibilityOptions) {
    this.#options = options;
  }

  /**
   * @throws EndpointError 403 `paused` while matching is paused for the user; `until` null: until a moderator decides. 403
   * `age_check` if the user must pass an age check first.
   */
  async requireStanding(userId: bigint): Promise<void> {
    const { gate, ages, clock } = this.#options;
    const restrictions = await gate.restrictionsOf(userId);
    if (isPaused(restrictions, clock.nowMs())) throw forbidden("paused", { until: pauseEnd(restrictions) });
    await ages.require(userId);
  }

  requireSelectable({ country }: MatchFilters): void {
    if (country > 0 && !this.#options.settings.selectableCountryIds.includes(country))
      throw badInput("country cannot be chosen", "country");
  }

  /**
   * Facts about the user, once they may search with these filters and their exclusions are in memory.
   * @throws EndpointError 400 for an excluded country; 402 `{need, have, limit}`; 403 `profile_incomplete`; 429.
   */
  async requireSearch(userId: bigint, filters: MatchFilters, price: number): Promise<MatchFacts> {
    const { people, exclusions } = this.#options;
    const [facts] = await Promise.all([people.matchFacts(userId), exclusions.prepare(userId)]);
    if (!facts.complete) throw forbidden("profile_incomplete");
    requireNotExcluded(filters, facts);
    if (price > 0) await this.#requireBeans(userId, price);
    return facts;
  }

  /** @throws EndpointError 403 `not_met` unless both users want to meet again and may. */
  async requireRematch(userId: bigint, otherId: bigint): Promise<MatchFacts> {
    const [facts, areBoth] = await Promise.all([
      this.#options.people.matchFacts(userId),
      this.bothRequested(userId, otherId),
    ]);
    if (!areBoth) throw forbidden("not_met");
    return facts;
  }

  /** Neither user may be paused or need an age check: both also stop rematches. */
  async bothRequested(one: bigint, other: bigint): Promise<boolean> {
    const { gate, clock } = this.#options;
    for (const userId of [one, other]) {
      const restrictions = await gate.restrictionsOf(userId);
      if (isPaused(restrictions, clock.nowMs()) || restrictions.ageGate !== null) return false;
    }
    return this.#options.rematchRequests.bothRequested(one, other);
  }

  markFulfilled(one: bigint, other: bigint): Promise<void> {
    return this.#options.rematchRequests.markFulfilled(one, other);
  }

  /** @throws EndpointError 429 if memory is full. */
  prepare(userId: bigint): Promise<void> {
    return this.#options.exclusions.prepare(userId);
  }

  /** Also false if a new chat session has replaced the one for which exclusions were loaded. */
  isPrepared(userId: bigint): boolean {
    return this.#options.exclusions.isPrepared(userId);
  }

  mayMeet(one: bigint, other: bigint): boolean {
    return !this.#options.exclusions.isExcluded(one, other);
  }

  /** Reads what the room of a pair needs. Checks again whether each user can pay for a paid filter. */
  async settle({ longer, newer }: { longer: Search; newer: Search }): Promise<SettledPair> {
    const [settledLonger, settledNewer, isWanted] = await Promise.all([
      this.#settleOne(longer, newer),
      this.#settleOne(newer, longer),
      !isRematch(longer) || this.bothRequested(longer.userId, newer.userId),
    ]);
    return { longer: settledLonger, newer: settledNewer, isWanted };
  }

  async #settleOne(search: Search, other: Search): Promise<Settled> {
    const { people, availableBalances, gate, clock } = this.#options;
    const { userId, price, sinceMs, traceparent, facts, language } = search;
    const [card, { have }, restrictions] = await Promise.all([
      people.remoteUser(userId, other.language, other.userId),
      price === 0 ? { have: 0n } : availableBalances.spendable(userId),
      gate.restrictionsOf(userId),
    ]);
    if (isPaused(restrictions, clock.nowMs()))
      return { search, matched: null, why: "paused", until: pauseEnd(restrictions) };
    if (restrictions.ageGate !== null) return { search, matched: null, why: "age_check" };
    if (have < BigInt(price)) return { search, matched: null, why: "beans" };
    const isEnough = have >= 2n * BigInt(price) ? 1 : 0;
    const locale = userLocaleOf({ countryId: facts.countryId, language, talk: facts.talk?.languages ?? [] });
    return { search, matched: { userId, card, price, isEnough, sinceMs, restrictions, locale, traceparent } };
  }

  /** @throws EndpointError 402 `{need, have, limit}` if the user cannot pay for the first minute. */
  async #requireBeans(userId: bigint, need: number): Promise<void> {
    const { have, limit } = await this.#options.availableBalances.spendable(userId);
    if (have < BigInt(need))
      throw new EndpointError(codes.notEnoughBeans, "not enough beans", { need, have: wireInteger(have), limit });
  }
}

export type Settled =
  | { readonly search: Search; readonly matched: Matched; readonly why?: never }
  | { readonly search: Search; readonly matched: null; readonly why: "beans" }
  | { readonly search: Search; readonly matched: null; readonly why: "age_check" }
  | { readonly search: Search; readonly matched: null; readonly why: "paused"; readonly until: number | null };

export interface SettledPair {
  readonly longer: Settled;
  readonly newer: Settled;
  /** False if the two were to meet again, and one of them no longer wants to or may not. */
  readonly isWanted: boolean;
}

function isPaused({ pausedUntil }: Pick<AccountRestrictions, "pausedUntil">, nowMs: number): boolean {
  return pausedUntil !== null && pausedUntil > nowMs;
}

function pauseEnd({ pausedUntil }: Pick<AccountRestrictions, "pausedUntil">): number | null {
  return pausedUntil === untilDecidedMs ? null : pausedUntil;
}
