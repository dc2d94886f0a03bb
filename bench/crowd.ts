import type { Random } from "@fava/server/ports/random.ts";
import { Matcher, type Seeker } from "@fava/server/calls/matcher.ts";
import type { Population } from "./population.ts";

/** Mean time before a user gives up; with the size of the pool it sets the rate of requests. */
const patienceMs = 30_000;
const sweepEveryMs = 10;

/** A matcher on a virtual clock: users press start at a rate that fits the size of the pool, are swept, and give up. */
export class Crowd {
  readonly matcher: Matcher;
  readonly #population: Population;
  readonly #random: Random;
  readonly #target: number;
  readonly #stepMs: number;
  readonly #waiting: Int32Array;
  /** The index of a person in `#waiting`, plus one; 0 if the person does not wait. */
  readonly #places: Int32Array;
  #count = 0;
  #nowMs = 1_700_000_000_000;
  #sweptMs = 0;

  constructor(population: Population, options: { waiting: number; random: Random }) {
    this.#population = population;
    this.#random = options.random;
    this.#target = options.waiting;
    this.#stepMs = patienceMs / options.waiting;
    this.#waiting = new Int32Array(options.waiting + 1);
    this.#places = new Int32Array(population.size);
    const capacityMax = options.waiting + 1;
    this.matcher = new Matcher({ capacityMax, isExcluded: population.isExcluded });
  }

  get count(): number {
    return this.#count;
  }

  /** The waiting people, oldest first. */
  waiting(): Seeker[] {
    const people = [...this.#waiting.subarray(0, this.#count)];
    const since = new Map(people.map((person) => [person, this.matcher.sinceOf(BigInt(person + 1)) ?? 0]));
    return people
      .toSorted((one, other) => since.get(one)! - since.get(other)!)
      .map((person) => this.#population.seeker(person));
  }

  /** Adds people until the wanted number waits. */
  fill(): void {
    const startsMax = this.#target * 40;
    for (let starts = 0; this.#count < this.#target && starts < startsMax; starts += 1) this.step();
  }

  /** One person presses start. Returns the time that this took, in microseconds. */
  step(): number {
    this.#nowMs += this.#stepMs;
    let person = this.#random.integer(0, this.#population.size - 1);
    while (this.#places[person] !== 0) person = this.#random.integer(0, this.#population.size - 1);
    const seeker = this.#population.seeker(person);
    const beganMs = performance.now();
    const pairing = this.matcher.start(seeker, this.#nowMs);
    const tookUs = (performance.now() - beganMs) * 1_000;
    if (pairing) this.#leave(pairing.longer === seeker.userId ? pairing.newer : pairing.longer);
    else this.#enter(person);
    if (this.#nowMs - this.#sweptMs >= sweepEveryMs) this.#sweep();
    if (this.#count > this.#target) this.#giveUp();
    return tookUs;
  }

  #sweep(): void {
    this.#sweptMs = this.#nowMs;
    while ((this.matcher.nextDueMs() ?? Infinity) <= this.#nowMs)
      for (const pairing of this.matcher.sweep(this.#nowMs)) {
        this.#leave(pairing.longer);
        this.#leave(pairing.newer);
      }
  }

  #giveUp(): void {
    const userId = BigInt(this.#waiting[this.#random.integer(0, this.#count - 1)]! + 1);
    this.matcher.cancel(userId);
    this.#leave(userId);
  }

  #enter(person: number): void {
    this.#waiting[this.#count] = person;
    this.#count += 1;
    this.#places[person] = this.#count;
  }

  #leave(userId: bigint): void {
    const person = Number(userId) - 1;
    const place = this.#places[person]! - 1;
    this.#count -= 1;
    const last = this.#waiting[this.#count]!;
    this.#waiting[place] = last;
    this.#places[last] = place + 1;
    this.#places[person] = 0;
  }
}
