import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { endChild, keepIn, spawnBound } from "@fava/server/test/fixtures/bound-process.ts";
import { freePort } from "../e2e/support/free-port.ts";
import { root } from "./lib/bootstrap.mjs";

const caddy = "/usr/bin/caddy";
const deployed = join(root, "deploy/Caddyfile");
const addresses = ["127.0.1.1", "127.0.1.2"] as const;
const eachTime = 6;

// Only stops a test that hangs: a shared machine may stall for seconds.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe.runIf(existsSync(caddy))("Caddy before servers that DNS names", () => {
  const named = new Set<string>(addresses);
  const refusing = new Set<string>();
  const servers = new Map<string, ReturnType<typeof createServer>>();
  const names = createSocket("udp4");
  const log: string[] = [];
  let folder = "";
  let port = 0;
  let appPort = 0;
  let child: ReturnType<typeof spawnBound>;

  /** Debian's Caddy is 2.6 or newer; the part for newer ones is left out. */
  const environment = () => ({
    ...process.env,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    DOMAIN: `http://127.0.0.1:${port}`,
    CERTIFICATE_EMAIL: "ops@fava.test",
    APP_PORT: String(appPort),
    CADDY_SERIES: "2.6",
  });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "fava-caddy-"));
    [port, appPort] = [await freePort(), await freePort()];
    for (const address of addresses) await listen(address);
    names.on("message", (question, from) => names.send(answerTo(question, [...named]), from.port, from.address));
    await once(names.bind(0, "127.0.0.1"), "listening");
    const settings = readFileSync(deployed, "utf8")
      .replace("refresh 200ms", `refresh 200ms\nresolvers udp/127.0.0.1:${names.address().port}`)
      .replace("email {", "admin off\nemail {");
    const file = join(folder, "Caddyfile");
    await writeFile(file, settings);
    const words = ["run", "--adapter", "caddyfile", "--config", file];
    child = spawnBound(caddy, words, { env: environment(), onLine: keepIn(log) });
    await vi.waitFor(async () => assert((await reached(false)).has(addresses[0])), { timeout: 30_000 });
  });
  afterAll(async () => {
    await endChild(child, "SIGKILL");
    names.close();
    for (const server of servers.values()) server.close().closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  });

  async function listen(address: string): Promise<void> {
    const server = createServer((_request, response) => void response.end(address));
    server.on("upgrade", (_request, socket) => {
      const head = refusing.has(address) ? "503 Service Unavailable" : `101 Switching Protocols\r\nupgrade: websocket`;
      socket.end(`HTTP/1.1 ${head}\r\nconnection: upgrade\r\nx-server: ${address}\r\n\r\n`);
    });
    servers.set(address, server);
    await once(server.listen(appPort, address), "listening");
  }

  /** The servers that answer several requests or sockets, and other status codes. */
  async function reached(isSocket: boolean): Promise<Set<string>> {
    const found = new Set<string>();
    for (let count = 0; count < eachTime; count += 1) found.add(await ask(isSocket));
    return found;
  }

  function ask(isSocket: boolean): Promise<string> {
    const headers = isSocket ? { connection: "upgrade", upgrade: "websocket" } : {};
    return new Promise((resolve, reject) => {
      const sent = request({ host: "127.0.0.1", port, path: "/", agent: false, headers });
      sent.once("upgrade", (answer, socket) => {
        socket.destroy();
        resolve(String(answer.headers["x-server"]));
      });
      sent.once("response", (answer) => {
        let text = "";
        answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
        answer.once("end", () => resolve(answer.statusCode === 200 ? text : String(answer.statusCode)));
      });
      sent.once("error", reject).end();
    });
  }

  test("accepts the file", () => {
    const { status, stderr } = spawnSync(caddy, ["validate", "--adapter", "caddyfile", "--config", deployed], {
      encoding: "utf8",
      env: environment(),
    });
    expect([status, stderr.split("\n").filter((line) => line.includes('"level":"error"'))]).toEqual([0, []]);
  });

  test("gives a socket that a stopping server refuses to another one", async () => {
    expect(await reached(true)).toEqual(new Set(addresses));
    refusing.add(addresses[0]);
    expect(await reached(true)).toEqual(new Set([addresses[1]]));
    refusing.add(addresses[1]);
    expect(await ask(true)).toBe("503");
    refusing.clear();
    await vi.waitFor(async () => expect(await reached(true)).toEqual(new Set(addresses)), { timeout: 30_000 });
  });

  test("leaves a server that is gone, and meets it again when DNS names it", async () => {
    const server = servers.get(addresses[0]);
    server?.close().closeAllConnections();
    expect(await reached(false)).toEqual(new Set([addresses[1]]));
    named.delete(addresses[0]);
    await listen(addresses[0]);
    await vi.waitFor(async () => expect(await reached(false)).toEqual(new Set([addresses[1]])), { timeout: 30_000 });
    named.add(addresses[0]);
    await vi.waitFor(async () => expect(await reached(false)).toEqual(new Set(addresses)), { timeout: 30_000 });
  });
});

const headerBytes = 12;
const questionEndBytes = 5;
const typeA = 1;

/** A response to a DNS question with these IPv4 addresses; empty for another type than A. */
function answerTo(question: Buffer, ipv4: readonly string[]): Buffer {
  let end = headerBytes;
  while (question[end] !== 0) end += 1 + (question[end] ?? 0);
  const asked = question.subarray(headerBytes, end + questionEndBytes);
  const isA = question.readUInt16BE(end + 1) === typeA;
  const records = isA
    ? ipv4.map((address) => [0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split(".").map(Number)])
    : [];
  const header = Buffer.from([0, 0, 0x84, 0, 0, 1, 0, records.length, 0, 0, 0, 0]);
  question.copy(header, 0, 0, 2);
  return Buffer.concat([header, asked, ...records.map((record) => Buffer.from(record))]);
}
