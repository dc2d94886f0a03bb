import assert from "node:assert/strict";
import { type ChildProcess, execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:tls";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket, WebSocketServer } from "ws";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { endChild, keepIn, spawnBound } from "@fava/server/test/fixtures/bound-process.ts";
import { haproxyIsInstalled } from "@fava/server/test/fixtures/site-proxy.ts";
import { freePort } from "../e2e/support/free-port.ts";
import { root } from "./lib/bootstrap.mjs";

const hook = join(root, "deploy/haproxy/install-certificate");

// Only stops a test that hangs: a shared machine may stall for seconds.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe.runIf(haproxyIsInstalled)("the certificate of HAProxy", () => {
  const log: string[] = [];
  const servers: Server[] = [];
  let folder = "";
  let port = 0;
  let plainPort = 0;
  let child: ChildProcess;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "fava-certificate-"));
    [port, plainPort] = [await freePort(), await freePort()];
    const app = await listening(createServer((_request, response) => void response.end("app")));
    const certbot = await listening(createServer(({ url }, response) => void response.end(`certbot ${url}`)));
    await writeFile(join(folder, "systemctl"), '#!/bin/sh\n[ -z "$HAPROXY_PID" ] || kill -USR2 "$HAPROXY_PID"\n', {
      mode: 0o755,
    });
    makeCertificate("first");
    const settings = readFileSync(join(root, "deploy/haproxy/haproxy.cfg"), "utf8")
      .replace("bind :80\n", `bind 127.0.0.1:${plainPort}\n`)
      .replace("bind :443", `bind 127.0.0.1:${port}`)
      .replace("/etc/haproxy/fava.pem", join(folder, "fava.pem"))
      .replace("/run/haproxy/", `${folder}/`)
      .replace(/maxconn \d+/, "maxconn 100")
      .replaceAll(/server fava-3001 \S+/g, `server fava-3001 127.0.0.1:${app}`)
      .replaceAll(/.*server fava-3002.*\n/g, "")
      .replace("127.0.0.1:8402", `127.0.0.1:${certbot}`);
    const file = join(folder, "haproxy.cfg");
    await writeFile(file, settings);
    install();
    child = spawnBound("/usr/sbin/haproxy", ["-W", "-f", file], { onLine: keepIn(log) });
    await vi.waitFor(async () => assert((await subject()) === "first"), { timeout: 30_000 });
  });
  afterAll(async () => {
    await endChild(child, "SIGTERM");
    for (const server of servers) server.close().closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  });

  async function listening(server: Server): Promise<number> {
    servers.push(server);
    new WebSocketServer({ server }).on("connection", (socket) => {
      socket.on("message", (data) => socket.send(data));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    return (server.address() as AddressInfo).port;
  }

  function makeCertificate(name: string): void {
    const words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", `/CN=${name}`];
    const files = ["-keyout", join(folder, "privkey.pem"), "-out", join(folder, "fullchain.pem")];
    execFileSync("openssl", [...words, ...files], { stdio: "ignore" });
  }

  /** As certbot runs its hook. */
  function install(): void {
    const env = {
      PATH: `${folder}:${process.env["PATH"]}`,
      RENEWED_LINEAGE: folder,
      HAPROXY_CERTIFICATE: join(folder, "fava.pem"),
      HAPROXY_PID: String(child?.pid ?? ""),
    };
    execFileSync(hook, { env, stdio: "ignore" });
  }

  async function subject(): Promise<string> {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
    try {
      await once(socket, "secureConnect");
      return String(socket.getPeerCertificate().subject.CN);
    } finally {
      socket.destroy();
    }
  }

  async function openSocket(): Promise<WebSocket> {
    const socket = new WebSocket(`wss://127.0.0.1:${port}`, { rejectUnauthorized: false });
    await once(socket, "open");
    return socket;
  }

  async function echo(socket: WebSocket, word: string): Promise<string> {
    socket.send(word);
    const [heard] = (await once(socket, "message")) as [Buffer];
    return heard.toString();
  }

  test("is renewed by the hook of certbot while a socket stays open", async () => {
    const socket = await openSocket();
    expect(await echo(socket, "before")).toBe("before");
    makeCertificate("second");
    install();
    await vi.waitFor(async () => expect(await subject()).toBe("second"), { timeout: 30_000 });
    expect(await echo(socket, "after")).toBe("after");
    socket.terminate();
  });

  test("is proven to the authority at port 80, where all else is sent to https", async () => {
    const get = async (path: string) => {
      const sent = request({ host: "127.0.0.1", port: plainPort, path, agent: false }).end();
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      let text = "";
      for await (const chunk of answer) text += String(chunk);
      return [answer.statusCode, text];
    };
    const path = "/.well-known/acme-challenge/token";
    expect(await get(path)).toEqual([200, `certbot ${path}`]);
    expect((await get("/"))[0]).toBe(301);
  });
});
