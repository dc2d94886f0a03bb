import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** How many times more random tests try than in `npm test`, where it is 1. */
    depth: number;
    /** What the random tests of this run begin with; always the same in `npm test`. */
    seed: number;
  }
}

/** How long a property is tried: `runs` times in `npm test`, with a seed of its own and longer in `npm run test:deep`. */
export function fuzz(runs: number): { numRuns: number; seed: number } {
  return { numRuns: runs * inject("depth"), seed: inject("seed") };
}

/** Seeds for tests that are each one random story: always the same `count` in `npm test`, others and more of them in depth. */
export function seeds(count: number): readonly number[] {
  return Array.from({ length: count * inject("depth") }, (_, index) => inject("seed") + index);
}

/** Time for a test that goes through all its runs in one go. */
export function storyTimeoutMs(timeoutMs: number): number {
  return timeoutMs * inject("depth");
}
