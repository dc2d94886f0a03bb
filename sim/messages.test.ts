import { seeds } from "@fava/wire/testing/depth.ts";
import { expect, test } from "vitest";
import { MessageSimulation } from "./message-simulation.ts";

const steps = 50;
const historyShown = 40;

/** The first violation, with the steps before it; null without one. */
async function simulate(seed: number): Promise<{ problem: string | null; counts: MessageSimulation["counts"] }> {
  await using simulation = await MessageSimulation.begin(seed);
  const { counts, history } = simulation;
  for (let step = 0; step <= steps; step += 1) {
    if (step < steps) await simulation.step();
    else await simulation.bringAllBack();
    const [first, ...others] = await simulation.problems();
    if (first === undefined) continue;
    const where = `seed ${seed}, step ${step} of ${steps}: ${first} (and ${others.length} more)`;
    return { problem: `${where}, after:\n${history.slice(-historyShown).join("\n")}`, counts };
  }
  return { problem: null, counts };
}

test.each(seeds(1))(
  "delivers every message once and in order, with correct counts, to 200 users who write, drop and return (seed %i)",
  async (seed) => {
    const { problem, counts } = await simulate(seed);
    expect(problem).toBeNull();
    // A simulation without all kinds of actions proves nothing.
    expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([]);
  },
  120_000,
);
