import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort } from "../e2e/support/free-port.ts";
import { type Product, startProduct, stopChild } from "../e2e/support/product.ts";
import { root } from "./lib/bootstrap.mjs";

// Only a test that hangs: a shared machine may stall for seconds.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const prometheusBinary = "/usr/bin/prometheus";
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

/** Names of metrics: whatever begins as ours, Node.js' or a process' do. */
function metricsIn(text: string): readonly string[] {
  return [...new Set(text.match(/\b(?:fava|nodejs|process)_[a-z\d_]+/g))];
}

test("[START-103] every metric that an alert or a panel names is one that a server has", async () => {
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

describe.runIf(existsSync(prometheusBinary))("with Prometheus", () => {
  test("[START-103] Prometheus scrapes the server and evaluates every alert and panel without an error", async () => {
    const folder = await mkdtemp(join(tmpdir(), `fava-prometheus-${process.pid}-`));
    await cp(join(root, "deploy/prometheus"), folder, { recursive: true });
    execFileSync("/usr/bin/promtool", ["check", "config", join(folder, "prometheus.yaml")]);
    const written = await readFile(join(folder, "prometheus.yaml"), "utf8");
    const near = written.replace("localhost:3000", new URL(product.url).host).replaceAll(/: 15s$/gm, ": 1s");
    await writeFile(join(folder, "prometheus.yaml"), near);
    const port = await freePort();
    const child = spawn(
      prometheusBinary,
      [
        `--config.file=${join(folder, "prometheus.yaml")}`,
        `--storage.tsdb.path=${join(folder, "data")}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: "ignore" },
    );
    const ask = async <Answer>(path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
      return ((await answer.json()) as { data: Answer }).data;
    };
    const query = (expr: string) =>
      ask<{ result: readonly unknown[] } | undefined>(`query?query=${encodeURIComponent(expr)}`);
    try {
      await vi.waitFor(async () => expect((await query('up{job="fava"} == 1'))?.result).toHaveLength(1), {
        timeout: 60_000,
      });
      await vi.waitFor(
        async () => {
          const { groups } = await ask<{ groups: { rules: { name: string; health: string; lastError?: string }[] }[] }>(
            "rules",
          );
          const rules = groups.flatMap((group) => group.rules);
          expect(rules.length).toBeGreaterThan(10);
          expect(rules.map(({ name, health, lastError }) => [name, health, lastError ?? ""])).toEqual(
            rules.map(({ name }) => [name, "ok", ""]),
          );
        },
        { timeout: 60_000 },
      );
      for (const { title, targets } of await panels()) {
        for (const { expr } of targets) {
          const answer = await query(expr.replaceAll("$__rate_interval", "1m"));
          expect(answer?.result, `${title}: ${expr}`).toBeDefined();
        }
      }
      // Nothing is wrong with a server that has just started; once it is gone, somebody hears of it.
      expect((await query('ALERTS{severity="harm",alertstate="firing"}'))?.result).toEqual([]);
      await product.kill();
      await vi.waitFor(async () => expect((await query('ALERTS{alertname="FavaDown"}'))?.result).toHaveLength(1), {
        timeout: 60_000,
      });
    } finally {
      await stopChild(child);
      await rm(folder, { recursive: true, force: true });
    }
  });
});
