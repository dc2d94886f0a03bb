import { fuzz, storyTimeoutMs } from "@fava/wire/testing/depth.ts";
import { expect, test, vi } from "vitest";
import { LoadCrowd } from "../bench/load-crowd.ts";
import { serveProduct } from "../bench/served-product.ts";

const people = 60;
const roundSeconds = 20;
const rounds = fuzz(6).numRuns;

test(
  "keeps no memory of users who have left",
  async () => {
    await using product = await serveProduct();
    const gauge = (name: string) => gaugeOf(product.url, name);
    const heaps: number[] = [];
    let fullMatches = 0;
    let roundsPutOff = 0;
    for (let round = 0; round < rounds; round += 1) {
      using crowd = new LoadCrowd([product.url], people);
      await crowd.signIn();
      await crowd.connect();
      const figures = await crowd.saturate({ warmUpSeconds: 1, seconds: roundSeconds, began: () => undefined });
      await crowd.stop();
      crowd[Symbol.dispose]();
      const failures = Object.keys(figures.failures);
      expect(failures.filter((failure) => !isPutOff(failure))).toEqual([]);
      if (failures.length > 0) roundsPutOff += 1;
      fullMatches += figures.fullMatches;
      // A user who closes the socket cleanly has left; pending writes follow soon.
      await vi.waitFor(async () => expect(await gauge("fava_people_present")).toBe(0), { timeout: 60_000 });
      expect(await gauge("fava_people_searching")).toBe(0);
      heaps.push(await leastHeap(product.url));
      console.info(
        `round ${round + 1} of ${rounds}: ${fullMatches} matches, heap ${Math.round(heaps.at(-1)! / 2 ** 20)} MiB`,
      );
    }
    expect(fullMatches).toBeGreaterThan(rounds * people);
    expect(roundsPutOff).toBeLessThan(rounds / 10);
    const third = Math.floor(heaps.length / 3);
    const [early, late] = [medianOf(heaps.slice(0, third)), medianOf(heaps.slice(-third))];
    expect(late / early).toBeLessThan(1.5);
  },
  storyTimeoutMs(600_000),
);

/** A server without time for its database asks clients to retry later; it must serve them a round later. */
function isPutOff(failure: string): boolean {
  return failure.includes(' answered 503 {"retry_after"');
}

async function gaugeOf(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

/** The heap after a collection, which cannot be triggered from outside: the minimum over a while. */
async function leastHeap(url: string): Promise<number> {
  const seen: number[] = [];
  for (let look = 0; look < 20; look += 1) {
    seen.push(await gaugeOf(url, "nodejs_heap_size_used_bytes"));
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return Math.min(...seen);
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
