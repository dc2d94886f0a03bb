import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "#adapters/local/clock.ts";
import { startConfigured } from "#db/configured.ts";
import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/pool.ts";
import { takePlace } from "#db/server-place.ts";
import { createLogger } from "#edge/http/logger.ts";
import { keptSecret } from "#lib/kept-secret.ts";
import { compileTextRules } from "#moderation/text-service.ts";
import { readConfig } from "./config.ts";
import { AppContext } from "./context.ts";
import { startFailure, startMessage, stopSignals } from "./start-message.ts";

const databaseLost = Symbol("database lost");
const lostStopMs = 3_000;

/** Starts the product, serves until a signal comes, and stops it again; with `--migrate` it ends once the tables are there. */
async function main(): Promise<void> {
  const config = readConfig();
  const nextSignal = stopSignals();
  const stopSignal = nextSignal();
  const logger = createLogger({ level: config.logLevel });
  await mkdir(config.dataDirectory, { recursive: true });
  // Disposed in the opposite order: the app writes what is left before its database goes.
  await using embedded = await startConfigured(config);
  const databaseUrl = embedded?.url ?? config.databaseUrl ?? "";
  // The embedded one is locked by its folder already.
  await using place = embedded ?? (await takePlace(databaseUrl, { isShared: config.redisUrl !== null }));
  await using database = openDatabase(databaseUrl, {
    max: config.databaseConnectionsMax,
    outages: {
      clock: systemClock,
      began: (error) => logger.error({ err: error }, "the database is away: calls get code 503 until it is back"),
      ended: (lastedMs) => logger.info({ lastedMs }, "the database is back"),
      connectionLost: (error) => logger.warn({ err: error }, "a database connection was lost"),
    },
  });
  await migrate(database.jobs);
  if (process.argv.includes("--migrate")) return;
  const serverSecret = config.serverSecret ?? (await keptSecret(join(config.dataDirectory, "server-secret")));
  await using app = await AppContext.create({ config, database, serverSecret, logger, isAlone: embedded !== null });
  await app.http.listen({ host: config.host, port: config.port });
  process.stdout.write(startMessage({ config, app, embedded }));
  // To `npm start`, which from now on starts it again.
  process.send?.({ type: "ready" });
  void compileTextRules();
  const lost = [place.lost, app.lost].map((end) => end.then(() => databaseLost));
  const ending = await Promise.race([stopSignal, ...lost]);
  if (ending !== databaseLost) {
    logger.info({ signal: ending }, "stopping");
    // Ctrl-C and the next signal do not wait.
    if (ending !== "SIGINT") await Promise.race([app.drain(), nextSignal(), ...lost]);
    return;
  }
  logger.fatal(
    "the database has ended, another server has it, or took this one for dead; this server ends too, to be started anew",
  );
  process.exitCode = 1;
  // What cannot be written any more need not be waited for.
  setTimeout(() => process.exit(1), lostStopMs).unref();
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${startFailure(error)}\n`);
  process.exitCode = 1;
}
