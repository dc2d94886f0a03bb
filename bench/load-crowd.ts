import { setTimeout as sleep } from "node:timers/promises";
import { seededRandom } from "@fava/server/test/fakes/random.ts";
import { MatchCheck, type MatchChecks, type Met } from "./match-check.ts";
import { LoadPerson } from "./load-person.ts";
import { type OpenSocket, openWebSocket } from "./text-socket.ts";

/** Sign-ins at the same time; each takes several requests. */
const signInsAtOnce = 8;
/** As browsers do (`socketHeartbeatMs`). */
const pingEveryMs = 5_000;
/**
 * At a fixed rate, the second of a pair presses this long after the first, who waits by then if the server keeps up.
 */
const partnerLeadMs = 2.5;
const failuresKept = 20;
/** The last calls end in this time, unless a message was lost. */
const lastCallsMs = 5_000;
/**
 * When saturated, one person presses this often at most. A full match is about 17 messages of each person, and the
 * server closes a socket that sends more than 40 a second. Many people make the load, not fast ones.
 */
const restMs = 500;

/** Of one phase. */
export interface LoadFigures {
  readonly seconds: number;
  /** Including the time in which the last calls ended. */
  readonly tookSeconds: number;
  /** Full matches: both people have all lines of their partner. */
  readonly fullMatches: number;
  readonly matchedMs: readonly number[];
  /** How late this process pressed; part of `matchedMs`. */
  readonly pressedLateMs: readonly number[];
  readonly failures: Readonly<Record<string, number>>;
  /** Of all matches so far; null with a server that does not name partners. */
  readonly checks: MatchChecks | null;
}

/** People who use the product: at first one half waits, the other half starts later. */
export class LoadCrowd implements Disposable {
  readonly #people: LoadPerson[];
  readonly #pressedAtMs = new Map<LoadPerson, number>();
  /** By room, of the first of the two who received the match push: when that person pressed, and how long it took. */
  readonly #heardFirst = new Map<string, { pressedAtMs: number; tookMs: number }>();
  readonly #restedAtMs = new Map<LoadPerson, number>();
  readonly #pings: NodeJS.Timeout;
  /** Null with a bare server, which does not name partners. */
  #check: MatchCheck | null = null;
  #failures = new Map<string, number>();
  #fullMatches = 0;
  /** Pairs that pressed at a fixed rate so far, so that the next phase makes others. */
  #slots = 0;
  #matchedMs: number[] = [];
  /** Whether people press again as soon as they are free. */
  #isSaturating = false;
  #isEnding = false;

