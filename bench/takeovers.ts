import { setTimeout as sleep } from "node:timers/promises";
import type { SiteProcesses } from "@fava/server/test/fixtures/site-processes.ts";
import { patiently } from "./load-crowd.ts";
import { LoadPerson } from "./load-person.ts";
import { MatchCheck, type MatchChecks } from "./match-check.ts";
import { openWebSocket } from "./text-socket.ts";

/** After this time the first to press waits in the pool, even on a busy machine. */
const searchMs = 1_000;
/** A pair that takes longer counts as a failure. */
const meetWithinMs = 30_000;

/** What happens to the server with the matcher. */
export type Failure = "is killed" | "hangs";

export interface Takeovers {
  /** From the failure until both people of a pair at another server have their match push. */
  readonly tookMs: readonly number[];
  readonly checks: MatchChecks;
  readonly failures: readonly string[];
}

/**
 * Repeats this: one person searches at a server without the matcher; the server with it fails, and at the same time a
 * second person presses start at the first server. The failed server is replaced before the next repetition.
 */
export async function measureTakeovers(
  site: SiteProcesses,
  { failure, times, stopped }: { failure: Failure; times: number; stopped: AbortSignal },
): Promise<Takeovers> {
  const check = new MatchCheck();
  const failures: string[] = [];
  const tookMs: number[] = [];
  for (let time = 1; time <= times; time += 1) {
    stopped.throwIfAborted();
    const owner = await site.matcherOwner();
    const other = site.servers.find((server) => server !== owner);
    if (!owner || !other) throw new Error("the site has no two servers, one of them with the matcher");
    using pair = await Pair.at(other.url, { name: `Takeover ${failure} ${time}`, check, failures });
    pair.search();
    await sleep(searchMs);
    const beganMs = performance.now();
    if (failure === "hangs") owner.freeze();
    const killed = failure === "is killed" ? owner.kill() : null;
    const metMs = await pair.meet();
    if (metMs === null) failures.push(`a pair did not meet within ${meetWithinMs} ms`);
    else tookMs.push(metMs - beganMs);
    await (killed ?? owner.kill());
    owner.start();
    await site.untilReady();
  }
  check.end();
  return { tookMs, checks: check.checks, failures };
}

/** Two new people with open pages. */
class Pair implements Disposable {
  readonly #waiting: LoadPerson;
  readonly #newcomer: LoadPerson;
  readonly #met: Promise<number>;
  #isClosing = false;

  private constructor(url: string, { check, failures }: { check: MatchCheck; failures: string[] }) {
    let tellMet: (atMs: number) => void = () => undefined;
    this.#met = new Promise((resolve) => (tellMet = resolve));
    let heard = 0;
    const person = () =>
      new LoadPerson(new URL(url), openWebSocket, {
        matched: (_person, met) => {
          check.heard(met);
          heard += 1;
          if (heard === 2) tellMet(performance.now());
        },
        putOff: () => undefined,
        talked: () => undefined,
        over: (roomId) => check.over(roomId),
        left: () => undefined,
        failed: (what) => void (this.#isClosing || failures.push(what)),
      });
    [this.#waiting, this.#newcomer] = [person(), person()];
  }

  static async at(
    url: string,
    { name, ...heard }: { name: string; check: MatchCheck; failures: string[] },
  ): Promise<Pair> {
    const pair = new Pair(url, heard);
    for (const [index, person] of [pair.#waiting, pair.#newcomer].entries()) {
      await patiently(() => person.signIn(`${name} ${index + 1}`, index === 0 ? 1 : 2));
      await person.connect();
    }
    return pair;
  }

  /** The first presses start, and meets no one yet. */
  search(): void {
    this.#waiting.pressStart();
  }

  /** The second presses start. Returns the time when both have the match push, or null after the timeout. */
  async meet(): Promise<number | null> {
    this.#newcomer.pressStart();
    const late = new AbortController();
    const tooLate = sleep(meetWithinMs, null, { signal: late.signal }).catch(() => null);
    try {
      return await Promise.race([this.#met, tooLate]);
    } finally {
      late.abort();
    }
  }

  [Symbol.dispose](): void {
    this.#isClosing = true;
    this.#waiting.dispose();
    this.#newcomer.dispose();
  }
}
