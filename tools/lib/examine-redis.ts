import { once } from "node:events";
import { connect as connectTcp, isIP } from "node:net";
import { connect as connectTls } from "node:tls";
import { openRedis } from "@fava/server/adapters/redis/connection.ts";
import type { Config } from "@fava/server/config.ts";
import { createLogger } from "@fava/server/edge/http/logger.ts";
import { doubt, fine, type Finding, harm, judgeClock } from "./finding.ts";

const redisMajorMin = 7;
const redisPort = 6379;
/** The largest possible client id, which no connection has. */
const unusedClientId = "9223372036854775807";

/** Redis' version, protection and settings, and its clock compared with this machine's. */
export async function examineRedis(
  { redisUrl }: Config,
  { nowMs, timeoutMs }: { nowMs: () => number; timeoutMs: number },
): Promise<readonly Finding[]> {
  if (redisUrl === null) return [];
  const first = await firstReply(redisUrl, timeoutMs);
  const redis = openRedis(redisUrl, createLogger({ level: "silent" }), { answerWithinMs: timeoutMs });
  try {
    await new Promise<void>((resolve, reject) => {
      redis.once("ready", resolve).once("error", reject);
    });
    const version = /^redis_version:(\d+)/m.exec(await redis.info("server"))?.[1] ?? "0";
    const askedMs = nowMs();
    const [seconds, micros] = await redis.time();
    const theirsMs = Number(seconds) * 1_000 + Number(micros) / 1_000;
    return [
      judgeClock("Redis", theirsMs, { askedMs, answeredMs: nowMs() }),
      Number(version) < redisMajorMin
        ? harm(`Redis: it is version ${version}; Fava needs Redis ${redisMajorMin} or Valkey 8. Update it.`)
        : fine(`Redis: version ${version}.`),
      judgeEviction(await redis.config("GET", "maxmemory-policy").catch(() => null)),
      ...judgePassword(redisUrl, first),
      ...(await examineCutting(redis)),
    ];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [harm(`Redis: ${refusal(first, why)}`)];
  } finally {
    redis.disconnect();
  }
}

/** What Redis sends to a client without a password; it closes a connection that its protected mode rejects. */
async function firstReply(redisUrl: string, timeoutMs: number): Promise<string> {
  const { protocol, hostname, port: given } = new URL(redisUrl);
  const [host, port] = [hostname.replaceAll(/[[\]]/g, ""), Number(given || redisPort)];
  const socket =
    protocol === "rediss:"
      ? connectTls({ host, port, ...(isIP(host) > 0 ? {} : { servername: host }) })
      : connectTcp({ host, port });
  // The caller's own connection meets the same failure and reports it.
  socket.on("error", () => undefined);
  try {
    socket.write("PING\r\n");
    const [reply] = (await once(socket, "data", { signal: AbortSignal.timeout(timeoutMs) })) as [Buffer];
    return reply.toString("latin1");
  } catch {
    return "";
  } finally {
    socket.destroy();
  }
}

function refusal(first: string, why: string): string {
  if (first.startsWith("-DENIED"))
    return "its protected mode rejects other machines, because it has no password. Set its requirepass and put the password into REDIS_URL, or set protected-mode no in a network that only the servers reach.";
  if (why.startsWith("NOAUTH"))
    return "it needs a password, and REDIS_URL has none. Write redis://:PASSWORD@HOST:PORT in REDIS_URL.";
  if (why.startsWith("WRONGPASS")) return "it rejects the user or the password of REDIS_URL. Fix REDIS_URL.";
  return `it cannot be used: ${why}. Start it, or fix REDIS_URL.`;
}

/** A Redis without a password accepts any password, so the server starts and the operator believes it is protected. */
function judgePassword(redisUrl: string, first: string): readonly Finding[] {
  if (new URL(redisUrl).password === "" || !first.startsWith("+PONG")) return [];
  return [
    doubt(
      "Redis: REDIS_URL has a password, and Redis answers without one, so that everything that reaches it can read messages. Set its requirepass.",
    ),
  ];
}

function judgeEviction(answer: unknown): Finding {
  const policy = Array.isArray(answer) ? String(answer[1]) : null;
  if (policy === "noeviction") return fine("Redis: it evicts no keys.");
  // Hosted ones often refuse the command.
  if (policy === null) return doubt("Redis: it does not report its maxmemory-policy. Make sure that it is noeviction.");
  return harm(
    `Redis: maxmemory-policy is ${policy}, so that used requests and limits are forgotten when it is full. Set it to noeviction.`,
  );
}

/** Whether the site can cut the Redis subscriptions of a server that hangs (rule PEER-83). */
async function examineCutting(redis: ReturnType<typeof openRedis>): Promise<readonly Finding[]> {
  try {
    await redis.call("CLIENT", "LIST", "TYPE", "pubsub");
    await redis.call("CLIENT", "KILL", "ID", unusedClientId);
    return [];
  } catch {
    return [
      doubt(
        "Redis: it refuses CLIENT LIST or CLIENT KILL, so that people wait for up to 10 s for a server that hangs. Allow both to the user of REDIS_URL.",
      ),
    ];
  }
}
