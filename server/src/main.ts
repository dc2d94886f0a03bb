import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { systemClock } from "#adapters/local/clock.ts";
import { startConfigured } from "#db/configured.ts";
import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/pool.ts";
import { takeServerLock } from "#db/server-lock.ts";
import { createLogger } from "#edge/http/logger.ts";
import { MetricsListener } from "#edge/http/metrics-listener.ts";
import { DisposalStack } from "#lib/disposal-stack.ts";
import { ServerSecret } from "#lib/server-secret.ts";
import { readOrCreateSecret } from "#lib/stored-secret.ts";
import { compileTextRules } from "#moderation/text-service.ts";
import { type Config, readConfig } from "./config.ts";
import { AppContext } from "./context.ts";
import { startFailure, startMessage, stopSignals } from "./start-message.ts";
import { exitSoon, watchStop } from "./stop-watch.ts";

const lostStopMs = 3_000;
/** It writes its buffers to disk. */
const embeddedStopMsMax = 60_000;

/** Starts the product, serves until a signal arrives, and stops it; with `--migrate` it exits after the migration. */
async function main(): Promise<void> {
  const config = readConfig();
  const nextSignal = stopSignals();
  const stopSignal = nextSignal();
  const logger = createLogger({ level: config.logLevel });
  // Disposed in reverse order: the app writes its pending data before the database stops.
  const disposal = new DisposalStack({ clock: systemClock, logger });
  let watch: Disposable | null = null;
  try {
    const ending = await serve({ config, disposal, logger, stopSignal });
    if (!ending) return;
    logger.info({ signal: ending.signal }, "stopping");
    let isDraining = ending.signal !== "SIGINT";
    const left = () => [...(isDraining ? ["drain"] : []), ...disposal.unended];
    watch = watchStop({
      clock: systemClock,
      logger,
      left,
      drainMs: config.drainMs,
      exit: (code) => process.exit(code),
    });
    // Ctrl-C and a second signal do not wait for the drain.
    if (isDraining) await Promise.race([ending.drain(), nextSignal(), ending.lost]);
    isDraining = false;
  } finally {
    try {
      await disposal[Symbol.asyncDispose]();
    } finally {
      watch?.[Symbol.dispose]();
      exitSoon(logger);
    }
  }
}

interface Serving {
  config: Config;
  disposal: DisposalStack;
  logger: Logger;
  stopSignal: Promise<string>;
}

interface Ending {
  signal: string;
  /** Waits for calls if there are other servers. */
  drain: () => Promise<void>;
  /** Resolves when another server has the database. */
  lost: Promise<unknown>;
}

/** Resolves with the stop signal; null after losing the database, or with `--migrate`. */
async function serve({ config, disposal, logger, stopSignal }: Serving): Promise<Ending | null> {
  await mkdir(config.dataDirectory, { recursive: true });
  const embedded = await startConfigured(config);
  if (embedded) disposal.use(embedded, { name: "embedded database", limitMs: embeddedStopMsMax });
  const databaseUrl = embedded?.url ?? config.databaseUrl ?? "";
  // The embedded database locks its folder instead.
  const place = embedded ?? (await takeServerLock(databaseUrl, { isShared: config.redisUrl !== null }));
  if (place !== embedded) disposal.use(place, { name: "place in the database" });
  const database = openDatabase(databaseUrl, {
    max: config.databaseConnectionsMax,
    outages: {
      clock: systemClock,
      began: (error) => logger.error({ err: error }, "database is unavailable, answering requests with 503"),
      ended: (lastedMs) => logger.info({ lastedMs }, "database is available again"),
      connectionLost: (error) => logger.warn({ err: error }, "database connection lost"),
    },
  });
  disposal.use(database, { name: "database connections" });
  await migrate(database.jobs);
  if (process.argv.includes("--migrate")) return null;
  const ownSecret = config.serverSecret ?? (await readOrCreateSecret(join(config.dataDirectory, "server-secret")));
  const serverSecret = new ServerSecret(ownSecret, config.otherSecret);
  const outside = { config, database, serverSecret, logger, disposal, isAlone: embedded !== null };
  const app = await AppContext.create(outside);
  if (config.metrics)
    disposal.use(await MetricsListener.open({ ...config.metrics, metrics: app.metrics, logger }), { name: "metrics" });
  await app.http.listen({ host: config.host, port: config.port });
  process.stdout.write(startMessage({ config, app, embedded }));
  // Tells `npm start` to restart the server from now on.
  process.send?.({ type: "ready" });
  const compiling = new AbortController();
  void compileTextRules(compiling.signal);
  const lost = Promise.race([place.lost, app.lost]).then(() => null);
  const signal = await Promise.race([stopSignal, lost]);
  compiling.abort();
  if (signal !== null) return { signal, drain: app.drain, lost };
  logger.fatal("lost the database, or was declared dead by other servers; exiting for a restart");
  process.exitCode = 1;
  // Pending writes cannot succeed, so do not wait for them.
  setTimeout(() => process.exit(1), lostStopMs).unref();
  return null;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${startFailure(error)}\n`);
  process.exitCode = 1;
}
