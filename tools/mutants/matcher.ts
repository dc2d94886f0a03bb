import type { Mutant } from "./mutant.ts";

const matcher = "server/src/calls/matcher.ts";
const search = "server/src/calls/matcher-search.ts";
const stories = ["server/src/calls/matcher.test.ts"];
const tags = ["server/src/calls/matcher-tags.test.ts"];
const exclusions = ["server/src/calls/matcher-exclusions.test.ts"];

/** Who is brought together with whom, and when. */
export const matcherMutants: readonly Mutant[] = [
  {
    file: search,
    find: "    if (this.#isExcluded?.(this.#people.userId(this.#person), this.#people.userId(candidate))) return true;\n",
    replace: "",
    why: "people who blocked each other meet",
    tests: exclusions,
  },
  {
    file: search,
    find: "if (!this.#leftOut.bars(this.#person, candidate)) return false;",
    replace: "return false;",
    why: "people meet somebody of a country that they left out",
    tests: ["server/src/calls/matcher-countries.test.ts"],
  },
  {
    file: search,
    find: "      if (candidate === this.#person) continue;\n      const sinceMs",
    replace: "      const sinceMs",
    why: "somebody is matched with themself",
    tests: exclusions,
  },
  {
    file: search,
    find: "      if (sinceMs >= this.#foundSinceMs) break;\n",
    replace: "",
    why: "a newcomer goes before somebody who has waited longer",
    tests: stories,
  },
  {
    file: search,
    find: "shorterWaitMs < partnerPatienceMs && this.#nowMs - moment < this.#gapMs",
    replace: "shorterWaitMs < partnerPatienceMs || this.#nowMs - moment < this.#gapMs",
    why: "two who met, and have nobody else, wait for ten minutes",
    tests: exclusions,
  },
  {
    file: search,
    find: "Math.max(candidateSinceMs, this.#records.sinceMs(this.#person))",
    replace: "Math.min(candidateSinceMs, this.#records.sinceMs(this.#person))",
    why: "whoever just left somebody gets them again at once",
    tests: exclusions,
  },
  {
    file: search,
    find: "if (records.reach(person) === reach.required) return this.#lookAt(country, records.required(person));",
    replace: "",
    why: "a country that is paid for is not the other's",
    tests: stories,
  },
  {
    file: matcher,
    find: "if (isSame && sinceMs >= records.sinceMs(person)) return null;",
    replace: "if (isSame) return null;",
    why: "a place in the queue that is given back is lost",
    tests: stories,
  },
  {
    file: matcher,
    find: "sinceMs = Math.min(sinceMs, records.sinceMs(person));",
    replace: "",
    why: "whoever changes the wish stands at the end again",
    tests: stories,
  },
  {
    file: matcher,
    find: "if (this.#records.isWaiting(searching)) this.#remove(searching);",
    replace: "",
    why: "somebody who was matched by a sweep is matched with a second person",
    tests: stories,
  },
  {
    file: "server/src/calls/matcher-records.ts",
    find: "    this.partners.forget(person);\n",
    replace: "",
    why: "a newcomer takes over whom a stranger has met",
    tests: exclusions,
  },
  {
    file: "server/src/calls/matcher-records.ts",
    find: "if (((slot - home) & this.#mask) < ((slot - hole) & this.#mask)) continue;",
    replace: "if (((slot - home) & this.#mask) <= ((slot - hole) & this.#mask)) continue;",
    why: "somebody who waits is not found any more, and cannot stop",
    tests: ["server/src/calls/matcher-id-table.test.ts"],
  },
  {
    file: search,
    find: "if (isLast && !isBarred) choice.isEnded = true;",
    replace: "",
    why: "somebody near is left behind for the far for ever",
    tests: tags,
  },
  {
    file: "server/src/calls/matcher-tags.ts",
    find: "(talk.prefer === 1 ? talkFlags.prefers : 0)",
    replace: "talkFlags.prefers",
    why: "whoever switched the preference off waits for it",
    tests: tags,
  },
  {
    file: "server/src/calls/matcher.ts",
    find: "return looksAtRetry * 4 ** (",
    replace: "return looksAtRetry * 1 ** (",
    why: "behind many blocked people nobody is found",
    tests: exclusions,
  },
];
