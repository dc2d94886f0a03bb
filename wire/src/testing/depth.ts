import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Factor for the runs of random tests; 1 in `npm test`. */
    depth: number;
    /** Seed of the random tests of this run; constant in `npm test`. */
    seed: number;
  }
}

/** Options of a property test: `runs` runs in `npm test`; more, with another seed, in `npm run test:deep`. */
export function fuzz(runs: number): { numRuns: number; seed: number } {
  return { numRuns: runs * inject("depth"), seed: inject("seed") };
}

/** Seeds of randomized tests: the same `count` in `npm test`, more and others in `npm run test:deep`. */
export function seeds(count: number): readonly number[] {
  return Array.from({ length: count * inject("depth") }, (_, index) => inject("seed") + index);
}

/** Timeout of a test that plays all its runs, in milliseconds. */
export function storyTimeoutMs(timeoutMs: number): number {
  return timeoutMs * inject("depth");
}
