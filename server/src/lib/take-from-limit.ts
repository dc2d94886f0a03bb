import type { LimitName, Limits } from "#ports/rate-limits.ts";
import { slowDown } from "./errors.ts";

/** @throws EndpointError 429 with `retry_after` in seconds. */
export async function takeFromLimit(limits: Limits, limit: LimitName, key: string, amount = 1): Promise<void> {
  const retryAfter = await limits.take(limit, key, amount);
  if (retryAfter !== null) throw slowDown(retryAfter);
}
