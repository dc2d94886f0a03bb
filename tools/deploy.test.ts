import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { drainSecondsDefault } from "@fava/server/config.ts";
import { haproxyIsInstalled, SiteProxy } from "@fava/server/test/fixtures/site-proxy.ts";
import { freePort } from "../e2e/support/free-port.ts";
import { root } from "./lib/bootstrap.mjs";

const deploy = join(root, "deploy");
const chart = join(deploy, "helm");
const verify = "/usr/bin/systemd-analyze";
/**
 * The least time in seconds that systemd and others must give a stopping server: for its calls to end, and then to
 * write pending data.
 */
const stopSecondsMin = drainSecondsDefault + 30;
/** Tenths of systemd's points from 0 to 10 for what a service could reach; a unit without limits has 96. */
const exposureMax = 20;

// Only stops a test that hangs: a shared machine may stall for seconds.
vi.setConfig({ testTimeout: 60_000 });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fava-deploy-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const read = (file: string) => readFileSync(join(deploy, file), "utf8");
const run = (program: string, words: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8" });
  return { status, said: `${stdout}${stderr}` };
};

test("checks /healthz at PORT in the image, so that a draining server or one without a database is healthy", async () => {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    response.writeHead(url === "/healthz" && isUp ? 200 : 503).end();
  });
  let isUp = true;
  await once(server.listen(0, "localhost"), "listening");
  const words = JSON.parse(/HEALTHCHECK[^[]*CMD (\[.*\])/s.exec(read("Dockerfile"))?.[1] ?? "[]") as string[];
  const check = async () => {
    const env = { ...process.env, PORT: String((server.address() as AddressInfo).port) };
    const [code] = (await once(spawn(process.execPath, words.slice(1), { env }), "exit")) as [number];
    return code;
  };
  expect([words[0], await check()]).toEqual(["node", 0]);
  isUp = false;
  expect([await check(), asked]).toEqual([1, ["/healthz", "/healthz"]]);
  server.close();
});

