import { existsSync } from "node:fs";
import { access, constants, stat, statfs } from "node:fs/promises";
import { createServer, isIP } from "node:net";
import { dirname, join } from "node:path";
import { connect as connectTls, type PeerCertificate, type TLSSocket } from "node:tls";
import { callsKeptMs } from "@fava/wire/limits.ts";
import { systemClock } from "@fava/server/adapters/local/clock.ts";
import type { BucketTrouble } from "@fava/server/adapters/blobs/bucket-probe.ts";
import { type CommandPort, withCommands } from "@fava/server/adapters/media/coturn-commands.ts";
import { CoturnRelay } from "@fava/server/adapters/media/coturn-relay.ts";
import { type Config, ConfigError, readConfig } from "@fava/server/config.ts";
import { readDays } from "@fava/server/db/call-days.ts";
import { joinConfigured } from "@fava/server/db/configured.ts";
import { postgresMajorMin } from "@fava/server/db/migrate.ts";
import { openDatabase, type OpenedDatabase } from "@fava/server/db/pool.ts";
import { createLogger } from "@fava/server/edge/http/logger.ts";
import { examineCaddy } from "./examine-caddy.ts";
import { examineMail } from "./examine-mail.ts";
import { examineModels, judgeGreyPicture } from "./examine-models.ts";
import { examineNames, hostOf, relayHostOf } from "./examine-names.ts";
import { examineRedis } from "./examine-redis.ts";
import { doubt, fine, type Finding, harm, judgeClock } from "./finding.ts";
import { parseTurnUrl, probeTurn } from "./turn-probe.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What tests replace of this machine. */
export interface Surroundings {
  /** This machine's clock, in milliseconds. */
  readonly nowMs: () => number;
  readonly freeBytesMin: number;
  readonly postgresMajorMin: number;
  /** Where the picture models are; undefined for those of the source. */
  readonly modelsFolder?: URL;
  /** Tries the picture models. */
  readonly judge: () => Promise<Finding>;
}

/** A day of a busy site's pictures and call log; PostgreSQL stops when the disk is full. */
const freeBytesMin = 1_000_000_000;
/**
 * Connections of each server besides its pools: for jobs, the job engine, the call log, the lock, and watching the
 * database and the other servers.
 */
const connectionsBesides = 11;
const secretLengthMin = 16;
const secretDistinctMin = 8;
const certificateDoubtDays = 14;
const answerTimeoutMs = 5_000;
const dayMs = 86_400_000;
/** One night in which something kept them locked, and the night before. */
const overdueDaysMax = 2;

const here: Surroundings = { nowMs: Date.now, freeBytesMin, postgresMajorMin, judge: judgeGreyPicture };
/**
 * Checks everything that an installation needs, as the server would use it. It changes nothing, deletes the object that
 * it stores in a bucket, and starts the embedded database for the check if it does not run.
 */
export async function examine(environment: Environment, put: Partial<Surroundings> = {}): Promise<readonly Finding[]> {
  const around = { ...here, ...put };
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...error.problems.map((problem) => harm(`Settings: ${problem}.`)), ...examineSecrets(environment)];
  }
  const { findings: names, lost } = await examineNames(config);
  const unlessLost = async (address: string | null, examine: () => Promise<readonly Finding[]>) =>
    lost.has(hostOf(address)) ? [] : await examine();
  const parts = [
    examinePort(config),
    examineDisk(config, around),
    examineModels(config, { modelsFolder: around.modelsFolder, judge: around.judge }),
    unlessLost(config.databaseUrl, () => examineDatabase(config, around, Number(environment["SERVERS"]) || 1)),
    unlessLost(config.databaseReplicaUrl, () => examineReplica(config)),
    unlessLost(config.redisUrl, () => examineRedis(config, { nowMs: around.nowMs, timeoutMs: answerTimeoutMs })),
    unlessLost(config.bucket?.endpoint ?? null, () => examineBucket(config)),
    examineMail(config, { lost, timeoutMs: answerTimeoutMs }),
    examineTurn(config, lost),
    examineCaddy(),
    unlessLost(config.publicOrigin, () => examineCertificate(config, around)),
  ];
  const settings = fine("Settings: they do not contradict each other.");
  const own = [settings, ...examineSecrets(environment), ...examinePush(config), ...names];
  return [...own, ...(await Promise.all(parts)).flat()];
}

