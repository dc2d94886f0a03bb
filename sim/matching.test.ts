import { seeds, storyTimeoutMs } from "@fava/wire/testing/depth.ts";
import { expect, test } from "vitest";
import { broken, leftovers } from "./invariants.ts";
import { Simulation } from "./simulation.ts";

const stepsEach = 400;
const historyShown = 40;

interface Outcome {
  /** The first violation, with the steps before it; null without one. */
  readonly problem: string | null;
  readonly endReasons: ReadonlySet<string>;
}

async function simulate(seed: number): Promise<Outcome> {
  const simulation = await Simulation.begin(seed);
  const { calls, log } = simulation.world;
  const outcome = (when: string, problems: readonly string[]): Outcome => {
    const ended = [...log.calls.values()].map(({ connectedAtMs, endReason }) =>
      connectedAtMs === null ? `${endReason}` : `live, ${endReason}`,
    );
    const history = simulation.history.slice(-historyShown).join("\n");
    const problem = problems.length === 0 ? null : `seed ${seed}, ${when}: ${problems.join("; ")}, after:\n${history}`;
    return { problem, endReasons: new Set(ended) };
  };
  for (let step = 0; step < stepsEach; step += 1) {
    await simulation.step();
    const problems = broken(simulation);
    if (problems.length > 0) return outcome(`step ${step}`, problems);
  }
  await simulation.bringAllTogether();
  const unpaired = simulation.people.length / 2 - calls.roomCount;
  const together = [...broken(simulation), ...(unpaired === 0 ? [] : [`${unpaired} rooms too few`])];
  if (together.length > 0) return outcome("all together", together);
  await simulation.sendAllHome();
  return outcome("all gone", leftovers(simulation));
}

test(
  "[MATCH-75] loses and doubles nothing while users come, search, meet and leave, and ends calls in every way that users can",
  async () => {
    const endReasons = new Set<string>();
    for (const seed of seeds(20)) {
      const outcome = await simulate(seed);
      expect(outcome.problem).toBeNull();
      for (const reason of outcome.endReasons) endReasons.add(reason);
    }
    const live = ["live, next", "live, stop", "live, left", "live, lost"];
    expect([...endReasons]).toEqual(expect.arrayContaining([...live, "next", "stop", "left", "not_joined"]));
  },
  storyTimeoutMs(120_000),
);
