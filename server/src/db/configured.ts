import { join } from "node:path";
import type { Config } from "#config.ts";
import {
  DatabaseInUseError,
  type EmbeddedDatabase,
  type EmbeddedOptions,
  placeCluster,
  runningEmbeddedUrl,
  startEmbedded,
} from "./embedded.ts";

type DatabaseConfig = Pick<Config, "databaseUrl" | "dataDirectory">;

/**
 * Null where `databaseUrl` is set.
 * @throws DatabaseInUseError
 */
export async function startConfigured(config: DatabaseConfig): Promise<EmbeddedDatabase | null> {
  return config.databaseUrl === null ? startEmbedded(embeddedOptions(config)) : null;
}

/** Opens the database for commands, also beside a running server. Disposing stops only what this function started. */
export async function joinConfigured(config: DatabaseConfig): Promise<AsyncDisposable & { url: string }> {
  const borrowed = (url: string) => ({ url, [Symbol.asyncDispose]: () => Promise.resolve() });
  if (config.databaseUrl !== null) return borrowed(config.databaseUrl);
  const options = embeddedOptions(config);
  try {
    return await startEmbedded(options);
  } catch (error) {
    const url = error instanceof DatabaseInUseError ? await runningEmbeddedUrl(options) : null;
    if (url === null) throw error;
    return borrowed(url);
  }
}

/** Creates the embedded PostgreSQL's data from what `fill` writes. @throws where data exist already. */
export async function restoreConfigured(
  config: DatabaseConfig,
  fill: (directory: string) => Promise<void>,
): Promise<void> {
  await placeCluster(embeddedOptions(config), fill);
}

function embeddedOptions({ dataDirectory }: DatabaseConfig): EmbeddedOptions {
  const directory = join(dataDirectory, "postgres");
  return { directory, log: (message) => process.stderr.write(`${message}\n`) };
}