const secretNames = [
  "SERVER_SECRET",
  "SERVER_SECRET_OTHER",
  "TURN_SECRET",
  "TURN_CLI_PASSWORD",
  "POSTGRES_PASSWORD",
  "S3_SECRET_ACCESS_KEY",
];

/** Finds secrets that could be guessed, and a secret with two uses. Prints their names, never a letter of them. */
function examineSecrets(environment: Environment): readonly Finding[] {
  const secrets = secretNames.flatMap((name): [string, string][] => {
    const value = environment[name]?.trim() ?? "";
    return value === "" ? [] : [[name, value]];
  });
  const weak = secrets
    .filter(([, value]) => value.length < secretLengthMin || new Set(value).size < secretDistinctMin)
    .map(([name]) =>
      harm(`Secrets: ${name} can be guessed. Make another: node -p "crypto.randomBytes(32).toString('base64url')".`),
    );
  const same = secrets.flatMap(([name, value], index) =>
    secrets
      .slice(index + 1)
      .filter(([, other]) => other === value)
      .map(([other]) =>
        harm(`Secrets: ${name} and ${other} are the same, so a leak of one is a leak of both: make another.`),
      ),
  );
  const found = [...weak, ...same];
  return found.length > 0 || secrets.length === 0 ? found : [fine("Secrets: long, and all different.")];
}

/** Whether users can receive notifications while no page is open. */
function examinePush({ push, settings }: Config): readonly Finding[] {
  if (push.keys) return [fine("Notifications: the keys are set.")];
  if (settings.mode === "development") return [fine("Notifications: /sandbox/push keeps what would be sent.")];
  return [
    doubt(
      "Notifications: without VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY and VAPID_SUBJECT users get no notifications while no page is open. npm run setup:production makes them.",
    ),
  ];
}

/** Whether the server could listen, or already does. */
async function examinePort({ host, port }: Config): Promise<readonly Finding[]> {
  const code = await new Promise<string | null>((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port }, () => server.close(() => resolve(null)));
  });
  if (code === null) return [fine(`Port: ${port} is free.`)];
  if (code === "EACCES") return [harm(`Port: this user may not listen at ${port}. Choose one above 1023 in PORT.`)];
  if (code !== "EADDRINUSE")
    return [harm(`Port: no server can listen at ${host}:${port} (${code}). Fix HOST or PORT.`)];
  const isOurs = await answersAsFava(`http://${host === "0.0.0.0" ? "localhost" : host}:${port}`);
  return isOurs
    ? [fine(`Port: Fava answers at ${port}.`)]
    : [harm(`Port: ${port} is taken by another program. Stop it, or choose another PORT.`)];
}

async function answersAsFava(origin: string): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(answerTimeoutMs) });
    return ((await answer.json()) as { status?: unknown }).status === "up";
  } catch {
    // No answer, or one of another program: the same result.
    return false;
  }
}

/** Whether the data folder is writable and the disk has enough free space. */
async function examineDisk({ dataDirectory }: Config, around: Surroundings): Promise<readonly Finding[]> {
  let folder = dataDirectory;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    await access(folder, constants.W_OK);
  } catch {
    return [harm(`Disk: this user may not write to ${folder}. Give it the folder, or set DATA_DIR to another.`)];
  }
  const { bavail, bsize } = await statfs(folder);
  const free = `${Math.floor((bavail * bsize) / 1_000_000)} MB are free at ${folder}`;
  if (bavail * bsize >= around.freeBytesMin) return [fine(`Disk: ${free}.`)];
  const least = Math.ceil(around.freeBytesMin / 1_000_000);
  return [
    harm(`Disk: only ${free}; with less than ${least} MB pictures and the database soon have no room. Make some.`),
  ];
}

