import type { MatchFilters } from "@fava/wire/beans.ts";
import { codes } from "@fava/wire/codes.ts";
import type { RemoteUser } from "@fava/wire/people.ts";
import type { Talk } from "@fava/wire/talk.ts";
import { badInput, EndpointError, forbidden } from "#lib/errors.ts";
import { speakerOf } from "#lib/speaker.ts";
import { wireInteger } from "#lib/wire-integer.ts";
import type { AvailableBalances } from "#ports/billing.ts";
import type { Clock } from "#ports/clock.ts";
import { type AccountRestrictions, untilDecidedMs } from "#ports/moderation.ts";
import { requireNotLeftOut } from "#people/talk-service.ts";
import type { RingSearch } from "#ports/peers.ts";
import type { Settings } from "#ports/settings.ts";
import type { Matched, MatchRestrictions } from "./live-room.ts";

/** What the matcher needs to know of a person; `sex` means something only where `complete`. */
export interface MatchFacts {
  readonly sex: 1 | 2;
  readonly countryId: number;
  readonly zone: number;
  /** Birthday and gender are stored. */
  readonly complete: boolean;
  /** What they say of themself to be brought together with people they can talk to. */
  readonly talk?: Talk;
  /** Countries whose people they do not meet, by id. */
  readonly leavesOut?: readonly number[];
}

/** Who people are; the profile service answers from its cache while they search. */
export interface MatchPeople {
  matchFacts(userId: bigint): Promise<MatchFacts>;
  /** What a stranger sees of a person, in the language of that stranger: with what the two share where it is said who they are. */
  remoteUser(userId: bigint, language: string, viewerId?: bigint): Promise<Omit<RemoteUser, "price">>;
}

/** Who must never meet. The answers come from memory; whoever searches is prepared first. */
export interface MatchExclusions {
  /** @throws EndpointError 429 where nothing more fits. */
  prepare(userId: bigint): Promise<void>;
  /** True from `prepare` to the end of the person's chat session. */
  isPrepared(userId: bigint): boolean;
  isExcluded(one: bigint, other: bigint): boolean;
}

/** Who wants to meet whom again. */
export interface RematchRequests {
  /** Whether both said so, and may. */
  bothRequested(one: bigint, other: bigint): Promise<boolean>;
  /** The two have met again. */
  markFulfilled(one: bigint, other: bigint): Promise<void>;
}

/** Who may be matched at present. */
export interface MatchGate {
  /** Answers from memory after the first time. */
  restrictionsOf(userId: bigint): Promise<MatchRestrictions>;
}

/** What a person asks for by pressing start. */
export interface SearchRequest {
  readonly userId: bigint;
  /** Interface language, in which the other's country is named. */
  readonly language: string;
  readonly filters: MatchFilters;
  /** Description prepared in advance; used for one match at most. */
  readonly offer: string | null;
  /** Only renews a search that goes on. */
  readonly refresh?: boolean;
  /** Waits for this one person, and for nobody else. */
  readonly withUserId?: bigint | undefined;
  /** Of whoever waits for one person: the ring that one of them accepted; undefined where they want to meet again. */
  readonly ring?: RingSearch | undefined;
  /** Room of the newest match that the page has heard of; undefined where it does not say. */
  readonly knownRoomId?: string | undefined;
  /** The page has told the person that pictures are looked at while they search: they may be asked for. */
  readonly checks?: boolean;
  /** Names the press of Start, for traces; undefined where the page does not. It goes wherever the search goes. */
  readonly traceparent?: string | undefined;
}

/**
 * One person's search.
 *
 * - `waiting`: the matcher knows of it.
 * - `settling`: a pair was found, and what the room needs is being read.
 * - `away`: the socket is lost; the place is kept until its owner is back.
 * - `retrying`: the room could not be made; it goes back to the matcher later.
 * - `moving`: its page was asked to move to the server of a partner.
 */
export interface Search extends SearchRequest {
  readonly facts: MatchFacts;
  /** Beans a minute. */
  readonly price: number;
  /** The place in the queue, milliseconds since the epoch. */
  readonly sinceMs: number;
  /** When the person began to wait with these filters, on the same time line; undefined: how long it takes counts for nothing. */
  readonly waitSinceMs?: number | undefined;
  /** Matches in a row of which the browser took no notice. */
  readonly missed: number;
  readonly phase: "waiting" | "settling" | "away" | "retrying" | "moving";
}

/** A search before the pool has it. */
export type NewSearch = Omit<Search, "phase">;

/** The search of somebody who waits for one person only, because both want to meet again. */
export type RematchSearch<Kind extends NewSearch = Search> = Kind & { readonly withUserId: bigint };

export function isRematch<Kind extends NewSearch>(search: Kind): search is RematchSearch<Kind> {
  return search.withUserId !== undefined;
}

interface EligibilityOptions {
  people: MatchPeople;
  gate: MatchGate;
  exclusions: MatchExclusions;
  rematchRequests: RematchRequests;
  availableBalances: AvailableBalances;
  settings: Pick<Settings, "selectableCountryIds">;
  clock: Clock;
}

