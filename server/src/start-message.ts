import type { App } from "#app.ts";
import type { Config } from "#config.ts";
import type { EmbeddedDatabase } from "#db/embedded.ts";

/** What a person who started the server wants to know: where it is, and what runs. */
export function startMessage(started: { config: Config; app: App; embedded: EmbeddedDatabase | null }): string {
  const { config, app, embedded } = started;
  const address = app.http.server.address();
  const port = typeof address === "object" && address !== null ? address.port : config.port;
  const host = config.host === "0.0.0.0" || config.host === "::" ? "localhost" : config.host;
  const providers = app.identity.providers.map(({ mode, loginType }) => `${names[loginType]} (${mode})`).join(", ");
  return [
    "",
    `  Fava runs at http://${host}:${port}`,
    "",
    `  database   ${embedded ? `embedded PostgreSQL, data in ${embedded.directory}` : "PostgreSQL of DATABASE_URL"}`,
    `  sign-in    ${providers}`,
    `  media      ${app.media.policy === "relay" ? "relayed through TURN" : "peer-to-peer: people see each other's address"}`,
    `  API        http://${host}:${port}/api/openapi.json`,
    "",
    "  Ctrl-C stops everything.",
    "",
    "",
  ].join("\n");
}

const names = { 1: "Google", 2: "Facebook", 3: "Apple" } as const;
