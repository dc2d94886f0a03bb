import { examineCaddy } from "./examine-caddy.ts";
import { fine, type Finding, harm } from "./finding.ts";
import { readEnvironmentFile, type Settings } from "./production-settings.ts";
import type { Run } from "./run-program.ts";

/** What the steps read of a machine. */
export interface Machine {
  /** The text of a file; null if it is missing. */
  readonly read: (path: string) => Promise<string | null>;
  /** The lowest nine bits of a file's mode and its owner's id; null if it is missing. */
  readonly rights: (path: string) => Promise<{ mode: number; userId: number } | null>;
  readonly run: Run;
  /** Status and text of an answer, or why there is none. */
  readonly get: (url: string) => Promise<{ status: number; text: string } | string>;
  /** The findings of the doctor. */
  readonly examine: (settings: Settings) => Promise<readonly Finding[]>;
  /** How many accounts are administrators; null if the database does not tell. */
  readonly administrators: (databaseUrl: string) => Promise<number | null>;
}

/** One step of an installation with systemd, as numbered in docs/operations/install.md. */
export interface Step {
  readonly title: string;
  /** Empty until the settings are readable, for a step that needs them. */
  readonly findings: readonly Finding[];
  /** What to do if the step is not done. */
  readonly next: string;
}

interface Known {
  readonly machine: Machine;
  readonly settings: Settings | null;
  /** Of the doctor; empty without settings. */
  readonly findings: readonly Finding[];
}

const user = "fava";
const program = "/opt/fava/server/current/main.js";
const coturnFile = "/etc/turnserver.conf";
const nodeMin = [20, 19] as const;
const proxies = ["caddy", "haproxy", "nginx"];
const backups = /backup|backrest|barman|wal-g|restic|borg/;
/** Debian's own, of its list of packages. */
const otherBackups = /\bdpkg-db-backup\b/;

/** The twelve steps on this machine, in their order. */
export async function siteSteps(machine: Machine, settingsFile: string): Promise<readonly Step[]> {
  const text = await machine.read(settingsFile);
  const settings = text === null ? null : readEnvironmentFile(text);
  const ofUnit = { NODE_ENV: "production", DATA_DIR: `/var/lib/${user}` };
  const findings = settings === null ? [] : await machine.examine({ ...ofUnit, ...settings });
  const known: Known = { machine, settings, findings };
  return Promise.all([
    step("Node.js", `install Node.js ${nodeMin.join(".")} or newer as /usr/bin/node`, nodeIsThere(machine)),
    step(
      "User",
      `useradd --system --home-dir /var/lib/${user} --shell /usr/sbin/nologin ${user}`,
      userIsThere(machine),
    ),
    step("Program", "check out /opt/fava, and run node tools/build-server.mjs there", programIsBuilt(machine)),
    step("Database", "create the role and the database, and write DATABASE_URL", databaseAnswers(known)),
    step("Settings", `npm run setup:production -- ${settingsFile}`, settingsAreRight(known, settingsFile)),
    step("Relay", `fill deploy/coturn/turnserver.conf in, as ${coturnFile}`, relayAnswers(known)),
    step("Server", "systemctl enable --now fava, or fava@3001 fava@3002", serverRuns(machine)),
    step("Proxy", "install deploy/Caddyfile or deploy/haproxy/haproxy.cfg, and enable the proxy", proxyRuns(machine)),
    step(
      "Certificate",
      "point the domain here; Caddy gets one, and certbot does for HAProxy",
      certificateIsValid(known),
    ),
    step("Public name", "open ports 80 and 443, and look into the log of the proxy", publicNameAnswers(known)),
    step("Backup", "systemctl enable --now fava-backup.timer", backupIsTimed(machine)),
    step("Administrator", "npm run grant -- administrator NUMBER, or ADMIN_IDENTITIES", administratorIs(known)),
  ]);
}

/** Whether nothing of a step is wrong or unknown. A doubt of the doctor leaves a step done. */
export function isDone({ findings }: Step): boolean {
  return findings.length > 0 && findings.every(({ kind }) => kind !== "harm");
}

async function step(title: string, next: string, findings: Promise<readonly Finding[]>): Promise<Step> {
  return { title, next, findings: await findings };
}

