import type { Redis } from "ioredis";

/** Used memory in bytes, and its limit if Redis has one. A server whose Redis hides either lacks that value. */
export async function readRedisMemory(redis: Pick<Redis, "info">): Promise<Readonly<Record<string, number>>> {
  const report = await redis.info("memory");
  const used = /^used_memory:(\d+)/m.exec(report)?.[1];
  const limit = Number(/^maxmemory:(\d+)/m.exec(report)?.[1] ?? 0);
  return { ...(used !== undefined && { used: Number(used) }), ...(limit > 0 && { limit }) };
}
