import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "@fava/server/config.ts";
import { root } from "./lib/bootstrap.mjs";
import { exampleSecret, exampleSettings, exampleStripe } from "./lib/example-settings.ts";
import { goProgram } from "./lib/go-programs.mjs";
import { pythonProgram } from "./lib/python-programs.mjs";

const chart = join(root, "deploy/helm");
const folder = mkdtempSync(join(tmpdir(), "fava-chart-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The oldest and the newest version whose objects the chart is checked against. */
const kubernetesVersions = ["1.29", "1.37"];

type Values = Readonly<Record<string, unknown>>;

const settings = {
  ...exampleSettings,
  PUBLIC_ORIGIN: "https://fava.test",
  TRUST_PROXY: "10.4.0.0/24",
  TURN_URLS: "turn:turn.fava.test:3478?transport=udp",
  S3_ENDPOINT: "https://s3.fava.test",
  S3_REGION: "eu-1",
  S3_BUCKET: "fava",
};
const secrets = {
  ...exampleStripe,
  DATABASE_URL: "postgres://fava:quoted-\"and-'secret@db.fava.test/fava",
  REDIS_URL: "redis://redis.fava.test:6379",
  SERVER_SECRET: exampleSecret,
  TURN_SECRET: "zk3vr8qt1nb6yw4px9sd2fg7",
  S3_ACCESS_KEY_ID: "key",
  S3_SECRET_ACCESS_KEY: "secret-of-the-key",
};
const values = { image: { repository: "registry.test/fava" }, settings, secret: { values: secrets } };

/** The chart's output for these values, or why Helm refuses them. */
function helm(command: "template" | "lint", given: Values): { isFine: boolean; said: string } {
  const file = join(folder, "values.json");
  writeFileSync(file, JSON.stringify(given));
  const words = command === "lint" ? ["lint", "--strict", chart] : ["template", "fava", chart];
  const { status, stdout, stderr } = spawnSync(goProgram("helm"), [...words, "-f", file], { encoding: "utf8" });
  return { isFine: status === 0, said: `${stdout}${stderr}` };
}

function rendered(given: Values): readonly string[] {
  const { isFine, said } = helm("template", given);
  if (!isFine) throw new Error(said);
  return said.split(/^---$/m).filter((text) => text.trim() !== "");
}

function objectOf(given: Values, kind: string, name: string): string {
  const found = rendered(given).find((text) => text.includes(`\nkind: ${kind}\nmetadata:\n  name: ${name}\n`));
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
}

/** The environment that these objects give a container. */
function environmentOf(given: Values, settingsName: string, secretName: string): Record<string, string> {
  const texts = [objectOf(given, "ConfigMap", settingsName), objectOf(given, "Secret", secretName)];
  const lines = texts.flatMap((text) => [...text.matchAll(/^ {2}([A-Z][A-Z0-9_]*): (".*")$/gm)]);
  const own = { PEER_URL: "http://10.4.1.7:3000", HOST: "0.0.0.0", PORT: "3000", DATA_DIR: folder };
  return { ...own, ...Object.fromEntries(lines.map(([, name, value]) => [name, JSON.parse(value ?? "")])) };
}

test.each([
  ["a whole site", values],
  [
    "more of everything",
    {
      ...values,
      image: { repository: "registry.test/fava", tag: "1.2.3", pullSecrets: ["registry"] },
      replicas: 3,
      autoscaling: { enabled: true },
      podMonitor: { enabled: true, labels: { release: "prometheus" } },
      nodeSelector: { disk: "fast" },
      tolerations: [{ key: "video", operator: "Exists", effect: "NoSchedule" }],
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "Exists" }] }],
          },
        },
      },
      podAnnotations: { "fava.test/note": "yes" },
      serviceAccount: { annotations: { "fava.test/role": "none" } },
      environment: [{ name: "NODE_EXTRA_CA_CERTS", value: "/data/ca.pem" }],
      environmentFrom: [{ secretRef: { name: "mail" } }],
    },
  ],
  [
    "a Secret of the operator, without Ingress and NetworkPolicy",
    {
      ...values,
      secret: { existing: "fava-own" },
      ingress: { enabled: false },
      networkPolicy: { enabled: false },
    },
  ],
])("renders objects for %s that Helm and the schemas of Kubernetes accept", (_name, given) => {
  expect(helm("lint", given)).toMatchObject({ isFine: true });
  const file = join(folder, "objects.yaml");
  writeFileSync(file, rendered(given).join("---\n"));
  for (const version of kubernetesVersions) {
    const words = ["--strict", "-k", version, file];
    const { status, stdout, stderr } = spawnSync(pythonProgram("kubernetes-validate"), words, { encoding: "utf8" });
    expect({ version, status, said: `${stdout}${stderr}` }).toMatchObject({ status: 0 });
  }
});