async function nodeIsThere({ run }: Machine): Promise<readonly Finding[]> {
  const version = (await run("/usr/bin/node", ["--version"]))?.trim() ?? null;
  if (version === null) return [harm("/usr/bin/node, which the units start, is missing.")];
  const [major = 0, minor = 0] = version.slice(1).split(".").map(Number);
  const isNew = major > nodeMin[0] || (major === nodeMin[0] && minor >= nodeMin[1]);
  return [isNew ? fine(`/usr/bin/node is ${version}.`) : harm(`/usr/bin/node is ${version}, which is too old.`)];
}

async function userIsThere({ run }: Machine): Promise<readonly Finding[]> {
  const line = await run("getent", ["passwd", user]);
  return [line === null ? harm(`there is no user ${user}.`) : fine(`the user ${user} is there.`)];
}

async function programIsBuilt({ run, rights }: Machine): Promise<readonly Finding[]> {
  if ((await rights(program)) === null) return [harm(`${program} is missing.`)];
  const isReadable = (await run("runuser", ["-u", user, "--", "test", "-r", program])) !== null;
  return [
    isReadable
      ? fine(`${program} is built.`)
      : harm(`the user ${user} may not read ${program}: chmod -R go+rX /opt/fava.`),
  ];
}

async function databaseAnswers(known: Known): Promise<readonly Finding[]> {
  const lost = lostNames(known, ["DATABASE_URL", "DATABASE_REPLICA_URL", "REDIS_URL"]);
  return [...lost, ...(await ofDoctor(known, ["Database", "Clock", "Replica", "Redis"]))];
}

/** The host names in these settings that do not resolve. The doctor examines nothing else of such a host. */
function lostNames({ settings, findings }: Known, names: readonly string[]): readonly Finding[] {
  return findings.filter(({ kind, sentence }) => {
    const host = /^Names: (\S+) \(/.exec(sentence)?.[1];
    return kind !== "fine" && host !== undefined && names.some((name) => settings?.[name]?.includes(host));
  });
}

/** What the doctor finds about these parts. */
async function ofDoctor({ findings }: Known, parts: readonly string[]): Promise<readonly Finding[]> {
  return findings.filter(({ sentence }) => parts.some((part) => sentence.startsWith(`${part}:`)));
}

async function settingsAreRight(known: Known, file: string): Promise<readonly Finding[]> {
  const rights = await known.machine.rights(file);
  if (rights === null) return [harm(`${file} is missing.`)];
  const isClosed = rights.userId === 0 && (rights.mode & 0o077) === 0;
  return [
    isClosed
      ? fine(`${file} is readable for root alone.`)
      : harm(`others may read ${file}, which holds secrets: chown root:root, chmod 600.`),
    ...(await ofDoctor(known, ["Settings", "Secrets"])),
  ];
}

/** Compares coturn's file with the settings, unless the relay is on another machine. */
async function relayAnswers(known: Known): Promise<readonly Finding[]> {
  const { machine, settings } = known;
  if (settings === null) return [];
  const lost = lostNames(known, ["TURN_URLS", "TURN_CLI_ADDRESSES"]);
  const answers = [...lost, ...(await ofDoctor(known, ["TURN"]))];
  const text = await machine.read(coturnFile);
  if (text === null) {
    return answers.length > 0 && answers.every(({ kind }) => kind !== "harm")
      ? answers
      : [harm(`${coturnFile} is missing, and no relay elsewhere answers.`), ...answers];
  }
  const lines = text.split("\n").map((line) => line.trim());
  const valuesOf = (name: string) =>
    lines.flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []));
  const domain = settings["DOMAIN"] ?? hostOf(settings["PUBLIC_ORIGIN"]);
  const wanted: readonly [string, string | undefined, string][] = [
    ["static-auth-secret", settings["TURN_SECRET"], "TURN_SECRET"],
    ["realm", domain, "the domain"],
    ["cli-password", settings["TURN_CLI_PASSWORD"], "TURN_CLI_PASSWORD"],
  ];
  const different = wanted.flatMap(([name, value, whose]) =>
    value === undefined || valuesOf(name).includes(value) ? [] : [harm(`${coturnFile}: ${name} is not ${whose}.`)],
  );
  const isSecret = lines.includes("use-auth-secret");
  const found = [...different, ...(isSecret ? [] : [harm(`${coturnFile}: use-auth-secret is missing.`)])];
  return [
    ...(found.length > 0 ? found : [fine(`${coturnFile} has the secret and the realm of the server.`)]),
    ...answers,
  ];
}

function hostOf(origin = ""): string | undefined {
  return URL.canParse(origin) ? new URL(origin).hostname : undefined;
}

