import type { RecentPartner } from "#ports/peers.ts";
import { MatcherPeople, partnerGapMaxMs } from "./matcher-records.ts";

/**
 * Recent partners and separations, for a matcher that starts on this server: the last eight of each user. Times are on
 * the timeline of searches, in milliseconds.
 */
export class PartnerMemory {
  readonly #people: MatcherPeople;

  constructor(peopleMax: number) {
    // At least two, so that the users of one pair do not evict each other.
    this.#people = new MatcherPeople(Math.max(2, peopleMax));
  }

  met(one: bigint, other: bigint, nowMs: number): void {
    this.#remember(one, other, nowMs);
  }

  /** Separates the two and removes their meeting, since users whose connection failed have not met. */
  keepApart(one: bigint, other: bigint, untilMs: number): void {
    this.#remember(one, other, -untilMs);
  }

  /** The user's entries that have not expired. */
  of(userId: bigint, nowMs: number): RecentPartner[] {
    const person = this.#people.find(userId);
    if (person === 0) return [];
    return [...this.#people.partners.all(person)]
      .filter(({ moment }) => (moment < 0 ? nowMs < -moment : nowMs - moment < partnerGapMaxMs))
      .map(({ partnerId, moment }) => ({ userId: BigInt(partnerId), moment }));
  }

  #remember(one: bigint, other: bigint, moment: number): void {
    this.#people.partners.learn(this.#obtain(one), Number(other), moment);
    this.#people.partners.learn(this.#obtain(other), Number(one), moment);
  }

  /** Obtaining a record makes its user the last to be evicted. */
  #obtain(userId: bigint): number {
    const person = this.#people.obtain(userId);
    this.#people.leaveIdle(person);
    this.#people.enterIdle(person);
    return person;
  }
}
