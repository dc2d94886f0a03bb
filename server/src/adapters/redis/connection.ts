import { Redis } from "ioredis";
import type { Logger } from "pino";

/** One that does not answer in this time is away: what people wait for goes on without it. */
const answerWithinMsDefault = 500;
/** A machine that vanishes without a word would be waited for as long as the kernel sends again, a quarter of an hour. */
const silentMaxMsDefault = 10_000;
const connectWithinMs = 2_000;
/** ioredis waits this long for the end of a stream that may have ended already, and keeps the process meanwhile. */
const disconnectWithinMs = 500;
const retryDelayMsMax = 1_000;
const retryDelayStepMs = 50;

/**
 * A connection to the engine that the processes of a site share (Redis 7 or Valkey 8). It heals by itself; meanwhile
 * commands fail at once instead of waiting in a queue that would grow and then be stale. Whoever subscribes does so anew
 * with every connection: only they can say from when on they miss nothing.
 *
 * @param options.answerWithinMs a command fails after this long.
 * @param options.name by which the engine lists the connection.
 * @param options.silentMaxMs the connection is made anew when nothing has come for this long that was asked for.
 * @param url `redis://` or `rediss://`, with user, password and database where needed.
 */
export function openRedis(
  url: string,
  logger: Pick<Logger, "warn" | "info">,
  options: { answerWithinMs?: number; name?: string; silentMaxMs?: number } = {},
): Redis {
  const redis = new Redis(url, {
    connectionName: options.name ?? "fava",
    connectTimeout: connectWithinMs,
    disconnectTimeout: disconnectWithinMs,
    commandTimeout: options.answerWithinMs ?? answerWithinMsDefault,
    socketTimeout: options.silentMaxMs ?? silentMaxMsDefault,
    enableOfflineQueue: false,
    autoResubscribe: false,
    // What was under way when the connection broke may have been done: whoever asked decides.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // Commands of one turn travel together.
    enableAutoPipelining: true,
    retryStrategy: (attempt) => Math.min(attempt * retryDelayStepMs, retryDelayMsMax),
  });
  let isAway = false;
  redis.on("error", (error: Error) => {
    if (isAway) return;
    isAway = true;
    logger.warn({ reason: error.message }, "Redis is away");
  });
  redis.on("ready", () => {
    if (isAway) logger.info("Redis is back");
    isAway = false;
  });
  return redis;
}
