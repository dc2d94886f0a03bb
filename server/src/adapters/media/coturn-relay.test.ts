import { createHmac } from "node:crypto";
import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { sessionsOf, withCommands } from "./coturn-commands.ts";
import { CoturnRelay } from "./coturn-relay.ts";

const base = { urls: ["turn:turn.example:3478?transport=udp", "turns:turn.example:443"], secret: "north" };
const ana = "ext-ana";

interface Played extends AsyncDisposable {
  readonly port: number;
  readonly lines: string[];
}

/** A command port that answers each line as the test says; null: with silence. */
async function commandPort(answerTo: (line: string, socket: Socket) => string | null): Promise<Played> {
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.write("TURN Server\r\n\r\nEnter password: \r\n");
    socket.on("data", (data) => {
      for (const line of data.toString().split("\r\n").slice(0, -1)) {
        lines.push(line);
        const answer = answerTo(line, socket);
        if (answer !== null) socket.write(answer);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    lines,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listOf(...sessions: readonly [id: string, user: string, ageSeconds: number][]): string {
  const entries = sessions.map(
    ([id, user, age], index) =>
      `    ${index + 1}) id=${id}, user <${user}>:\r\n      realm: fava\r\n      started ${age} secs ago\r\n\r\n`,
  );
  return `\r\n${entries.join("")}  Total sessions: ${sessions.length}\r\n\r\n> `;
}

function relayWith(ports: readonly number[], clock = new TestClock()) {
  const errors: object[] = [];
  const commandPorts = ports.map((port) => ({ host: "127.0.0.1", port, password: "south" }));
  const logger = { error: (details: object) => void errors.push(details) };
  return { errors, relay: new CoturnRelay({ ...base, credentialSeconds: 600, commandPorts, clock, logger }) };
}

test("creates short-lived credentials that the shared secret alone can verify", () => {
  const { relay } = relayWith([], new TestClock(1_767_225_600_999));
  const { iceServers, expiresAtMs } = relay.credentialsFor(ana);
  expect(expiresAtMs).toBe((1_767_225_600 + 600) * 1_000);
  const { urls } = base;
  expect(iceServers).toEqual([{ urls, username: "1767226200:ext-ana", credential: "uy/ckxgUtx7+NtfA//nxcwnDbMg=" }]);
  expect(createHmac("sha1", "north").update("1767226200:ext-ana").digest("base64")).toBe(iceServers[0]?.credential);
  expect(relay.policy).toBe("relay");
});

test("[SAFE-513] ends the sessions of one user at every coturn, of each credential, and no other user's", async () => {
  const cut = new Set<string>();
  const sessions: [string, string, number][] = [
    ["0001", `17:${ana}`, 9],
    ["0002", `17:${ana}2`, 9],
    ["0003", `18:${ana}`, 0],
    ["0004", `18:x${ana}`, 9],
  ];
  const answer = (line: string) => {
    if (line.startsWith("psp")) return listOf(...sessions.filter(([id]) => !cut.has(id)));
    if (line.startsWith("cs ")) cut.add(line.slice(3));
    return "> ";
  };
  await using one = await commandPort(answer);
  await using other = await commandPort((line) => (line.startsWith("psp") ? listOf() : "> "));
  const { relay, errors } = relayWith([one.port, other.port]);
  relay.cut(ana);
  await relay.settled();
  expect(one.lines).toEqual(["south", "psp :ext-ana", "cs 0001", "cs 0003", "psp :ext-ana"]);
  expect(other.lines).toEqual(["south", "psp :ext-ana"]);
  expect(errors).toEqual([]);
});

test("[SAFE-513] leaves sessions that started after the cut, when coturn answers late", async () => {
  const clock = new TestClock();
  const cut = new Set<string>();
  const sessions: [string, string, number][] = [
    ["1", `17:${ana}`, 4],
    ["2", `18:${ana}`, 2],
  ];
  await using port = await commandPort((line) => {
    if (line === "south") clock.advance(3_000);
    if (line.startsWith("cs ")) cut.add(line.slice(3));
    return line.startsWith("psp") ? listOf(...sessions.filter(([id]) => !cut.has(id))) : "> ";
  });
  const { relay } = relayWith([port.port], clock);
  relay.cut(ana);
  await relay.settled();
  expect([...cut]).toEqual(["1"]);
});

test("sends no name that could hold another command", async () => {
  await using port = await commandPort(() => "> ");
  for (const name of ["ana\r\nstop", "ana stop", "", "ana;", "a".repeat(65)]) {
    const { relay, errors } = relayWith([port.port]);
    relay.cut(name);
    await relay[Symbol.asyncDispose]();
    expect(errors).toHaveLength(1);
  }
  expect(new Set(port.lines)).toEqual(new Set(["south"]));
});

test.each<[string, (line: string, socket: Socket) => string | null, RegExp]>([
  ["is silent", () => null, /not answer in time/],
  ["refuses the password", () => "Enter password: \r\n", /refuses TURN_CLI_PASSWORD/],
  ["closes the connection", (_line, socket) => (socket.end(), null), /closes the connection/],
  ["resets the connection", (_line, socket) => (socket.resetAndDestroy(), null), /ECONNRESET/],
  ["sends without an end", () => "x".repeat(2_000_000), /sends too much/],
])("reports a command port that %s", async (_what, answer, fault) => {
  await using port = await commandPort(answer);
  const work = withCommands({ host: "127.0.0.1", port: port.port, password: "south" }, (run) => run("ps"), 300);
  await expect(work).rejects.toThrow(fault);
});

test("reports a command port that sends a byte at a time and never ends", async () => {
  let dripping: ReturnType<typeof setInterval> | undefined;
  await using port = await commandPort((_line, socket) => {
    dripping = setInterval(() => socket.write("x"), 20);
    return null;
  });
  const work = withCommands({ host: "127.0.0.1", port: port.port, password: "south" }, (run) => run("ps"), 300);
  await expect(work).rejects.toThrow(/not answer in time/);
  clearInterval(dripping);
});

test("retries while a session stays, and gives up with one line in the log", async () => {
  const clock = new TestClock();
  await using port = await commandPort((line) => (line.startsWith("psp") ? listOf(["1", `17:${ana}`, 99]) : "> "));
  const { relay, errors } = relayWith([port.port], clock);
  relay.cut(ana);
  const passing = setInterval(() => clock.advance(500), 10);
  await relay.settled();
  clearInterval(passing);
  expect(port.lines.filter((line) => line === "cs 1")).toHaveLength(3);
  expect(errors).toMatchObject([{ externalId: ana, err: { message: "keeps a session" } }]);
});

test("[SAFE-513] starts no further try after the shutdown has begun", async () => {
  await using port = await commandPort((_line, socket) => (socket.end(), null));
  const { relay, errors } = relayWith([port.port]);
  relay.cut(ana);
  await relay[Symbol.asyncDispose]();
  expect(port.lines).toEqual(["south"]);
  expect(errors).toHaveLength(1);
});

test("bounds the cuts that wait for a coturn that hangs", async () => {
  await using port = await commandPort(() => null);
  const { relay, errors } = relayWith([port.port]);
  for (let count = 0; count < 103; count += 1) relay.cut(`user-${count}`);
  expect(errors).toHaveLength(3);
  // Ends every connection, as a restart of coturn does.
  await port[Symbol.asyncDispose]();
  await relay[Symbol.asyncDispose]();
  expect(errors).toHaveLength(103);
});

test("reads only complete entries of exactly this user", () => {
  const noise = "id=7, user <17:ext-ana>: no age id=8; user <17:ext-ana>:\r\n started 3 secs ago";
  expect(sessionsOf(noise, ana)).toEqual([]);
  expect(sessionsOf(listOf(["9", `17:${ana}`, 1]), ana)).toEqual([{ id: "9", user: ana, ageSeconds: 1 }]);
  expect(sessionsOf(listOf(["9 cs 1", `17:${ana}`, 1]), ana)).toEqual([]);
});
