import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { systemClock } from "#adapters/local/clock.ts";
import { startConfigured } from "#db/configured.ts";
import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/pool.ts";
import { takePlace } from "#db/server-place.ts";
import { createLogger } from "#edge/http/logger.ts";
import { DisposalStack } from "#lib/disposal-stack.ts";
import { keptSecret } from "#lib/kept-secret.ts";
import { compileTextRules } from "#moderation/text-service.ts";
import { type Config, readConfig } from "./config.ts";
import { AppContext } from "./context.ts";
import { startFailure, startMessage, stopSignals } from "./start-message.ts";
import { exitSoon, watchStop } from "./stop-watch.ts";

const lostStopMs = 3_000;
/** It writes down what it has in memory. */
const embeddedStopMsMax = 60_000;

/** Starts the product, serves until a signal comes, and stops it again; with `--migrate` it ends once the tables are there. */
async function main(): Promise<void> {
  const config = readConfig();
  const nextSignal = stopSignals();
  const stopSignal = nextSignal();
  const logger = createLogger({ level: config.logLevel });
  // Ended in the opposite order: the app writes what is left before its database goes.
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
    // Ctrl-C and the next signal do not wait.
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
  /** Waits for calls, where other servers are there. */
  drain: () => Promise<void>;
  /** Resolves when the database has become another server's. */
  lost: Promise<unknown>;
}

/** Resolves with the signal that asks for a stop; null where the database was lost, or only tables were to be made. */
async function serve({ config, disposal, logger, stopSignal }: Serving): Promise<Ending | null> {
  await mkdir(config.dataDirectory, { recursive: true });
  const embedded = await startConfigured(config);
  if (embedded) disposal.use(embedded, { name: "embedded database", limitMs: embeddedStopMsMax });
  const databaseUrl = embedded?.url ?? config.databaseUrl ?? "";
  // The embedded one is locked by its folder already.
  const place = embedded ?? (await takePlace(databaseUrl, { isShared: config.redisUrl !== null }));
  if (place !== embedded) disposal.use(place, { name: "place in the database" });
  const database = openDatabase(databaseUrl, {
    max: config.databaseConnectionsMax,
    outages: {
      clock: systemClock,
      began: (error) => logger.error({ err: error }, "the database is away: calls get code 503 until it is back"),
      ended: (lastedMs) => logger.info({ lastedMs }, "the database is back"),
      connectionLost: (error) => logger.warn({ err: error }, "a database connection was lost"),
    },
  });
  disposal.use(database, { name: "database connections" });
  await migrate(database.jobs);
  if (process.argv.includes("--migrate")) return null;
  const serverSecret = config.serverSecret ?? (await keptSecret(join(config.dataDirectory, "server-secret")));
  const outside = { config, database, serverSecret, logger, disposal, isAlone: embedded !== null };
  const app = await AppContext.create(outside);
  await app.http.listen({ host: config.host, port: config.port });
  process.stdout.write(startMessage({ config, app, embedded }));
  // To `npm start`, which from now on starts it again.
  process.send?.({ type: "ready" });
  void compileTextRules();
  const lost = Promise.race([place.lost, app.lost]).then(() => null);
  const signal = await Promise.race([stopSignal, lost]);
  if (signal !== null) return { signal, drain: app.drain, lost };
  logger.fatal(
    "the database has ended, another server has it, or took this one for dead; this server ends too, to be started anew",
  );
  process.exitCode = 1;
  // What cannot be written any more need not be waited for.
  setTimeout(() => process.exit(1), lostStopMs).unref();
  return null;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${startFailure(error)}\n`);
  process.exitCode = 1;
}
