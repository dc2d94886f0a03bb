import { DatabaseInUseError, type EmbeddedDatabase } from "#db/embedded.ts";
import { MigrationError } from "#db/migrate.ts";
import { SecondServerError } from "#db/server-lock.ts";
import { DatabaseUnavailableError } from "#db/unavailable.ts";
import { MetricsPortError } from "#edge/http/metrics-listener.ts";
import type { AppContext } from "./context.ts";
import { type Config, ConfigError } from "./config.ts";

export function startMessage(started: {
  config: Config;
  app: Pick<AppContext, "http" | "adapters">;
  embedded: EmbeddedDatabase | null;
}): string {
  const { config, app, embedded } = started;
  const address = app.http.server.address();
  const port = typeof address === "object" && address !== null ? address.port : config.port;
  const host = hostName(config.host);
  const providers = app.adapters.identity.providers
    .map(({ mode, loginType }) => `${names[loginType]} (${mode})`)
    .join(", ");
  return [
    "",
    `  Fava runs at http://${host}:${port}`,
    "",
    `  database   ${embedded ? `embedded PostgreSQL, data in ${embedded.directory}` : "PostgreSQL of DATABASE_URL"}`,
    `  sign-in    ${providers}`,
    `  media      ${app.adapters.media.policy === "relay" ? "relayed through TURN" : "peer-to-peer: users see each other's IP address"}`,
    `  API        http://${host}:${port}/api/openapi.json`,
    ...(config.metrics ? [`  metrics    http://${hostName(config.metrics.host)}:${config.metrics.port}/metrics`] : []),
    "",
    "  Ctrl-C stops everything.",
    "",
    "",
  ].join("\n");
}

function hostName(host: string): string {
  return host === "0.0.0.0" || host === "::" ? "localhost" : host;
}

const names = { 1: "Google", 2: "Facebook", 3: "Apple" } as const;

const sentences = [
  ConfigError,
  DatabaseInUseError,
  DatabaseUnavailableError,
  MetricsPortError,
  MigrationError,
  SecondServerError,
];

/** The stack is included only for our own faults. */
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

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Waits for the next signal. A signal without a waiter, during a long stop, exits at once. */
export function stopSignals(): () => Promise<string> {
  let heard: ((signal: string) => void) | null = null;
  for (const signal of signals) {
    process.on(signal, () => {
      if (!heard) process.exit(1);
      const tell = heard;
      heard = null;
      tell(signal);
    });
  }
  return () => new Promise((resolve) => (heard = resolve));
}