/**
 * A database's version and settings, and its clock compared with this machine's.
 *
 * @param serversWanted the number of servers that the settings plan.
 */
async function examineDatabase(
  config: Config,
  around: Surroundings,
  serversWanted: number,
): Promise<readonly Finding[]> {
  if (config.databaseUrl === null && !existsSync(join(config.dataDirectory, "postgres"))) {
    return [fine("Database: the first start makes one.")];
  }
  try {
    await using server = await joinConfigured(config);
    await using database = openDatabase(server.url, { max: 1 });
    const askedMs = around.nowMs();
    const { rows } = await database.pool.query<Omit<DatabaseSettings, "servers">>(databaseQuestion);
    const [settings] = rows;
    if (!settings) throw new Error("it says nothing of its settings");
    const servers = Math.max(serversWanted, await countServers(database));
    return [
      ...judgeDatabase({ ...settings, servers }, config, around),
      judgeClock("the database", Number(settings.clock_ms), { askedMs, answeredMs: around.nowMs() }),
      ...(await examineCallDays(database, around)),
    ];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [harm(`Database: it cannot be used: ${why}. Fix DATABASE_URL, or start the database.`)];
  }
}

/** The number of servers that use the database now; 0 without tables. */
async function countServers({ pool }: OpenedDatabase): Promise<number> {
  const { rows: tables } = await pool.query<{ found: boolean }>("select to_regclass('processes') is not null as found");
  if (!tables[0]?.found) return 0;
  const { rows } = await pool.query<{ servers: number }>(
    "select count(*)::int as servers from processes where dead_at is null",
  );
  return rows[0]?.servers ?? 0;
}

/** Whether call tables exist in advance and old ones are dropped; nothing for a database without tables. */
async function examineCallDays({ db, pool }: OpenedDatabase, around: Surroundings): Promise<readonly Finding[]> {
  const { rowCount } = await pool.query("select from pg_partitioned_table where partrelid = to_regclass('calls')");
  const days = rowCount ? await readDays(db) : [];
  const today = Math.floor(around.nowMs() / dayMs);
  const overdue = days.filter((day) => (day + 1) * dayMs <= around.nowMs() - callsKeptMs).length;
  const advice = "A running server does this every hour, and its log says why it failed.";
  const found = [
    days.length > 0 &&
      !days.includes(today + 1) &&
      doubt(`Calls: tomorrow's table is missing; the first call would have to create it. ${advice}`),
    overdue > overdueDaysMax &&
      doubt(`Calls: ${overdue} days are kept longer than users were told. They are deleted at night. ${advice}`),
  ];
  return found.filter((finding) => finding !== false);
}

/** Whether the bucket stores, returns, lists and deletes an object. */
async function examineBucket({ bucket }: Config): Promise<readonly Finding[]> {
  if (bucket === null) return [];
  // Loaded only if it is used.
  const { probeBucket } = await import("@fava/server/adapters/blobs/bucket-probe.ts");
  const trouble = await probeBucket(bucket);
  return [trouble ? harm(`Bucket: ${bucketSentence(trouble)}`) : fine("Bucket: it stores, reads, lists and deletes.")];
}

function bucketSentence(trouble: BucketTrouble): string {
  switch (trouble.kind) {
    case "key":
      return "it does not know the key. Fix S3_ACCESS_KEY_ID.";
    case "secret":
      return "the secret does not belong to the key. Fix S3_SECRET_ACCESS_KEY.";
    case "bucket":
      return "there is no bucket of this name. Make it, or mend S3_BUCKET.";
    case "region":
      return "it is in another region. Fix S3_REGION.";
    case "silent":
      return "no server answers in time at S3_ENDPOINT. Start the service, or fix the address.";
    case "refused":
      return `the key may not ${trouble.step} objects. Allow it to put, get, list and delete.`;
    case "other":
      return `it could not ${trouble.step} an object: ${trouble.why}.`;
  }
}

