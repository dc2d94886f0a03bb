import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Product, startProduct } from "../e2e/support/product.ts";
import { root } from "./lib/bootstrap.mjs";
import { Prometheus, prometheusIsInstalled } from "./lib/prometheus.ts";

// Only stops a test that hangs: a shared machine may stall for seconds.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const alertsFile = join(root, "deploy/prometheus/alerts.yaml");
const dashboards = join(root, "deploy/grafana");

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

let product: Product;

beforeAll(async () => {
  product = await startProduct();
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
  const answer = await (await fetch(`${product.url}/metrics`)).text();
  const known = new Set(
    [...answer.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name = "", type]) => namesOf(name, type)),
  );
  const shown = (await panels()).flatMap(({ targets }) => targets.map(({ expr }) => expr)).join("\n");
  for (const text of [await readFile(alertsFile, "utf8"), shown]) {
    const named = metricsIn(text);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  }
});

function namesOf(name: string, type: string | undefined): readonly string[] {
  return type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}

describe.runIf(prometheusIsInstalled)("with Prometheus", () => {
  test("is scraped by Prometheus, which evaluates every alert and panel without an error", async () => {
    await using prometheus = await Prometheus.start([new URL(product.url).host]);
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
