import { Redis } from "ioredis";
import type { Logger } from "pino";

/** Timeout of a command; users' requests then continue without Redis. */
const answerWithinMsDefault = 500;
/** Timeout of a silent connection. Without it the kernel retransmits to a vanished machine for about 15 minutes. */
const silentMaxMsDefault = 10_000;
const connectWithinMs = 2_000;
/** ioredis waits this long for the end of a stream, even one that has ended, and keeps the process alive meanwhile. */
const disconnectWithinMs = 500;
const retryDelayMsMax = 1_000;
const retryDelayStepMs = 50;

/**
 * Reconnects by itself; meanwhile commands fail at once, since queued ones would become stale. A subscriber has to
 * subscribe again: only it knows from when on it misses no message.
 * @param options.answerWithinMs timeout of a command.
 * @param options.name name of the connection in Redis's client list.
 * @param options.silentMaxMs the client reconnects after an expected answer is missing for this long.
 * @param url `redis://` or `rediss://`.
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
    // Redis may have performed commands in transit when the connection broke: the caller decides about retries.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // Sends the commands of one turn of the event loop together.
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