async function examineReplica({ databaseReplicaUrl }: Config): Promise<readonly Finding[]> {
  if (databaseReplicaUrl === null) return [];
  try {
    await using replica = openDatabase(databaseReplicaUrl, { max: 1 });
    const { rows } = await replica.pool.query<{ is_replica: boolean }>("select pg_is_in_recovery() as is_replica");
    if (rows[0]?.is_replica) return [fine("Replica: it replicates a primary.")];
    return [
      doubt(
        "Replica: DATABASE_REPLICA_URL names a database that does not replicate another one, so the server does not use it.",
      ),
    ];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [doubt(`Replica: it cannot be used, and the primary answers for it: ${why}. Fix DATABASE_REPLICA_URL.`)];
  }
}

interface DatabaseSettings {
  /** Of the site that uses this database. */
  servers: number;
  version: number;
  clock_ms: string;
  encoding: string;
  connections: number;
  can_create: boolean;
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
}

const databaseQuestion = `
  select current_setting('server_version_num')::int as version,
    extract(epoch from clock_timestamp()) * 1000 as clock_ms,
    current_setting('server_encoding') as encoding,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as connections,
    has_schema_privilege(current_schema(), 'create')
      and (has_database_privilege(current_database(), 'create') or to_regnamespace('graphile_worker') is not null) as can_create,
    current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
    current_setting('synchronous_commit') as synchronous_commit`;

function judgeDatabase(settings: DatabaseSettings, config: Config, around: Surroundings): readonly Finding[] {
  const major = Math.floor(settings.version / 10_000);
  const { servers } = settings;
  const needed = servers * (config.databaseConnectionsMax + connectionsBesides);
  const unsafe = (["fsync", "full_page_writes", "synchronous_commit"] as const).filter(
    (name) => settings[name] === "off",
  );
  const found = [
    major < around.postgresMajorMin &&
      harm(`Database: it is PostgreSQL ${major}; Fava needs ${around.postgresMajorMin} or newer. Update it.`),
    settings.encoding !== "UTF8" &&
      harm(`Database: its encoding is ${settings.encoding}. Create it again with encoding UTF8, or names are lost.`),
    !settings.can_create &&
      harm("Database: its user may not make tables, so that no update can start. Make the user the database's owner."),
    settings.connections < needed &&
      harm(
        `Database: it lets ${settings.connections} connections in, ${servers === 1 ? "a server opens" : `${servers} servers open`} ${needed}. Raise max_connections, or lower DATABASE_CONNECTIONS.`,
      ),
    ...unsafe.map((name) =>
      harm(`Database: ${name} is off, so a power cut loses payments that were confirmed. Set it to on.`),
    ),
  ].filter((finding) => finding !== false);
  return found.length > 0 ? found : [fine(`Database: PostgreSQL ${major}, with the required settings.`)];
}

