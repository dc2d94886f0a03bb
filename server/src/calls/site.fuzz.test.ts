import { seeds, storyTimeoutMs } from "@fava/wire/testing/depth.ts";
import { expect, test } from "vitest";
import { SiteSimulation } from "#test/fixtures/site-simulation.ts";

const seedsEach = 200;
const troubleMs = 20_000;
/** Limit of how long the matcher separates two users after a call or a failed connection, its next sweep included. */
const healedMsMax = 110_000;
const lookEveryMs = 5_000;
/** After this many checks in a row without a problem, a story counts as healed. */
const calmLooks = 3;

interface Story {
  readonly problem: string | null;
  readonly rooms: number;
  readonly happened: ReadonlySet<string>;
}

/** Runs the story without stack traces, which take 10% of the time. If there is a problem, runs it again with them. */
async function story(seed: number): Promise<Story> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    const told = await tell(seed);
    if (told.problem === null) return told;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return tell(seed);
}

/** Messages are late, lost, duplicated and reordered. Servers and matchers stop and hang. Then all faults end. */
async function tell(seed: number): Promise<Story> {
  using site = new SiteSimulation(seed);
  await site.trouble(troubleMs);
  let calm = 0;
  let unsettled: readonly string[] = [];
  for (let healedForMs = 0; calm < calmLooks && healedForMs < healedMsMax; healedForMs += lookEveryMs) {
    await site.heal(lookEveryMs);
    unsettled = await site.unsettled();
    if (site.broken.length > 0) break;
    calm = unsettled.length === 0 ? calm + 1 : 0;
  }
  const problems = [...site.broken, ...unsettled];
  const problem = problems.length === 0 ? null : `seed ${seed}: ${problems.slice(0, 5).join("; ")}`;
  return { problem, rooms: site.roomsCount, happened: site.happened };
}

const questions = ["changePool", "takePair", "comeTo", "giveHome", "callIsAt", "settleCall", "callTaken"];
const moves = ["homeCall", "deliver", "asked to move", "sent to the call", "met after a move"];
const doings = ["start", "stop", "drop", "resume", "reload", "move", "go on elsewhere", "meet again", "two pages"];
/** What happened to calls of servers that crashed or hung. */
const adoptions = ["met again", "taken by asking", "adopted: goes on", "adopted: not_joined", "went on with a call"];
const faults = [
  "lost",
  "doubled",
  "killed",
  "stopped",
  "matcher replaced",
  "database away",
  "drained",
  "stopped empty",
];

test(
  "[MATCH-95, MATCH-96, MATCH-122, CALL-130] keeps users in one room and reunites them, however the network and the servers fail",
  async () => {
    const problems: string[] = [];
    const happened = new Set<string>();
    let rooms = 0;
    for (const seed of seeds(seedsEach)) {
      const told = await story(seed);
      if (told.problem) problems.push(told.problem);
      for (const what of told.happened) happened.add(what);
      rooms += told.rooms;
    }
    expect(problems.slice(0, 5)).toEqual([]);
    // The stories prove nothing unless each of these happened.
    const expected = [...questions, ...moves, ...doings, ...faults, ...adoptions];
    expect([...happened]).toEqual(expect.arrayContaining(expected));
    expect(rooms).toBeGreaterThan(seedsEach);
  },
  storyTimeoutMs(300_000),
);
