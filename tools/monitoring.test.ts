import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Product, startProduct } from "../e2e/support/product.ts";
import { root } from "./lib/bootstrap.mjs";
import { freePort } from "../e2e/support/free-port.ts";
import { checkWithPromtool, Prometheus, prometheusIsInstalled } from "./lib/prometheus.ts";

// Only stops a test that hangs: a shared machine may stall for seconds.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const alertsFile = join(root, "deploy/prometheus/alerts.yaml");
const dashboards = join(root, "deploy/grafana");

/** Metrics of Prometheus, the blackbox exporter and coturn. */
const metricsOfOthers = new Set(["up", "probe_success", "probe_ssl_earliest_cert_expiry", "turn_total_allocations"]);

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

let product: Product;
let metricsHost: string;

beforeAll(async () => {
  metricsHost = `localhost:${await freePort()}`;
  product = await startProduct({ METRICS_PORT: metricsHost.replace("localhost:", "") });
});

afterAll(() => product[Symbol.asyncDispose]());

async function panels(): Promise<readonly Panel[]> {
  const files = (await readdir(dashboards)).filter((name) => name.endsWith(".json"));
  const read = files.map(async (name) => JSON.parse(await readFile(join(dashboards, name), "utf8")).panels as Panel[]);
  return (await Promise.all(read)).flat();
}

/** Names of metrics: all names with the prefix of Fava, Node.js or the process. */
function metricsIn(text: string): readonly string[] {
  return [...new Set(text.match(/\b(?:fava|nodejs|process)_[a-z\d_]+/g))];
}

test("names only metrics that a server has in alerts and panels", async () => {
  const answer = await (await fetch(`http://${metricsHost}/metrics`)).text();
  const known = new Set(
    [...answer.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name = "", type]) => namesOf(name, type)),
  );
  const shown = (await panels()).flatMap(({ targets }) => targets.map(({ expr }) => expr)).join("\n");
  for (const text of [await readFile(alertsFile, "utf8"), shown]) {
    const named = metricsIn(text);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    const others = [...text.matchAll(/(\w+)\{job="(?!fava")/g)].map(([, name = ""]) => name);
    expect(others.filter((name) => !metricsOfOthers.has(name))).toEqual([]);
  }
});

test("says for each alert what happened and what to do, and has a case and a line of the documents for it", async () => {
  const alerts = (await readFile(alertsFile, "utf8")).split(/^ +- alert: /m).slice(1);
  const cases = await readFile(join(root, "deploy/prometheus/alerts.test.yaml"), "utf8");
  const page = await readFile(join(root, "docs/operations/incidents.md"), "utf8");
  expect(alerts.length).toBeGreaterThan(30);
  for (const alert of alerts) {
    const name = /^\w+/.exec(alert)?.[0] ?? "";
    const has = (text: string, part: string) => text.includes(part);
    const found = [
      has(alert, "summary: "),
      has(alert, "description: "),
      has(cases, `name: ${name}\n`),
      has(page, `\`${name}\``),
    ];
    expect([name, ...found]).toEqual([name, true, true, true, true]);
  }
});

test("answers nothing else at the port of metrics", async () => {
  for (const path of ["/", "/healthz", "/api/openapi.json"])
    expect([path, (await fetch(`http://${metricsHost}${path}`)).status]).toEqual([path, 404]);
});

function namesOf(name: string, type: string | undefined): readonly string[] {
  return type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}

describe.runIf(prometheusIsInstalled)("with Prometheus", () => {
  test("accepts both settings files, and fires each alert in its case", () => {
    expect(checkWithPromtool).not.toThrow();
  });

  test("is scraped by Prometheus, which evaluates every alert and panel without an error", async () => {
    await using prometheus = await Prometheus.start([metricsHost]);
    const patiently = { timeout: 60_000 };
    await vi.waitFor(async () => expect(await prometheus.query('up{job="fava"} == 1')).toHaveLength(1), patiently);
    await vi.waitFor(async () => {
      const rules = await prometheus.rules();
      expect(rules.length).toBeGreaterThan(10);
      expect(rules.map(({ name, health, lastError }) => [name, health, lastError ?? ""])).toEqual(
        rules.map(({ name }) => [name, "ok", ""]),
      );
    }, patiently);
    for (const { title, targets } of await panels()) {
      for (const { expr } of targets) {
        const answer = await prometheus.query(expr.replaceAll("$__rate_interval", "1m"));
        expect(answer, `${title}: ${expr}`).toBeDefined();
      }
    }
    // A server that has just started raises no alert, and one that is gone does.
    expect(await prometheus.query('ALERTS{severity="harm",alertstate="firing"}')).toEqual([]);
    await product.kill();
    await vi.waitFor(
      async () => expect(await prometheus.query('ALERTS{alertname="FavaDown"}')).toHaveLength(1),
      patiently,
    );
  });
});
