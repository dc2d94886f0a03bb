import type { Random } from "@fava/server/ports/random.ts";
import { seededRandom } from "@fava/server/test/fakes/random.ts";
import { MatchWorld } from "@fava/server/test/fixtures/match-world.ts";
import { countryGlobal, type MatchFilters } from "@fava/wire/beans.ts";
import { SimulatedPerson } from "./simulated-person.ts";

const peopleCount = 10;
const countries = [1, 2, 18] as const;
/** Enough beans for some filters some of the time, so that refusals occur both at start and at pairing. */
const balances = [0n, 900n, 2_000n, 100_000n] as const;

/** Random people doing random things to the real services; every step ends with a check of all invariants. */
export class Simulation {
  readonly world: MatchWorld;
  readonly people: SimulatedPerson[] = [];
  /** All actions, for the message of a failure. */
  readonly history: string[] = [];
  readonly #random: Random;
  #held: (() => void)[] = [];

  private constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.world = new MatchWorld({ seed });
  }

  static async begin(seed: number): Promise<Simulation> {
    const simulation = new Simulation(seed);
    for (let number = 1; number <= peopleCount; number += 1) {
      const userId = BigInt(number);
      const countryId = simulation.#pick(countries);
      simulation.world.facts.set(userId, {
        sex: simulation.#pick([1, 2]),
        countryId,
        zone: countryId % 2,
        complete: true,
      });
      simulation.world.beans.set(userId, simulation.#pick(balances));
      simulation.people.push(new SimulatedPerson(userId, simulation.world));
    }
    await simulation.#settle();
    return simulation;
  }

  /** Whether the server is making a pair right now. */
  get isPairing(): boolean {
    return this.#held.length > 0;
  }

  async step(): Promise<void> {
    const person = this.#pick(this.people);
    const action = this.#pick(actionsOf(person));
    this.history.push(`${this.world.clock.monotonicMs()} ${person.userId} ${action}`);
    if (this.#random.integer(1, 8) === 1) this.#holdPairs();
    else if (this.#random.integer(1, 2) === 1) this.#releasePairs();
    await this.#act(person, action);
    if (this.#random.integer(1, 2) === 1)
      await this.advance(this.#random.integer(0, this.#pick([50, 1_000, 6_000, 20_000])));
    await this.#settle();
  }

  /** Lets time pass; connected people send their pings meanwhile. */
  async advance(ms: number): Promise<void> {
    const stepMs = 1_000;
    for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
      this.world.clock.advance(Math.min(stepMs, ms - passedMs));
      this.world.bus.tick();
      await this.#settle();
    }
  }

  /** Every person accepts any other: after a while at most one, the odd one, has no partner. */
  async bringAllTogether(): Promise<void> {
    this.#releasePairs();
    for (const person of this.people) {
      if (!person.isConnected) person.reconnect();
      await this.#settle();
      person.stop();
      await person.start({ sex: 0, country: 0 });
    }
    await this.#settle();
    for (let second = 0; second < 60; second += 1) {
      for (const person of this.people) person.play();
      await this.advance(1_000);
    }
  }

  async sendAllHome(): Promise<void> {
    for (const person of this.people) {
      if (person.isConnected) person.closePage();
    }
    await this.advance(60_000);
  }

  async #act(person: SimulatedPerson, action: Action): Promise<void> {
    switch (action) {
      case "open":
        return person.openPage({ returns: this.#random.integer(1, 3) > 1 });
      case "close":
        return person.closePage();
      case "lose":
        return person.loseSocket();
      case "reconnect":
        return person.reconnect();
      case "start":
        return person.start(this.#filters());
      case "start twice": {
        const filters = this.#filters();
        await Promise.all([person.start(filters), person.start(filters)]);
        return;
      }
      case "stop":
        return person.stop();
      case "join":
        return person.join();
      case "play":
        return person.play();
      case "spend":
        this.world.beans.set(person.userId, this.#pick(balances));
    }
  }

  /** Delivers pushes, and searches again for people whose partner left, until no person reacts. */
  async #settle(): Promise<void> {
    for (let rounds = 0; rounds < 50; rounds += 1) {
      await this.world.settled();
      const again = this.people.filter((person) => person.isConnected && person.hear());
      if (again.length === 0) return;
      for (const person of again) await person.searchAgain();
    }
    throw new Error("matches and leaves never end although no person acts");
  }

  /** Keeps new pairs incomplete, so that other actions happen meanwhile. */
  #holdPairs(): void {
    this.world.readingCard = () => new Promise((release) => void this.#held.push(release));
  }

  #releasePairs(): void {
    this.world.readingCard = async () => {};
    for (const release of this.#held.splice(0)) release();
  }

  #filters(): MatchFilters {
    const country = this.#pick([countryGlobal, countryGlobal, -1, -1, ...countries]);
    return { sex: this.#pick([0, 0, 0, 1, 2]), country };
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[this.#random.integer(0, values.length - 1)]!;
  }
}

type Action = "open" | "close" | "lose" | "reconnect" | "start" | "start twice" | "stop" | "join" | "play" | "spend";

/** The possible actions of a person; repeated ones are more likely. */
function actionsOf(person: SimulatedPerson): readonly Action[] {
  if (person.belief.kind === "away") return ["open"];
  if (!person.isConnected) return ["reconnect", "reconnect", "spend", "start"];
  switch (person.belief.kind) {
    case "idle":
      return ["start", "start", "start", "start twice", "lose", "close", "spend"];
    case "searching":
      return ["start", "stop", "lose", "close", "spend"];
    case "in-room":
      return ["join", "play", "play", "play", "start", "start twice", "stop", "lose", "close"];
  }
}