/**
 * Says who may be matched, at the press of Start and again when a pair is found: by where a person stands (one row, read
 * once a press and remembered), by their beans, and by whom they must not meet (in memory).
 */
export class MatchEligibility implements RematchRequests {
  readonly #options: EligibilityOptions;

  constructor(options: EligibilityOptions) {
    this.#options = options;
  }

  /**
   * Nobody is matched before a person has looked at what was reported.
   *
   * @throws EndpointError 403 `paused` with `until`.
   */
  async requireNoPause(userId: bigint): Promise<void> {
    const until = await this.#pauseOf(userId);
    if (until !== undefined) throw forbidden("paused", { until });
  }

  /** @throws EndpointError 400 for a country that cannot be chosen. */
  requireSelectable({ country }: MatchFilters): void {
    if (country > 0 && !this.#options.settings.selectableCountryIds.includes(country))
      throw badInput("country cannot be chosen", "country");
  }

  /**
   * Who the person is, once they may search with these filters and whom they must not meet is known.
   *
   * @throws EndpointError 400 for a country that is left out; 402 `{need, have, limit}`; 403 `profile_incomplete`; 429.
   */
  async requireSearch(userId: bigint, filters: MatchFilters, price: number): Promise<MatchFacts> {
    const { people, exclusions } = this.#options;
    const [facts] = await Promise.all([people.matchFacts(userId), exclusions.prepare(userId)]);
    if (!facts.complete) throw forbidden("profile_incomplete");
    requireNotLeftOut(filters, facts);
    if (price > 0) await this.#requireBeans(userId, price);
    return facts;
  }

  /**
   * Who the person is, once both want to meet again, and may.
   *
   * @throws EndpointError 403 `not_met`.
   */
  async requireRematch(userId: bigint, otherId: bigint): Promise<MatchFacts> {
    const [facts, areBoth] = await Promise.all([
      this.#options.people.matchFacts(userId),
      this.bothRequested(userId, otherId),
    ]);
    if (!areBoth) throw forbidden("not_met");
    return facts;
  }

  /** Somebody who is not matched at present meets nobody again either. */
  async bothRequested(one: bigint, other: bigint): Promise<boolean> {
    for (const userId of [one, other]) if ((await this.#pauseOf(userId)) !== undefined) return false;
    return this.#options.rematchRequests.bothRequested(one, other);
  }

  markFulfilled(one: bigint, other: bigint): Promise<void> {
    return this.#options.rematchRequests.markFulfilled(one, other);
  }

  /** Resolves when it is known whom the person must not meet; 429 where nothing more fits. */
  prepare(userId: bigint): Promise<void> {
    return this.#options.exclusions.prepare(userId);
  }

  /** Also false where another chat session took the place of the one that was prepared. */
  isPrepared(userId: bigint): boolean {
    return this.#options.exclusions.isPrepared(userId);
  }

  mayMeet(one: bigint, other: bigint): boolean {
    return !this.#options.exclusions.isExcluded(one, other);
  }

  /** Reads what the room of a pair needs, and asks again whether a paid filter can be paid. */
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
    if (have < BigInt(price)) return { search, matched: null, why: "beans" };
    const isEnough = have >= 2n * BigInt(price) ? 1 : 0;
    const speaker = speakerOf({ countryId: facts.countryId, language, talk: facts.talk?.languages ?? [] });
    return { search, matched: { userId, card, price, isEnough, sinceMs, restrictions, speaker, traceparent } };
  }

  /** Until when they are paused; null: until a person has decided; undefined: they are not. */
  async #pauseOf(userId: bigint): Promise<number | null | undefined> {
    const { gate, clock } = this.#options;
    const restrictions = await gate.restrictionsOf(userId);
    return isPaused(restrictions, clock.nowMs()) ? pauseEnd(restrictions) : undefined;
  }

  /** @throws EndpointError 402 `{need, have, limit}` where the first minute cannot be paid. */
  async #requireBeans(userId: bigint, need: number): Promise<void> {
    const { have, limit } = await this.#options.availableBalances.spendable(userId);
    if (have < BigInt(need))
      throw new EndpointError(codes.notEnoughBeans, "not enough beans", { need, have: wireInteger(have), limit });
  }
}

/** One side of a found pair: ready for its room, without the beans for its filters, or not to be matched at present. */
export type Settled =
  | { readonly search: Search; readonly matched: Matched; readonly why?: never }
  | { readonly search: Search; readonly matched: null; readonly why: "beans" }
  | { readonly search: Search; readonly matched: null; readonly why: "paused"; readonly until: number | null };

export interface SettledPair {
  readonly longer: Settled;
  readonly newer: Settled;
  /** False where the two waited for each other alone, and one of them does not want it any more, or may not. */
  readonly isWanted: boolean;
}

function isPaused({ pausedUntil }: Pick<AccountRestrictions, "pausedUntil">, nowMs: number): boolean {
  return pausedUntil !== null && pausedUntil > nowMs;
}

/** Until when somebody is paused at the latest, milliseconds since the epoch; null: until a person has decided. */
function pauseEnd({ pausedUntil }: Pick<AccountRestrictions, "pausedUntil">): number | null {
  return pausedUntil === untilDecidedMs ? null : pausedUntil;
}