test("builds the image from a base that the operator names, and installs packages before it copies the source", () => {
  const steps = read("Dockerfile")
    .replaceAll("\\\n", "")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const [base, ...rest] = steps;
  expect(base).toMatch(/^ARG BASE_IMAGE=docker\.io\/library\/node:24\./);
  expect(rest.filter((step) => step.startsWith("FROM "))).toEqual([
    "FROM ${BASE_IMAGE} AS build",
    "FROM ${BASE_IMAGE}",
  ]);
  expect(rest.findIndex((step) => step.includes("npm install"))).toBeLessThan(rest.indexOf("COPY . ."));
  expect(rest).toContain("USER 1000:1000");
  const labels = rest.find((step) => step.startsWith("LABEL ")) ?? "";
  for (const name of ["revision", "version", "source", "base.name"])
    expect(labels).toMatch(new RegExp(String.raw`org\.opencontainers\.image\.${name}=\$\{\w+\}`));
  const compose = read("compose.yaml");
  expect(compose).toContain(`BASE_IMAGE: \${BASE_IMAGE:-${base?.replace("ARG BASE_IMAGE=", "")}}`);
  for (const [, image = ""] of compose.matchAll(/image: (\S+)/g)) expect(image).toMatch(/^docker\.io\//);
});

describe.runIf(haproxyIsInstalled)("with HAProxy", () => {
  test("is read by HAProxy without a warning", async () => {
    const certificate = join(folder, "fava.pem");
    const words =
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=fava.test -keyout - -out -";
    await writeFile(certificate, run("openssl", words.split(" ")).said.replace(/^[^-]*/, ""));
    const settings = (await readFile(join(deploy, "haproxy/haproxy.cfg"), "utf8"))
      .replace("/etc/haproxy/fava.pem", certificate)
      .replace("/run/haproxy/", `${folder}/`);
    const file = join(folder, "haproxy.cfg");
    await writeFile(file, settings);
    expect(run("/usr/sbin/haproxy", ["-c", "-dW", "-f", file])).toMatchObject({ status: 0 });
  });

  test("requests a missing chunk from the next server, and nothing else", async () => {
    const asked: string[] = [];
    const open = async (known: readonly string[]) => {
      const server = createServer(({ method, url = "" }, response) => {
        if (url !== "/readyz") asked.push(`${method} ${url}`);
        response.writeHead(known.includes(url) ? 200 : 404).end(url);
      });
      await once(server.listen(0, "127.0.0.1"), "listening");
      return server;
    };
    const servers = [await open(["/readyz", "/assets/old.js"]), await open(["/readyz", "/assets/new.js"])];
    const ports = servers.map((server) => (server.address() as AddressInfo).port);
    await using proxy = new SiteProxy({
      folder,
      port: await freePort(),
      servers: ports.map((port) => ({ name: `fava-${port}`, port })),
    });
    await proxy.start();
    await vi.waitFor(async () => expect((await proxy.serversUp()).size).toBe(2), { timeout: 30_000 });
    const get = async (path: string, method = "GET") => (await fetch(proxy.url + path, { method })).status;
    for (const path of ["/assets/old.js", "/assets/new.js", "/assets/old.js", "/assets/new.js"])
      expect([path, await get(path)]).toEqual([path, 200]);
    expect(await get("/assets/gone.js")).toBe(404);
    asked.length = 0;
    expect([await get("/nothing"), await get("/api/nothing", "POST")]).toEqual([404, 404]);
    expect(asked).toEqual(["GET /nothing", "POST /api/nothing"]);
    for (const server of servers) server.close();
    for (const server of servers) server.closeAllConnections();
  });
});

describe.runIf(existsSync(verify))("with systemd", () => {
  test("passes the checks of systemd", async () => {
    for (const name of ["fava.service", "fava@.service"]) {
      const unit = join(folder, name);
      await cp(join(deploy, "systemd", name), unit);
      // The paths of Node.js and the user differ between machines.
      await writeFile(unit, (await readFile(unit, "utf8")).replace("/usr/bin/node", process.execPath));
      expect(run(verify, ["verify", unit])).toEqual({ status: 0, said: "" });
    }
    const backup = ["fava-backup.service", "fava-backup.timer"].map((name) => join(deploy, "systemd", name));
    expect(run(verify, ["verify", ...backup])).toEqual({ status: 0, said: "" });
  });

  test("leaves a server few rights", () => {
    for (const name of ["fava.service", "fava@.service"]) {
      const words = ["security", "--offline=true", `--threshold=${exposureMax}`, join(deploy, "systemd", name)];
      expect(run(verify, words)).toMatchObject({ status: 0 });
    }
  });
});

test("gives coturn the same options in its file as in Compose", () => {
  const [, words = ""] = /^ {2}coturn:$[^]*?command:\n([^]*?)^ {4}\w/m.exec(read("compose.yaml")) ?? [];
  // The operator fills in the first four; coturn of Debian has no metrics.
  const own = /^(?:static-auth-secret=|realm=|external-ip=|cli-password=|cli-ip=|prometheus)/;
  const lines = (text: string) =>
    text.split("\n").filter((line) => line !== "" && !line.startsWith("#") && !own.test(line));
  const inCompose = lines(words.replaceAll(/^ *(?:- --|#.*$)/gm, ""));
  expect(inCompose.length).toBeGreaterThan(15);
  expect(lines(read("coturn/turnserver.conf")).toSorted()).toEqual(inCompose.toSorted());
});

test("limits the log of every container", () => {
  const [, services = ""] = /^services:\n([^]*?)^networks:/m.exec(read("compose.yaml")) ?? [];
  const names = services.match(/^ {2}\w+:$/gm) ?? [];
  expect(names.length).toBeGreaterThan(6);
  expect(services.match(/^ {4}logging: \*logging$/gm)).toHaveLength(names.length);
});

test("has the profiles and services that the documents name, and the tools of its PostgreSQL for backups", () => {
  const compose = read("compose.yaml");
  const pages = ["backup.md", "incidents.md", "install.md", "secrets.md", "several-servers.md", "update.md"];
  const documents = pages.map((page) => readFileSync(join(root, "docs/operations", page), "utf8")).join();
  const named = (pattern: RegExp) => new Set([...documents.matchAll(pattern)].map(([, name = ""]) => name));
  const profiles = named(/docker compose --profile (\w+)/g);
  expect([...profiles].toSorted()).toEqual(["backup", "monitoring"]);
  for (const profile of profiles) expect(compose).toContain(`profiles: [${profile}]`);
  for (const service of named(/docker compose (?:exec|run --rm)(?: -\S+(?: \S+=\S+)?)* (\w+)/g))
    expect(compose).toMatch(new RegExp(`^ {2}${service}:$`, "m"));
  const [, image = ""] = /^ {2}postgres:\n {4}image: (\S+)/m.exec(compose) ?? [];
  const [backup = ""] = /^ {2}backup:\n(?: {4}.*\n)+/m.exec(compose) ?? [];
  expect(backup).toContain(`image: ${image}\n`);
  expect(backup).toContain('entrypoint: [sh, /backup.sh, every, "24"]');
  expect(backup).toContain("- ./backup.sh:/backup.sh:ro\n");
});

test("gives each server its own address, and time to stop", () => {
  const unit = read("systemd/fava@.service");
  expect(unit).toContain("PORT=%i PEER_URL=http://127.0.0.1:%i");
  const compose = read("compose.yaml");
  expect(compose).toMatch(/PEER_URL=http:\/\/\$\$\(hostname -i\):3000/);
  expect(compose).toMatch(/replicas: \$\{SERVERS\}/);
  expect(read("helm/templates/_helpers.tpl")).toMatch(/PEER_URL, value: "http:\/\/\$\(ADDRESS\):3000"/);
  const seconds = [
    /TimeoutStopSec=(\d+)/.exec(read("systemd/fava.service")),
    /TimeoutStopSec=(\d+)/.exec(unit),
    /app:[^]*?stop_grace_period: (\d+)s/.exec(compose),
  ].map((found) => Number(found?.[1]));
  for (const given of seconds) expect(given).toBeGreaterThanOrEqual(stopSecondsMin);
  expect(read("helm/values.yaml")).toContain(`DRAIN_SECONDS: ${drainSecondsDefault}\n`);
  expect(read("helm/templates/deployment.yaml")).toContain(
    `terminationGracePeriodSeconds: {{ add (int .Values.settings.DRAIN_SECONDS) ${stopSecondsMin - drainSecondsDefault} }}`,
  );
});

test("defines every value that the chart uses", () => {
  const values = read("helm/values.yaml");
  const templates = readdirSync(join(chart, "templates")).map((name) => read(`helm/templates/${name}`));
  const paths = templates.flatMap((template) =>
    [...template.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = ""]) => path),
  );
  expect(paths.length).toBeGreaterThan(15);
  const steps = paths.flatMap((path) =>
    path.split(".").map((name, depth) => ({ path, line: `${"  ".repeat(depth)}${name}:` })),
  );
  const lines = values.split("\n");
  expect(steps.filter(({ line }) => !lines.some((one) => one.startsWith(line)))).toEqual([]);
});