  /** Spreads the people evenly over the servers, in random order. */
  constructor(urls: readonly string[], size: number, open: OpenSocket = openWebSocket) {
    const places = shuffled(Array.from({ length: size }, (_, index) => new URL(urls[index % urls.length]!)));
    this.#people = places.map((place) => new LoadPerson(place, open, this.#listener()));
    this.#pings = setInterval(() => {
      for (const person of this.#people) person.ping();
    }, pingEveryMs);
  }

  async signIn(): Promise<void> {
    this.#check = new MatchCheck();
    let next = 0;
    const workers = Array.from({ length: signInsAtOnce }, async () => {
      for (let index = next++; index < this.#people.length; index = next++) {
        await patiently(() => this.#people[index]!.signIn(`Load ${index}`, index % 2 === 0 ? 1 : 2));
      }
    });
    await Promise.all(workers);
  }

  /** Without accounts, for a server that trusts the given ids. */
  introduce(): void {
    for (const [index, person] of this.#people.entries()) person.introduce(index + 1);
  }

  async connect(): Promise<void> {
    for (const person of this.#people) await person.connect();
  }

  /**
   * Presses at fixed times, no matter how fast the server answers: first one of a pair, and a moment later the other.
   * It measures from the time at which the later of two partners should have pressed to that person's match push. A
   * user who is kept apart from a past partner waits for the next one, which is no delay. Each round makes other pairs.
   */
  async pressAtRate(perSecond: number, seconds: number): Promise<LoadFigures> {
    this.#reset();
    const half = this.#people.length / 2;
    const slots = Math.min(perSecond * seconds, half * half);
    const pressedLateMs: number[] = [];
    const beganMs = performance.now();
    for (let slot = 0; slot < slots; slot += 1) {
      const dueMs = beganMs + (slot * 1_000) / perSecond;
      const [round, index] = [Math.floor(this.#slots / half), this.#slots % half];
      this.#slots += 1;
      await until(dueMs);
      const first = this.#people[2 * ((index + round) % half)]!;
      this.#pressedAtMs.set(first, dueMs);
      first.pressStart();
      await until(dueMs + partnerLeadMs);
      const newcomer = this.#people[2 * index + 1]!;
      this.#pressedAtMs.set(newcomer, dueMs + partnerLeadMs);
      pressedLateMs.push(performance.now() - dueMs - partnerLeadMs);
      newcomer.pressStart();
    }
    const lastDueMs = performance.now() + lastCallsMs;
    while (this.#fullMatches < slots && performance.now() < lastDueMs) await sleep(20);
    const tookSeconds = (performance.now() - beganMs) / 1_000;
    return this.#figures({ seconds: slots / perSecond, tookSeconds }, pressedLateMs);
  }

  /**
   * Every person presses as soon as they are free. `began` is called after the warm-up, when the measurement begins.
   */
  async saturate(options: { warmUpSeconds: number; seconds: number; began: () => void }): Promise<LoadFigures> {
    this.#isSaturating = true;
    for (const person of this.#people) this.#pressWhenRested(person);
    await until(performance.now() + options.warmUpSeconds * 1_000);
    this.#reset();
    options.began();
    const beganMs = performance.now();
    await until(beganMs + options.seconds * 1_000);
    const tookSeconds = (performance.now() - beganMs) / 1_000;
    const figures = this.#figures({ seconds: tookSeconds, tookSeconds }, []);
    this.#isSaturating = false;
    return figures;
  }

  /** Every person leaves; later messages do not count. */
  async stop(): Promise<LoadFigures> {
    this.#isSaturating = false;
    const lastDueMs = performance.now() + lastCallsMs;
    while (this.#check?.isSettled === false && performance.now() < lastDueMs) await sleep(20);
    this.#check?.end();
    for (const person of this.#people) await person.stop();
    this.#pressedAtMs.clear();
    this.#heardFirst.clear();
    return this.#figures({ seconds: 0, tookSeconds: 0 }, []);
  }

  [Symbol.dispose](): void {
    this.#isEnding = true;
    clearInterval(this.#pings);
    for (const person of this.#people) person.dispose();
  }

  #listener() {
    return {
      matched: (person: LoadPerson, met: Met) => this.#matched(person, met),
      putOff: (person: LoadPerson, retryMs: number) => {
        if (this.#isSaturating) setTimeout(() => this.#pressWhenRested(person), retryMs);
      },
      talked: (person: LoadPerson, isOfferer: boolean) => {
        if (!isOfferer) return;
        this.#fullMatches += 1;
        this.#pressWhenRested(person);
      },
      over: (roomId: string) => this.#check?.over(roomId),
      left: (person: LoadPerson) => this.#pressWhenRested(person),
      failed: (what: string) => {
        if (this.#isEnding || (this.#failures.size >= failuresKept && !this.#failures.has(what))) return;
        this.#failures.set(what, (this.#failures.get(what) ?? 0) + 1);
      },
    };
  }

  #matched(person: LoadPerson, met: Met): void {
    this.#check?.heard(met);
    const { roomId } = met;
    const pressedAtMs = this.#pressedAtMs.get(person);
    if (pressedAtMs === undefined) return;
    this.#pressedAtMs.delete(person);
    const tookMs = performance.now() - pressedAtMs;
    const other = this.#heardFirst.get(roomId);
    this.#heardFirst.delete(roomId);
    if (!other) this.#heardFirst.set(roomId, { pressedAtMs, tookMs });
    else this.#matchedMs.push(other.pressedAtMs > pressedAtMs ? other.tookMs : tookMs);
  }

  #pressWhenRested(person: LoadPerson): void {
    if (!this.#isSaturating) return;
    const nowMs = performance.now();
    const dueMs = Math.max(nowMs, this.#restedAtMs.get(person) ?? 0);
    this.#restedAtMs.set(person, dueMs + restMs);
    const press = () => {
      if (this.#isSaturating) person.pressStart();
    };
    if (dueMs === nowMs) press();
    else setTimeout(press, dueMs - nowMs);
  }

  #reset(): void {
    this.#fullMatches = 0;
    this.#matchedMs = [];
    this.#failures = new Map();
  }

  #figures(time: { seconds: number; tookSeconds: number }, pressedLateMs: number[]): LoadFigures {
    return {
      ...time,
      fullMatches: this.#fullMatches,
      matchedMs: this.#matchedMs,
      pressedLateMs,
      failures: Object.fromEntries(this.#failures),
      checks: this.#check?.checks ?? null,
    };
  }
}

/** In the same order each time. */
function shuffled<Item>(items: Item[]): Item[] {
  const random = seededRandom(1);
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = random.integer(0, last);
    [items[last], items[other]] = [items[other]!, items[last]!];
  }
  return items;
}

const signInTries = 6;
const signInPauseMs = 3_000;

/** A busy machine refuses some sign-ins, which are not part of the measurement. */
export async function patiently(signIn: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await signIn();
    } catch (error) {
      if (tries === signInTries) throw error;
      await sleep(signInPauseMs);
    }
  }
}

/** Timers fire up to a millisecond late, so the event loop covers the rest. */
async function until(dueMs: number): Promise<void> {
  const leftMs = dueMs - performance.now();
  if (leftMs > 2) await sleep(leftMs - 1.5);
  while (performance.now() < dueMs) await new Promise((resolve) => setImmediate(resolve));
}
