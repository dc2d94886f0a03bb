import { describe, expect, test } from "vitest";
import { examineCaddy } from "./lib/examine-caddy.ts";
import { doubt, fine, type Finding, harm } from "./lib/finding.ts";
import { isDone, type Machine, siteSteps } from "./lib/site-steps.ts";

const settingsFile = "/etc/fava/env";
const program = "/opt/fava/server/current/main.js";
const coturn = "use-auth-secret\nstatic-auth-secret=relay-secret\nrealm=fava.test\ncli-password=cli-secret\n";
const settings =
  "DOMAIN=fava.test\nPUBLIC_ORIGIN=https://fava.test\nDATABASE_URL=postgres://fava@localhost/fava\nTURN_SECRET=relay-secret\nTURN_CLI_PASSWORD=cli-secret\n";
const sound = [
  fine("Settings: they do not contradict each other."),
  fine("Database: PostgreSQL 15."),
  fine("TURN: turn:fava.test relays packets."),
  fine("TLS: the certificate of fava.test is valid until 2027-01-01."),
];
const unit = (name: string, state = "active", file = "enabled") =>
  `Id=${name}.service\nActiveState=${state}\nUnitFileState=${file}\n`;

/** A machine on which all steps are done, except for these answers. */
function machine(changed: {
  files?: Readonly<Record<string, string>>;
  answers?: Readonly<Record<string, string | null>>;
  findings?: readonly Finding[];
  rights?: Readonly<Record<string, { mode: number; userId: number } | null>>;
  get?: Machine["get"];
  administrators?: number;
}): Machine {
  const files: Readonly<Record<string, string>> = {
    [settingsFile]: settings,
    "/etc/turnserver.conf": coturn,
    ...changed.files,
  };
  const answers: Readonly<Record<string, string | null>> = {
    "/usr/bin/node --version": "v24.1.0\n",
    "getent passwd fava": "fava:x:990:990::/var/lib/fava:/usr/sbin/nologin\n",
    [`runuser -u fava -- test -r ${program}`]: "",
    "systemctl show --property=Id,ActiveState,UnitFileState fava.service fava@*.service": unit("fava"),
    "systemctl show --property=Id,ActiveState,UnitFileState caddy.service haproxy.service nginx.service": `${unit("caddy")}\n${unit("haproxy", "inactive", "")}`,
    "caddy version": "v2.10.2 h1:abc=\n",
    "systemctl list-timers --plain --no-legend":
      "Mon 2026-11-30 03:00:00 UTC 9h left - - fava-backup.timer fava-backup.service\n",
    ...changed.answers,
  };
  const rights: Readonly<Record<string, { mode: number; userId: number } | null>> = {
    [settingsFile]: { mode: 0o600, userId: 0 },
    [program]: { mode: 0o644, userId: 0 },
    ...changed.rights,
  };
  return {
    read: async (path) => files[path] || null,
    rights: async (path) => rights[path] ?? null,
    run: async (name, words) => answers[[name, ...words].join(" ")] ?? null,
    get:
      changed.get ?? (async (url) => (url.endsWith("/readyz") ? { status: 200, text: "" } : { status: 404, text: "" })),
    examine: async () => changed.findings ?? sound,
    administrators: async () => changed.administrators ?? 1,
  };
}

async function open(changed: Parameters<typeof machine>[0]): Promise<string[]> {
  const steps = await siteSteps(machine(changed), settingsFile);
  expect(steps).toHaveLength(12);
  return steps.filter((step) => !isDone(step)).map(({ title }) => title);
}

async function said(title: string, changed: Parameters<typeof machine>[0]): Promise<string> {
  const steps = await siteSteps(machine(changed), settingsFile);
  const found = steps.find((step) => step.title === title)?.findings ?? [];
  return found.map(({ kind, sentence }) => `${kind}: ${sentence}`).join("\n");
}

