import { execFile } from "node:child_process";
import { isIP } from "node:net";
import type { Config } from "@fava/server/config.ts";
import { doubt, fine, type Finding, harm } from "./finding.ts";
import { parseTurnUrl } from "./turn-probe.ts";

/** Timeout of one name. The resolver of most systems tries for at least ten seconds, in a thread that nothing ends. */
const resolveTimeoutMs = 5_000;
/** Resolves as the server does, so with /etc/hosts. It prints why it failed. */
const resolving = 'require("node:dns").lookup(process.argv[1], (error) => error && console.log(error.code))';

interface Named {
  readonly setting: string;
  readonly host: string;
  /** Whether a server can do without it. */
  readonly isSpare?: boolean;
}

/**
 * Resolves each host name of the settings in a process of its own, which a timeout can end: a hanging resolver would
 * otherwise look like a database, a Redis and a relay that are all away.
 *
 * @returns the findings, and the hosts that no other check can reach.
 */
export async function examineNames(
  config: Config,
): Promise<{ readonly findings: readonly Finding[]; readonly lost: ReadonlySet<string> }> {
  const names = namesOf(config);
  const faults = await Promise.all(names.map(async (named) => ({ named, fault: await faultOf(named.host) })));
  const lost = faults.filter(({ fault }) => fault !== null);
  const findings = lost.map(({ named: { setting, host, isSpare }, fault }) =>
    (isSpare ? doubt : harm)(`Names: ${host} (${setting}) ${fault}`),
  );
  return {
    findings:
      findings.length > 0 || names.length === 0 ? findings : [fine("Names: each host of the settings is found.")],
    lost: new Set(lost.map(({ named }) => named.host)),
  };
}

/** The host of an address of the settings; empty for none, such as a Unix socket. */
export function hostOf(address: string | null): string {
  return address !== null && URL.canParse(address) ? new URL(address).hostname.replaceAll(/[[\]]/g, "") : "";
}

/** The host of a relay's address; empty for an invalid one. */
export function relayHostOf(url: string): string {
  return parseTurnUrl(url)?.host ?? "";
}

/** Each name once, with the first setting that has it. */
function namesOf(config: Config): readonly Named[] {
  const all: Named[] = [
    { setting: "DATABASE_URL", host: hostOf(config.databaseUrl) },
    { setting: "REDIS_URL", host: hostOf(config.redisUrl) },
    { setting: "PEER_URL", host: hostOf(config.peerUrl) },
    { setting: "S3_ENDPOINT", host: hostOf(config.bucket?.endpoint ?? null) },
    ...(config.turn?.urls ?? []).map((url) => ({ setting: "TURN_URLS", host: relayHostOf(url) })),
    ...(config.turn?.commandPorts ?? []).map(({ host }) => ({ setting: "TURN_CLI_ADDRESSES", host })),
    { setting: "SMTP_URL", host: config.mail?.server.host ?? "", isSpare: true },
    { setting: "PUBLIC_ORIGIN", host: hostOf(config.publicOrigin), isSpare: true },
    { setting: "DATABASE_REPLICA_URL", host: hostOf(config.databaseReplicaUrl), isSpare: true },
    { setting: "OTEL_EXPORTER_OTLP_ENDPOINT", host: hostOf(config.traces.otlpEndpoint), isSpare: true },
  ];
  return all.filter(
    ({ host }, index) => host !== "" && isIP(host) === 0 && all.findIndex((one) => one.host === host) === index,
  );
}

/** What is wrong with a name and how to fix it; null if it resolves. */
function faultOf(host: string): Promise<string | null> {
  const options = { timeout: resolveTimeoutMs, killSignal: "SIGKILL" } as const;
  return new Promise((resolve) => {
    execFile(process.execPath, ["--eval", resolving, host], options, (error, output) => {
      const code = output.trim();
      if (code === "ENOTFOUND") return resolve("does not exist. Fix the setting, or make a DNS record.");
      if (code === "" && error === null) return resolve(null);
      const why = code === "" ? "" : ` (${code})`;
      return resolve(`has no answer: the DNS server is away${why}. Fix it, or /etc/resolv.conf.`);
    });
  });
}
