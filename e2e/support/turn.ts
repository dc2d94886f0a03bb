import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { spawnBound } from "@fava/server/test/fixtures/bound-process.ts";
import { freePort } from "./free-port.ts";
import { stopChild } from "./product.ts";

export const turnSecret = "a-secret-of-the-tests-only";
const turnBinary = "/usr/bin/turnserver";

/** Whether coturn is installed; `npm test` installs it on Debian. */
export const turnIsInstalled = existsSync(turnBinary);

export interface Turn extends AsyncDisposable {
  port: number;
}

/** A real coturn on a free loopback port, with short-lived credentials like in production. */
export async function startTurn(): Promise<Turn> {
  const port = await freePort();
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
    "--no-tls",
    "--no-dtls",
    "--no-multicast-peers",
    "--allow-loopback-peers",
    "--cli-password=tests",
    `--cli-port=${await freePort()}`,
    "--pidfile=/dev/null",
    "--log-file=stdout",
    "--simple-log",
  ];
  const child = spawnBound(turnBinary, words, { onLine: () => undefined });
  // It listens for datagrams before it does for connections.
  for (let tries = 0; !(await accepts(port)); tries += 1) {
    if (child.exitCode !== null) throw new Error(`coturn stopped with ${child.exitCode}`);
    if (tries >= 100) throw new Error("coturn did not start");
    await pause(100);
  }
  return { port, [Symbol.asyncDispose]: () => stopChild(child) };
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

/** A UDP proxy before coturn, whose path can be cut and healed at run time without any rights on the machine. */
export interface UdpProxy extends AsyncDisposable {
  port: number;
  cut(): void;
  heal(): void;
}

export async function startUdpProxy(targetPort: number): Promise<UdpProxy> {
  const front = createSocket("udp4");
  const upstreams = new Map<number, Socket>();
  let down = false;
  front.on("message", (packet, sender) => {
    if (down) return;
    let upstream = upstreams.get(sender.port);
    if (!upstream) {
      upstream = createSocket("udp4");
      upstream.on("message", (answer) => {
        if (!down) front.send(answer, sender.port, sender.address);
      });
      upstreams.set(sender.port, upstream);
    }
    upstream.send(packet, targetPort, "127.0.0.1");
  });
  await new Promise<void>((resolve) => front.bind(0, "127.0.0.1", resolve));
  return {
    port: front.address().port,
    cut: () => void (down = true),
    heal: () => void (down = false),
    async [Symbol.asyncDispose]() {
      for (const upstream of upstreams.values()) upstream.close();
      await new Promise<void>((resolve) => front.close(() => resolve()));
    },
  };
}
