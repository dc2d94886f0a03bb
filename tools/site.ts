import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startEmbedded } from "@fava/server/db/embedded.ts";
import { readOrCreateSecret } from "@fava/server/lib/stored-secret.ts";
import { startFailure } from "@fava/server/start-message.ts";
import { siteIsInstalled, SiteProcesses } from "@fava/server/test/fixtures/site-processes.ts";
import { startTurn, turnCliPassword, turnIsInstalled, turnSecret } from "../e2e/support/turn.ts";
import { prepare, root } from "./lib/bootstrap.mjs";
import { readEnvironmentFile, type Settings } from "./lib/production-settings.ts";
import { siteSettings } from "./lib/site-settings.ts";
import { untilSignal } from "./lib/until-signal.ts";

const serversMax = 16;
const certificateDays = 825;
const dayMs = 86_400_000;

/** The site cannot run here; the message is for the user. */
class SiteError extends Error {
  override readonly name = "SiteError";
}

interface Wanted {
  servers: number;
  port: number;
  directory: string;
  isSandbox: boolean;
  given: Settings;
}

/**
 * `npm run site [-- --servers N] [--port PORT] [--data FOLDER] [--sandbox] [FILE]`: several servers as one site on this
 * machine, in production mode, with PostgreSQL, Redis, HAProxy and coturn. Operator settings come from the environment
 * or from the file, such as `deploy/.env`; test credentials replace missing ones, and the output names them.
 * `--sandbox` is development mode, in which everyone can sign in. Ctrl-C ends everything.
 */
async function main(): Promise<void> {
  const wanted = await readWanted();
  if (!siteIsInstalled || !turnIsInstalled)
    throw new SiteError(
      "A site needs Redis, HAProxy, coturn and setpriv (Debian: redis-server haproxy coturn util-linux).",
    );
  if (!prepare()) throw new SiteError("The checkout cannot run.");
  const ended = untilSignal();
  const { directory, port } = wanted;
  mkdirSync(directory, { recursive: true });
  await using database = await startEmbedded({ directory: join(directory, "postgres"), log: console.log });
  await using turn = await startTurn();
  const { settings, sentences } = siteSettings(wanted.isSandbox ? "sandbox" : "production", wanted.given);
  const origin = `https://localhost:${port}`;
  await using site = await SiteProcesses.start({
    databaseUrl: database.url,
    count: wanted.servers,
    port,
    certificateFile: certificateIn(directory),
    environment: {
      ...settings,
      SERVER_SECRET: settings["SERVER_SECRET"] ?? (await readOrCreateSecret(join(directory, "server-secret"))),
      MODERATION: settings["MODERATION"] ?? "auto",
      DATA_DIR: join(directory, "data"),
      DATA_DIR_SHARED: "yes",
      PUBLIC_ORIGIN: origin,
      TURN_URLS: `turn:127.0.0.1:${turn.port}?transport=udp`,
      TURN_SECRET: turnSecret,
      TURN_CLI_ADDRESSES: `127.0.0.1:${turn.cliPort}`,
      TURN_CLI_PASSWORD: turnCliPassword,
    },
  });
  const lines = [
    "",
    `  Fava runs at ${origin}`,
    "",
    ...site.servers.map(({ name, url, pid }) => `  ${name}   ${url}/readyz, ${url}/metrics (process ${pid})`),
    `  HAProxy    ${origin}, with a certificate of its own that browsers warn of`,
    `  PostgreSQL data in ${database.directory}`,
    `  Redis      ${site.redis.url}`,
    `  coturn     turn:127.0.0.1:${turn.port}: people on this machine alone reach it`,
    "",
    ...sentences.map((sentence) => `  ${sentence}.`),
    "",
    "  Ctrl-C stops everything.",
    "",
  ];
  console.log(lines.join("\n"));
  await ended;
  console.log("Stopping");
  const left = await Promise.all(site.servers.map(async (server) => [server.name, await server.stop()] as const));
  for (const [name, status] of left) if (status !== 0) console.log(`${name} ended with ${status}`);
}

async function readWanted(): Promise<Wanted> {
  const options = {
    servers: { type: "string", default: "2" },
    port: { type: "string", default: "8443" },
    data: { type: "string", default: join(root, ".data/site") },
    sandbox: { type: "boolean", default: false },
  } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [servers, port] = [Number(values.servers), Number(values.port)];
  if (!(Number.isInteger(servers) && servers >= 1 && servers <= serversMax))
    throw new SiteError(`--servers is not a number from 1 to ${serversMax}.`);
  if (!(Number.isInteger(port) && port >= 1 && port <= 65_535)) throw new SiteError("--port is not a port.");
  const [file] = positionals;
  const written = file === undefined ? {} : readEnvironmentFile(await readFile(resolve(file), "utf8"));
  const around = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const given = { ...Object.fromEntries(around), ...written };
  return { servers, port, directory: resolve(values.data), isSandbox: values.sandbox, given };
}

/** A certificate for this machine with its key; a new one if it expires within a day. */
function certificateIn(directory: string): string {
  const file = join(directory, "certificate.pem");
  if (existsSync(file)) {
    const { validTo } = new X509Certificate(readFileSync(file));
    if (Date.parse(validTo) > Date.now() + dayMs) return file;
  }
  const made = execFileSync(
    "openssl",
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -keyout - -out -"
      .split(" ")
      .concat("-days", String(certificateDays), "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  writeFileSync(file, made, { mode: 0o600 });
  chmodSync(file, 0o600);
  return file;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof SiteError ? error.message : startFailure(error)}\n`);
  process.exitCode = 1;
}