interface Unit {
  readonly name: string;
  readonly isActive: boolean;
  readonly isEnabled: boolean;
}

async function unitsOf({ run }: Machine, names: readonly string[]): Promise<readonly Unit[]> {
  const shown = await run("systemctl", ["show", "--property=Id,ActiveState,UnitFileState", ...names]);
  return (shown ?? "").split("\n\n").flatMap((block) => {
    const fields = new Map(block.split("\n").map((line) => line.split("=", 2) as [string, string]));
    const name = fields
      .get("Id")
      ?.trim()
      .replace(/\.service$/, "");
    const state = fields.get("ActiveState");
    const isEnabled = fields.get("UnitFileState") === "enabled";
    return name ? [{ name, isActive: state === "active", isEnabled }] : [];
  });
}

async function serverRuns(machine: Machine): Promise<readonly Finding[]> {
  const units = await unitsOf(machine, [`${user}.service`, `${user}@*.service`]);
  const wanted = units.filter(({ isActive, isEnabled }) => isActive || isEnabled);
  if (wanted.length === 0) return [harm("no unit of a server is enabled.")];
  return wanted.map(({ name, isActive, isEnabled }) => {
    if (!isActive) return harm(`${name} is enabled and does not run: journalctl -u ${name}.`);
    return isEnabled
      ? fine(`${name} runs.`)
      : harm(`${name} runs, and will not after a restart of the machine: systemctl enable ${name}.`);
  });
}

async function proxyRuns(machine: Machine): Promise<readonly Finding[]> {
  const units = await unitsOf(
    machine,
    proxies.map((name) => `${name}.service`),
  );
  const running = units.filter(({ isActive }) => isActive);
  if (running.length === 0) return [harm(`none of ${proxies.join(", ")} runs.`)];
  const found = running.map(({ name, isEnabled }) =>
    isEnabled
      ? fine(`${name} runs.`)
      : harm(`${name} runs, and will not after a restart of the machine: systemctl enable ${name}.`),
  );
  if (!running.some(({ name }) => name === "caddy")) return found;
  return [...found, ...(await examineCaddy(machine.run))];
}

/** A domain without an address, or a certificate that no one receives or that ends soon, is a step to do, too. */
async function certificateIsValid(known: Known): Promise<readonly Finding[]> {
  const seen = await ofDoctor(known, ["TLS"]);
  const findings = seen.length > 0 ? seen : await ofDoctor(known, ["Names"]);
  return findings.map(({ kind, sentence }) => (kind === "fine" ? fine(sentence) : harm(sentence)));
}

async function publicNameAnswers({ machine, settings }: Known): Promise<readonly Finding[]> {
  const origin = settings?.["PUBLIC_ORIGIN"];
  if (!origin) return [];
  const [ready, metrics] = await Promise.all([machine.get(`${origin}/readyz`), machine.get(`${origin}/metrics`)]);
  if (typeof ready === "string") return [harm(`${origin} does not answer: ${ready}.`)];
  const found = [
    ready.status === 200
      ? fine(`${origin}/readyz is ready.`)
      : harm(`${origin}/readyz answers ${ready.status}: ${ready.text.slice(0, shownMax)}`),
  ];
  return typeof metrics !== "string" && metrics.status === 200
    ? [...found, harm(`everyone can read ${origin}/metrics: let the proxy refuse it.`)]
    : found;
}

const shownMax = 200;

async function backupIsTimed({ run }: Machine): Promise<readonly Finding[]> {
  const timers = (await run("systemctl", ["list-timers", "--plain", "--no-legend"])) ?? "";
  const line = timers.split("\n").find((one) => backups.test(one) && !otherBackups.test(one));
  return [
    line === undefined ? harm("no timer makes a backup.") : fine(`${/\S+\.timer/.exec(line)?.[0] ?? line} is set.`),
  ];
}

async function administratorIs({ machine, settings }: Known): Promise<readonly Finding[]> {
  if (settings === null) return [];
  const url = settings["DATABASE_URL"] ?? "";
  const count = url === "" ? null : await machine.administrators(url);
  if (count !== null && count > 0)
    return [fine(`${count} ${count === 1 ? "account is" : "accounts are"} administrator.`)];
  return settings["ADMIN_IDENTITIES"]
    ? [fine("ADMIN_IDENTITIES names who becomes administrator by signing in.")]
    : [harm("no account is administrator.")];
}
