import type { RecentPartner } from "#ports/peers.ts";
import { MatcherPeople, partnerGapMaxMs } from "./matcher-records.ts";

/**
 * Recent partners and separations, for a matcher that starts: the last eight of each user, in milliseconds on the
 * timeline of searches.
 */
export class PartnerMemory {
  readonly #people: MatcherPeople;

  constructor(peopleMax: number) {
    // At least two, so that the two users of a pair never evict each other.
    this.#people = new MatcherPeople(Math.max(2, peopleMax));
  }

  met(one: bigint, other: bigint, nowMs: number): void {
    this.#remember(one, other, nowMs);
  }

  /** Replaces a meeting of the two: users who never saw each other have not met. */
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

  /** The user remembered last is evicted last. */
  #obtain(userId: bigint): number {
    const person = this.#people.obtain(userId);
    this.#people.leaveIdle(person);
    this.#people.enterIdle(person);
    return person;
  }
}
