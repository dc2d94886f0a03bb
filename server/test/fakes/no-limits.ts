import type { Limits } from "../../src/ports/rate-limits.ts";

/** Allows everything. */
export const noLimits: Limits = { take: async () => null, waitSeconds: async () => null };