test("gives a server and the migration an environment with which they start", () => {
  for (const [map, secret] of [
    ["fava-settings", "fava-secret"],
    ["fava-migration", "fava-migration"],
  ] as const) {
    const config = readConfig(environmentOf(values, map, secret));
    expect([config.databaseUrl, config.trustedProxies]).toEqual([secrets.DATABASE_URL, ["10.4.0.0/24"]]);
  }
});

test("refuses values without what no server starts without", () => {
  const whole = environmentOf(values, "fava-settings", "fava-secret");
  const without = (given: Values, name: string) =>
    Object.fromEntries(Object.entries(given).filter(([one]) => one !== name));
  const needed = [...Object.keys(settings), ...Object.keys(secrets)].filter((name) => {
    try {
      readConfig(without(whole, name) as Record<string, string>);
      return false;
    } catch {
      return true;
    }
  });
  expect(needed.length).toBeGreaterThan(15);
  // Every client could choose its address, and a second server would not start.
  for (const name of [...needed, "TRUST_PROXY", "REDIS_URL"]) {
    const given = {
      ...values,
      settings: { ...without(settings, name), ...(name === "ONLINE_COUNT" && { ONLINE_COUNT: "" }) },
      secret: { values: without(secrets, name) },
    };
    expect({ name, ...helm("template", given) }).toMatchObject({ isFine: false, said: expect.stringContaining(name) });
  }
  expect(helm("template", { ...values, image: {} }).said).toContain("image.repository is missing");
});

test.each([
  ["an unknown value", { replica: 2 }],
  ["a number of servers in words", { replicas: "two" }],
  ["a setting that the chart sets", { settings: { ...settings, PORT: "80" } }],
  ["a setting in small letters", { settings: { ...settings, company: "Fava" } }],
  ["a trusted proxy everywhere", { settings: { ...settings, TRUST_PROXY: "0.0.0.0/0" } }],
  ["an origin without TLS", { settings: { ...settings, PUBLIC_ORIGIN: "http://fava.test" } }],
  ["a short secret", { secret: { values: { ...secrets, SERVER_SECRET: "short" } } }],
  ["a test key of Stripe", { secret: { values: { ...secrets, STRIPE_SECRET_KEY: "sk_test_1" } } }],
  ["a command port without a password", { settings: { ...settings, TURN_CLI_ADDRESSES: "10.4.0.9:5766" } }],
])("refuses %s", (_name, change) => {
  expect(helm("template", { ...values, ...change })).toMatchObject({ isFine: false });
});

test("computes the time of a stopping pod from DRAIN_SECONDS", () => {
  const graceOf = (given: Values) =>
    /terminationGracePeriodSeconds: (\d+)/.exec(objectOf(given, "Deployment", "fava"))?.[1];
  expect(graceOf(values)).toBe("60");
  expect(graceOf({ ...values, settings: { ...settings, DRAIN_SECONDS: 120 } })).toBe("150");
  expect(graceOf({ ...values, settings: { ...settings, DRAIN_SECONDS: 0 } })).toBe("30");
});

test("migrates before servers start, without a token of Kubernetes in any pod", () => {
  const job = objectOf(values, "Job", "fava-migration");
  expect(job).toContain("helm.sh/hook: pre-install,pre-upgrade");
  expect(job).toMatch(/command: \[.*main\.js, --migrate\]/);
  expect(job).toMatch(/resources:\s+limits:/);
  // The Service and the NetworkPolicy select servers by this label.
  expect(job).not.toMatch(/name: fava$/m);
  for (const text of [job, objectOf(values, "Deployment", "fava")])
    expect(text).toContain("automountServiceAccountToken: false");
});
