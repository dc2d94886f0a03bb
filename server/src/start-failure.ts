import { DatabaseInUseError } from "#db/embedded.ts";
import { MigrationError } from "#db/migrate.ts";
import { SecondServerError } from "#db/sole-server.ts";
import { DatabaseUnavailableError } from "#db/unavailable.ts";
import { ConfigError } from "#env-reader.ts";

const sentences = [ConfigError, DatabaseInUseError, DatabaseUnavailableError, MigrationError, SecondServerError];

/** Why the server did not start, as a sentence for whoever started it; the stack only for faults of ours. */
export function startFailure(error: unknown): string {
  if (sentences.some((sentence) => error instanceof sentence)) {
    return `Fava cannot start: ${(error as Error).message}`;
  }
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
    const port = "port" in error ? String(error.port) : "";
    return `Fava cannot start: port ${port} is taken. Stop what uses it, or choose another: PORT=3001 npm start`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
