import type { RecentPartner } from "#ports/peers.ts";
import { MatcherPeople, partnerGapMaxMs } from "./matcher-records.ts";

/**
 * Whom the people of a process have met lately, and from whom they are kept apart: what a matcher that begins is told of
 * them. As the matcher remembers it: the last eight partners of each, and as many people as fit. Times are milliseconds on
 * the time line of searches.
 */
export class PartnerMemory {
  readonly #people: MatcherPeople;

  constructor(peopleMax: number) {
    // Two at least, so that a pair never pushes one another out.
    this.#people = new MatcherPeople(Math.max(2, peopleMax));
  }

  met(one: bigint, other: bigint, nowMs: number): void {
    this.#remember(one, other, nowMs);
  }

  /** Replaces a meeting of the two: who never saw each other has not met. */
  keepApart(one: bigint, other: bigint, untilMs: number): void {
    this.#remember(one, other, -untilMs);
  }

  /** Of one person, what still means something. */
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

  /** Whoever was remembered last is forgotten last. */
  #obtain(userId: bigint): number {
    const person = this.#people.obtain(userId);
    this.#people.leaveIdle(person);
    this.#people.enterIdle(person);
    return person;
  }
}