describe("the steps of an installation", () => {
  test("are all done on a machine that serves", async () => {
    expect(await open({})).toEqual([]);
  });

  test("wait for the settings where they need them", async () => {
    const bare = { files: { [settingsFile]: "" }, rights: { [settingsFile]: null } };
    expect(await open(bare)).toEqual(["Database", "Settings", "Relay", "Certificate", "Public name", "Administrator"]);
    expect(await said("Database", bare)).toBe("");
  });

  test("name a Node.js, a user and a program that are missing", async () => {
    const answers = { "/usr/bin/node --version": "v18.20.4\n", "getent passwd fava": null };
    expect(await open({ answers, rights: { [program]: null } })).toEqual(["Node.js", "User", "Program"]);
    expect(await said("Program", { answers: { [`runuser -u fava -- test -r ${program}`]: null } })).toMatch(
      /^harm: .*may not read/,
    );
  });

  test("find settings that others may read", async () => {
    expect(await said("Settings", { rights: { [settingsFile]: { mode: 0o640, userId: 0 } } })).toMatch(
      /^harm: others may read/,
    );
    expect(await open({ rights: { [settingsFile]: { mode: 0o600, userId: 990 } } })).toEqual(["Settings"]);
  });

  test("compare the file of coturn with the settings, without showing a secret", async () => {
    const files = {
      "/etc/turnserver.conf": "static-auth-secret=other-secret\nrealm=fava.test\ncli-password=cli-secret\n",
    };
    const found = await said("Relay", { files });
    expect(found).toMatch(/harm: .*static-auth-secret is not TURN_SECRET/);
    expect(found).toMatch(/harm: .*use-auth-secret is missing/);
    expect(found).not.toMatch(/realm is|cli-password is|other-secret|relay-secret/);
  });

  test("accept a relay on another machine, if it answers", async () => {
    const files = { "/etc/turnserver.conf": "" };
    expect(await open({ files })).toEqual([]);
    const silent = [...sound.filter(({ sentence }) => !sentence.startsWith("TURN")), harm("TURN: it does not answer.")];
    expect(await open({ files, findings: silent })).toEqual(["Relay"]);
  });

  test("find names of the database and the relay that nobody resolves", async () => {
    const relay = `${settings}TURN_URLS=turn:fava.test:3478,turn:relay.test:443\n`;
    const files = { [settingsFile]: relay.replace("@localhost", "@database.test") };
    const answers = [...sound.filter(({ sentence }) => !/^(?:TURN|Database)/.test(sentence)), fine("TURN: port 5766.")];
    const lost = ["database.test (DATABASE_URL)", "relay.test (TURN_URLS)"];
    const findings = [...answers, ...lost.map((name) => harm(`Names: ${name} does not exist.`))];
    expect(await open({ files, findings })).toEqual(["Database", "Relay"]);
    expect(await said("Database", { files, findings })).toBe(
      "harm: Names: database.test (DATABASE_URL) does not exist.",
    );
    expect(await open({ files: { ...files, "/etc/turnserver.conf": "" }, findings })).toEqual(["Database", "Relay"]);
  });

  test("find a server that does not run, or will not after a restart", async () => {
    const words = "systemctl show --property=Id,ActiveState,UnitFileState fava.service fava@*.service";
    const several = `${unit("fava", "inactive", "disabled")}\n${unit("fava@3001")}\n${unit("fava@3002", "failed")}`;
    expect(await said("Server", { answers: { [words]: several } })).toBe(
      "fine: fava@3001 runs.\nharm: fava@3002 is enabled and does not run: journalctl -u fava@3002.",
    );
    expect(await said("Server", { answers: { [words]: unit("fava", "active", "disabled") } })).toMatch(
      /^harm: .*systemctl enable fava/,
    );
    expect(await said("Server", { answers: { [words]: null } })).toBe("harm: no unit of a server is enabled.");
  });

  test("find a proxy that is stopped, a name that is not served and metrics that are public", async () => {
    const words = "systemctl show --property=Id,ActiveState,UnitFileState caddy.service haproxy.service nginx.service";
    expect(await open({ answers: { [words]: unit("haproxy", "inactive") } })).toEqual(["Proxy"]);
    expect(await said("Public name", { get: async () => "ECONNREFUSED" })).toMatch(
      /^harm: .*does not answer: ECONNREFUSED/,
    );
    expect(await said("Public name", { get: async () => ({ status: 200, text: "" }) })).toMatch(
      /harm: everyone can read .*metrics/,
    );
  });

  test("take a certificate that ends soon, a missing timer and a missing administrator as steps to do", async () => {
    const findings = [...sound.slice(0, 3), doubt("TLS: the certificate ends in 3 days.")];
    const answers = {
      "systemctl list-timers --plain --no-legend":
        "- - - - apt-daily.timer apt-daily.service\n- - - - dpkg-db-backup.timer dpkg-db-backup.service\n",
    };
    expect(await open({ findings, answers, administrators: 0 })).toEqual(["Certificate", "Backup", "Administrator"]);
    const unnamed = [...sound.slice(0, 3), harm("Names: fava.test (PUBLIC_ORIGIN) does not exist.")];
    expect(await open({ findings: unnamed })).toEqual(["Certificate"]);
    const files = { [settingsFile]: `${settings}ADMIN_IDENTITIES=ana@fava.test\n` };
    expect(await open({ files, administrators: 0 })).toEqual([]);
  });
});

test("says which Caddy reads our settings", async () => {
  const of = async (version: string | null, environment = "") => {
    const found = await examineCaddy(async (program) => (program === "caddy" ? version : environment));
    return found.map(({ kind, sentence }) => `${kind}: ${sentence}`).join("\n");
  };
  expect(await of(null)).toBe("");
  expect(await of("v2.10.2 h1:abc=")).toMatch(/^fine: /);
  expect(await of("2.6.2\n")).toMatch(/^doubt: .*only with CADDY_SERIES=2\.6/);
  expect(await of("2.6.2\n", "Environment=DOMAIN=a CADDY_SERIES=2.6\n")).toMatch(/^fine: /);
  expect(await of("v2.4.0")).toMatch(/^harm: .*too old/);
});
