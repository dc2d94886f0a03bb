import { DatabaseInUseError } from "#db/embedded.ts";
import { MigrationError } from "#db/migrate.ts";
import { ConfigError } from "#env-reader.ts";

/** Why the server did not start, as a sentence for whoever started it; the stack only for faults of ours. */
export function startFailure(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DatabaseInUseError || error instanceof MigrationError) {
    return `Fava cannot start: ${error.message}`;
  }
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
    const port = "port" in error ? String(error.port) : "";
    return `Fava cannot start: port ${port} is taken. Stop what uses it, or choose another: PORT=3001 npm start`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
