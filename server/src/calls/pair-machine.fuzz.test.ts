import { seeds, storyTimeoutMs } from "@fava/wire/testing/depth.ts";
import { expect, test } from "vitest";
import { PairingSite } from "#test/fixtures/pairing-site.ts";

const seedsEach = 200;
const troubleMs = 20_000;
/** Whoever could meet has met so long after the network carries everything again. */
const healedMs = 5_000;

interface Story {
  readonly problem: string | null;
  readonly together: number;
  readonly happened: ReadonlySet<string>;
}

/** Messages are late, lost, doubled and out of order, processes and matchers end and stand still; and then all is well. */
function story(seed: number): Story {
  const site = new PairingSite(seed);
  site.trouble(troubleMs);
  site.heal();
  site.run(healedMs);
  const problems = [...site.broken, ...site.unsettled()];
  const problem = problems.length === 0 ? null : `seed ${seed}: ${problems.slice(0, 5).join("; ")}`;
  return { problem, together: site.togetherCount, happened: site.happened };
}

test(
  "[MATCH-95] [MATCH-96] whatever the network does nobody is in two rooms, both name each other, and nobody who could meet waits over 5 s after it healed",
  () => {
    const problems = seeds(seedsEach).flatMap((seed) => story(seed).problem ?? []);
    expect(problems.slice(0, 5)).toEqual([]);
  },
  storyTimeoutMs(60_000),
);

test("[MATCH-95] a story in which nothing happens proves nothing: rooms come about, and everything goes wrong that can", () => {
  const happened = new Set<string>();
  let together = 0;
  for (let seed = 1; seed <= 20; seed += 1) {
    const told = story(seed);
    together += told.together;
    for (const what of told.happened) happened.add(what);
  }
  expect(together).toBeGreaterThan(20);
  const words = ["claim", "void", "room", "claimed", "refused", "entered", "isAlive"];
  const faults = [
    "lost",
    "doubled",
    "nobody",
    "home killed",
    "home stopped",
    "matcher replaced",
    "old pair",
    "roll corrected",
  ];
  expect([...happened]).toEqual(expect.arrayContaining([...words, ...faults]));
});
