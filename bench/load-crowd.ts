import { setTimeout as sleep } from "node:timers/promises";
import { seededRandom } from "@fava/server/test/fakes/random.ts";
import { MatchCheck, type MatchChecks, type Met } from "./match-check.ts";
import { LoadPerson } from "./load-person.ts";
import { type OpenSocket, openWebSocket } from "./text-socket.ts";

/** Sign-ins on their way at once; each is several calls. */
const signInsAtOnce = 8;
/** As browsers of ours do (`socketHeartbeatMs`). */
const pingEveryMs = 5_000;
/** A fixed rate presses this long after the other of the pair: by then that one waits, if the server keeps up. */
const partnerLeadMs = 2.5;
const failuresKept = 20;
/** The last calls come to their end in this time, unless something was lost. */
const lastCallsMs = 5_000;
/**
 * Saturated, one person presses this often at most: a full match is about 17 messages of each, and a socket that sends
 * more than 40 a second is cut as a flood. Many people make the load, not fast ones.
 */
const restMs = 500;

/** Of one phase. */
export interface LoadFigures {
  readonly seconds: number;
  /** Until the last calls came to their end. */
  readonly tookSeconds: number;
  /** Full matches: both have all lines of the other. */
  readonly fullMatches: number;
  readonly matchedMs: readonly number[];
  /** By how much this process was late to press; part of `matchedMs`. */
  readonly pressedLateMs: readonly number[];
  readonly failures: Readonly<Record<string, number>>;
  /** Of all matches so far; null with a server that names nobody. */
  readonly checks: MatchChecks | null;
}

/** People who use the product, half of them at first those who wait and half those who come. */
export class LoadCrowd implements Disposable {
  readonly #people: LoadPerson[];
  readonly #pressedAtMs = new Map<LoadPerson, number>();
  /** Of each room that one of the two has heard of: when that one pressed, and how long it took. */
  readonly #heardFirst = new Map<string, { pressedAtMs: number; tookMs: number }>();
  readonly #restedAtMs = new Map<LoadPerson, number>();
  readonly #pings: NodeJS.Timeout;
  /** With a product: a bare server names nobody. */
  #check: MatchCheck | null = null;
  #failures = new Map<string, number>();
  #fullMatches = 0;
  /** Pairs that pressed at a fixed rate so far, so that the next phase makes others. */
  #slots = 0;
  #matchedMs: number[] = [];
  /** Whether whoever is free presses again at once. */
  #isSaturating = false;
  #isEnding = false;

  /** As many people at each server as at any other, whoever they are. */
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

  /** Without an account, for a server that believes what it is told. */
  introduce(): void {
    for (const [index, person] of this.#people.entries()) person.introduce(index + 1);
  }

  async connect(): Promise<void> {
    for (const person of this.#people) await person.connect();
  }

  /**
   * Presses at fixed moments, whatever the answers do: the first of a pair, and a moment later the second. What counts
   * is the time from the moment at which the later of the two that meet should have pressed to that one's match push: who is
   * kept from somebody met before waits for the next who comes, which is no delay. Pairs are others each round.
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

  /** Everybody presses as soon as they are free. `began` is called when the figures begin, after the warm-up. */
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

  /** Everybody leaves, and whatever is still said is not counted. */
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

/** A machine that is busy with other work puts people off; signing in is not what is measured. */
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

/** Timers wake up to a millisecond late, so the rest of the way is left to the event loop. */
async function until(dueMs: number): Promise<void> {
  const leftMs = dueMs - performance.now();
  if (leftMs > 2) await sleep(leftMs - 1.5);
  while (performance.now() < dueMs) await new Promise((resolve) => setImmediate(resolve));
}
