import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { endChild, keepIn, spawnBound } from "@fava/server/test/fixtures/bound-process.ts";
import { siteIsInstalled } from "@fava/server/test/fixtures/site-processes.ts";
import { freePort } from "../e2e/support/free-port.ts";
import { turnIsInstalled } from "../e2e/support/turn.ts";
import { root, testProgram } from "./lib/bootstrap.mjs";
import { Prometheus, prometheusIsInstalled } from "./lib/prometheus.ts";

// Only stops a test that hangs: a shared machine may stall for seconds, and a whole site starts here.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const patiently = { timeout: 120_000 };

describe.runIf(siteIsInstalled && turnIsInstalled)("npm run site", () => {
  const said: string[] = [];
  let folder: string;
  let port: number;
  let site: ReturnType<typeof spawnBound>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), `fava-site-${process.pid}-`));
    port = await freePort();
    const words = [testProgram("tools/site.ts"), "--port", String(port), "--data", folder];
    const env = {
      TMPDIR: tmpdir(),
      PATH: process.env["PATH"] ?? "",
      MODERATION: "off",
      MODERATION_OFF_ACCEPTED: "yes",
    };
    site = spawnBound(process.execPath, words, { cwd: root, env, onLine: keepIn(said) });
    await vi.waitFor(() => {
      if (!said.some((line) => line.includes("Ctrl-C stops everything"))) throw new Error(said.join("\n"));
    }, patiently);
  });
  afterAll(async () => {
    await endChild(site, "SIGKILL");
    await rm(folder, { recursive: true, force: true });
  });

  function get(path: string): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const sent = request({ host: "127.0.0.1", port, path, rejectUnauthorized: false }, (answer) => {
        void text(answer).then((read) => resolve({ status: answer.statusCode ?? 0, text: read }), reject);
      });
      sent.once("error", reject).end();
    });
  }

  /** Servers as host and port, and their process ids. */
  function servers(): { host: string; pid: number }[] {
    const found = said.map((line) => /http:\/\/(\S+)\/metrics \(process (\d+)\)/.exec(line));
    return found.flatMap((parts) => (parts ? [{ host: parts[1] ?? "", pid: Number(parts[2]) }] : []));
  }

  test("serves in production mode over https, names test credentials, and keeps metrics private", async () => {
    expect(servers()).toHaveLength(2);
    expect(said.join("\n")).toMatch(/GOOGLE_CLIENT_ID is a test credential.*no user can sign in/);
    expect(said.join("\n")).toMatch(/STRIPE_SECRET_KEY is a test credential.*nothing can be bought/);
    expect((await get("/")).text).toContain("<html");
    expect((await get("/sandbox/identity/google/authorize")).text).not.toContain("Ana");
    expect((await get("/metrics")).status).toBe(404);
    expect(JSON.parse((await get("/readyz")).text)).toEqual({
      status: "ready",
      checks: { database: "ready", redis: "ready" },
    });
  });

  test.runIf(prometheusIsInstalled)(
    "is scraped by Prometheus at both servers, with one matcher and no alert",
    async () => {
      await using prometheus = await Prometheus.start(servers().map(({ host }) => host));
      await vi.waitFor(async () => expect(await prometheus.query('up{job="fava"} == 1')).toHaveLength(2), patiently);
      await vi.waitFor(async () => {
        const rules = await prometheus.rules();
        expect(rules.map(({ name }) => name)).toContain("FavaNobodyIsMet");
        expect(rules.filter(({ health }) => health !== "ok")).toEqual([]);
      }, patiently);
      await vi.waitFor(
        async () => expect(await prometheus.query('sum(fava_matcher_owner{job="fava"}) == 1')).toHaveLength(1),
        patiently,
      );
      expect(await prometheus.query('fava_redis_memory_bytes{job="fava",of="used"} > 0')).toHaveLength(2);
      await vi.waitFor(
        async () => expect(await prometheus.query('ALERTS{severity="harm",alertstate="firing"}')).toEqual([]),
        patiently,
      );
    },
  );

  test.runIf(prometheusIsInstalled)("raises no alert for a Prometheus that sees one server of two", async () => {
    const owners = await Promise.all(
      servers().map(async ({ host }) =>
        /^fava_matcher_owner 1$/m.test(await (await fetch(`http://${host}/metrics`)).text()),
      ),
    );
    expect(owners.filter(Boolean)).toHaveLength(1);
    await using prometheus = await Prometheus.start([servers()[owners.indexOf(false)]?.host ?? ""]);
    await vi.waitFor(async () => expect(await prometheus.query('up{job="fava"} == 1')).toHaveLength(1), patiently);
    const ofTheSite = ["FavaNoDayAhead", "FavaOldCallsStay", "FavaNobodyIsMet"];
    const rules = (await prometheus.rules()).filter(({ name }) => ofTheSite.includes(name));
    expect(rules.map(({ name }) => name)).toEqual(ofTheSite);
    for (const { name, query } of rules) expect([name, await prometheus.query(query)]).toEqual([name, []]);
  });

  test.runIf(prometheusIsInstalled)("raises an alert if no server has the matcher", async () => {
    await using idle = createServer((_request, response) => void response.end("fava_matcher_unheard 1\n"));
    await once(idle.listen(0, "127.0.0.1"), "listening");
    const { port: idlePort } = idle.address() as AddressInfo;
    await using prometheus = await Prometheus.start([`127.0.0.1:${idlePort}`]);
    const firing = 'ALERTS{alertname="FavaNobodyIsMet",alertstate="firing"}';
    await vi.waitFor(async () => expect(await prometheus.query(firing)).toHaveLength(1), patiently);
    idle.closeAllConnections();
  });

  test("stops everything on Ctrl-C", async () => {
    const pids = servers().map(({ pid }) => pid);
    expect(await endChild(site, "SIGINT")).toBe(0);
    expect(said.at(-1)).toBe("Stopping");
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    await expect(get("/")).rejects.toThrow("ECONNREFUSED");
  });
});
