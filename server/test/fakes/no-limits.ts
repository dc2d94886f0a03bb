import type { Limits } from "../../src/ports/rate-limits.ts";

export const noLimits: Limits = { take: async () => null, waitSeconds: async () => null };
