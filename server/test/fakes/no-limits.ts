import type { Limits } from "../../src/ports/rate-limits.ts";

/** Everything may happen as often as it likes. */
export const noLimits: Limits = { take: async () => null, waitSeconds: async () => null };
