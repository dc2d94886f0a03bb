import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { spawnBound } from "@fava/server/test/fixtures/bound-process.ts";
import { seededRandom } from "@fava/server/test/fakes/random.ts";
import { freePort } from "./free-port.ts";
import { stopChild } from "./product.ts";

export const turnSecret = "a-secret-of-the-tests-only";
export const turnCliPassword = "tests-at-the-command-port";
const turnBinary = "/usr/bin/turnserver";

/** Whether coturn is installed; `npm test` installs it on Debian. */
export const turnIsInstalled = existsSync(turnBinary);

export interface Turn extends AsyncDisposable {
  port: number;
  /** Of coturn's command port. */
  cliPort: number;
  /** Its port with TLS; 0 without a certificate. */
  tlsPort: number;
}

/**
 * A real coturn on a free loopback port, with short-lived credentials as in production.
 *
 * @param tls paths of a certificate and its key as PEM; without them it has no port with TLS.
 */
export async function startTurn(tls?: { cert: string; key: string }): Promise<Turn> {
  const [port, cliPort, tlsPort] = [await freePort(), await freePort(), tls ? await freePort() : 0];
  const words = [
    "-n",
    "--listening-ip=127.0.0.1",
    "--relay-ip=127.0.0.1",
    `--listening-port=${port}`,
    "--min-port=20000",
    "--max-port=20400",
    "--use-auth-secret",
    `--static-auth-secret=${turnSecret}`,
    "--realm=fava.test",
    "--fingerprint",
    ...(tls ? [`--tls-listening-port=${tlsPort}`, `--cert=${tls.cert}`, `--pkey=${tls.key}`] : ["--no-tls"]),
    "--no-dtls",
    "--no-multicast-peers",
    "--allow-loopback-peers",
    `--cli-password=${turnCliPassword}`,
    `--cli-port=${cliPort}`,
    "--pidfile=/dev/null",
    "--log-file=stdout",
    "--simple-log",
  ];
  const child = spawnBound(turnBinary, words, { onLine: () => undefined });
  // It listens on UDP before it listens on TCP.
  for (let tries = 0; !(await accepts(port)); tries += 1) {
    if (child.exitCode !== null) throw new Error(`coturn stopped with ${child.exitCode}`);
    if (tries >= 100) throw new Error("coturn did not start");
    await pause(100);
  }
  return { port, cliPort, tlsPort, [Symbol.asyncDispose]: () => stopChild(child) };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** How a proxy degrades the packets of its clients. */
export interface Weakness {
  /** The share of lost packets, 0 to 1. */
  loss?: number;
  /** Random delay up to this, in order. */
  jitterMs?: number;
  /** The capacity per client, in kbit/s. */
  carriedKbps?: number;
  /** Packets that would wait longer for the capacity are lost. Default: as in the buffer of a cheap router. */
  queueMsMax?: number;
}

/** A UDP proxy before coturn, which can be degraded, cut and restored at run time without any privileges. */
export interface UdpProxy extends AsyncDisposable {
  port: number;
  weaken(weakness: Weakness): void;
  cut(): void;
  heal(): void;
  /** The longest time that a packet waited for the capacity since the last call, in milliseconds. */
  takeLongestWaitMs(): number;
  /** Bytes of the packets to clients since the start, with the headers of UDP and IPv4. */
  readonly sentBytes: number;
}

const packetHeaderBytes = 28;

const routerQueueMsMax = 400;

export async function startUdpProxy(targetPort: number): Promise<UdpProxy> {
  const front = createSocket("udp4");
  const clients = new Map<number, Client>();
  const random = seededRandom(1);
  let weakness: Weakness = {};
  let down = false;
  let sentBytes = 0;
  front.on("message", (packet, sender) => {
    if (down) return;
    let client = clients.get(sender.port);
    if (!client) {
      const upstream = createSocket("udp4");
      upstream.on("message", (answer) => {
        if (down) return;
        sentBytes += answer.length + packetHeaderBytes;
        front.send(answer, sender.port, sender.address);
      });
      client = { upstream, freeAtMs: 0, lastAtMs: 0, longestWaitMs: 0 };
      clients.set(sender.port, client);
    }
    const { upstream } = client;
    const delayMs = delayOf({ bytes: packet.length, chance: random.integer(0, 999) / 1_000 }, client, weakness);
    if (delayMs === 0) upstream.send(packet, targetPort, "127.0.0.1");
    else if (delayMs !== null) setTimeout(() => !down && upstream.send(packet, targetPort, "127.0.0.1"), delayMs);
  });
  await new Promise<void>((resolve) => front.bind(0, "127.0.0.1", resolve));
  return {
    port: front.address().port,
    weaken: (wanted) => void (weakness = wanted),
    cut: () => void (down = true),
    heal: () => {
      down = false;
      weakness = {};
    },
    get sentBytes() {
      return sentBytes;
    },
    takeLongestWaitMs() {
      const waitsMs = [...clients.values()].map(({ longestWaitMs }) => longestWaitMs);
      for (const client of clients.values()) client.longestWaitMs = 0;
      return Math.round(Math.max(0, ...waitsMs));
    },
    async [Symbol.asyncDispose]() {
      down = true;
      for (const { upstream } of clients.values()) upstream.close();
      await new Promise<void>((resolve) => front.close(() => resolve()));
    },
  };
}

interface Client {
  readonly upstream: Socket;
  /** When all queued packets are sent. */
  freeAtMs: number;
  /** When the previous packet arrives. */
  lastAtMs: number;
  /** Since it was last read. */
  longestWaitMs: number;
}

/** The delay of a packet in milliseconds; null: it is lost. */
function delayOf(packet: { bytes: number; chance: number }, client: Client, weakness: Weakness): number | null {
  const { bytes, chance } = packet;
  const { loss = 0, jitterMs = 0, carriedKbps = Infinity, queueMsMax = routerQueueMsMax } = weakness;
  const nowMs = performance.now();
  const waitsMs = Math.max(0, client.freeAtMs - nowMs);
  if (chance < loss || waitsMs > queueMsMax) return null;
  client.longestWaitMs = Math.max(client.longestWaitMs, waitsMs);
  client.freeAtMs = nowMs + waitsMs + (bytes * 8) / carriedKbps;
  client.lastAtMs = Math.max(client.lastAtMs, client.freeAtMs + chance * jitterMs);
  return Math.round(client.lastAtMs - nowMs);
}