/** Whether each relay accepts our credentials and relays a packet between two clients. */
async function examineTurn({ turn, settings }: Config, lost: ReadonlySet<string>): Promise<readonly Finding[]> {
  if (!turn) return [];
  const relay = new CoturnRelay({ ...turn, clock: systemClock, logger: createLogger({ level: "silent" }) });
  const [server] = relay.credentialsFor("doctor").iceServers;
  if (!server?.username || !server.credential) return [];
  const credentials = { username: server.username, credential: server.credential };
  const found = await Promise.all([
    ...turn.commandPorts.filter(({ host }) => !lost.has(host)).map(examineCommandPort),
    ...turn.urls
      .filter((url) => !lost.has(relayHostOf(url)))
      .map(async (url) => {
        try {
          const address = await probeTurn(url, credentials);
          if (settings.mode === "production" && isPrivate(address)) {
            return harm(`TURN: ${url} gives clients the private address ${address}. Set its external-ip.`);
          }
          return fine(`TURN: ${url} relays packets between two clients.`);
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error);
          const named = parseTurnUrl(url) ? url : `"${url}" in TURN_URLS`;
          return harm(`TURN: ${named} ${why}. Calls that need it have no picture and no sound.`);
        }
      }),
  ]);
  if (settings.mode !== "production" || turn.commandPorts.length > 0) return found;
  const why = "a modified browser of a banned user keeps its relay for as long as it likes";
  return [...found, doubt(`TURN: without a command port, ${why}. Set TURN_CLI_ADDRESSES and TURN_CLI_PASSWORD.`)];
}

/** Whether the server can end sessions at a relay. */
async function examineCommandPort(port: CommandPort): Promise<Finding> {
  const address = `${port.host}:${port.port}`;
  try {
    await withCommands(port, (run) => run("psp :doctor"));
    return fine(`TURN: the command port ${address} accepts TURN_CLI_PASSWORD.`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return harm(`TURN: the command port ${address} ${why}. A ban does not end the relay of a modified browser.`);
  }
}

function isPrivate(address: string): boolean {
  return isIP(address) === 4 && /^(?:10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(address);
}

/** The certificate that browsers get from the site. */
async function examineCertificate({ publicOrigin }: Config, around: Surroundings): Promise<readonly Finding[]> {
  if (!publicOrigin?.startsWith("https://")) return [];
  const { hostname, port, host } = new URL(publicOrigin);
  const met = await meet(hostname, Number(port === "" ? 443 : port));
  if (typeof met === "string") {
    return [
      doubt(`TLS: no server answers at ${host} from here (${met}). Start the proxy, and point the domain to it.`),
    ];
  }
  const { certificate, fault } = met;
  const endsMs = Date.parse(certificate.valid_to);
  const ends = `${new Date(endsMs).toISOString().slice(0, 10)}`;
  if (endsMs < around.nowMs()) return [harm(`TLS: the certificate of ${host} ended on ${ends}. Renew it.`)];
  if (fault)
    return [harm(`TLS: browsers refuse the certificate of ${host} (${fault}). Get a certificate for this domain.`)];
  const days = Math.floor((endsMs - around.nowMs()) / dayMs);
  return days < certificateDoubtDays
    ? [doubt(`TLS: the certificate of ${host} ends in ${days} days, on ${ends}. Find out why it was not renewed.`)]
    : [fine(`TLS: the certificate of ${host} is valid until ${ends}.`)];
}

/** The certificate and why a browser would refuse it, or why there is no connection. */
function meet(
  hostname: string,
  port: number,
): Promise<{ certificate: PeerCertificate; fault: string | null } | string> {
  return new Promise((resolve) => {
    const host = hostname.replaceAll(/[[\]]/g, "");
    const name = isIP(host) > 0 ? {} : { servername: host };
    const socket: TLSSocket = connectTls({ host, port, ...name, rejectUnauthorized: false, timeout: answerTimeoutMs });
    const finish = (answer: Parameters<typeof resolve>[0]) => {
      resolve(answer);
      socket.destroy();
    };
    socket.once("error", (error) => finish(error.message)).once("timeout", () => finish("no answer in time"));
    socket.once("secureConnect", () => {
      const fault = socket.authorized ? null : String(socket.authorizationError);
      finish({ certificate: socket.getPeerCertificate(), fault });
    });
  });
}

/** A finding if other users of this machine may read a file with settings, or none. */
export async function examineFile(file: string): Promise<readonly Finding[]> {
  const { mode } = await stat(file);
  if (process.platform === "win32" || (mode & 0o077) === 0) return [];
  return [doubt(`Secrets: others on this machine may read ${file}. Close it: chmod 600.`)];
}
