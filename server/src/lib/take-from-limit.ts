import type { LimitName, Limits } from "#ports/rate-limits.ts";
import { slowDown } from "./errors.ts";

/** @throws EndpointError 429 with `retry_after` in seconds if the key is over the limit. */
export async function takeFromLimit(limits: Limits, limit: LimitName, key: string): Promise<void> {
  const retryAfter = await limits.take(limit, key);
  if (retryAfter !== null) throw slowDown(retryAfter);
}
