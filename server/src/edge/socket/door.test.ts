import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createPlainServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { HubWorld } from "#test/fixtures/hub-world.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { SocketClient } from "#test/fixtures/socket-client.ts";
import { Door } from "./door.ts";
import { ServerSecret } from "#lib/server-secret.ts";

const logger = pino({ level: "silent" });
const clock = new TestClock();
const client = "203.0.113.7";

/** Disposed after the test file. */
function kept<Part extends Disposable | AsyncDisposable>(part: Part): Part {
  leftovers.push({
    [Symbol.asyncDispose]: async () =>
      Symbol.asyncDispose in part ? part[Symbol.asyncDispose]() : part[Symbol.dispose](),
  });
  return part;
}

function doorOf(
  self: string,
  urls: Record<string, string>,
  { serverSecret = new ServerSecret("secret of a test"), socketsMax = 10, meetingPlace = null as string | null } = {},
): Door {
  const urlOf = (server: string) => urls[server] ?? null;
  const options = { self, urlOf, meetingPlace: () => meetingPlace, serverSecret, socketsMax, clock, logger };
  return kept(new Door(options));
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  kept({ [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())) });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server with only a door; it answers 418 to upgrades that it has to take itself. */
async function doorway(door: Door): Promise<string> {
  const server = createServer();
  server.on("upgrade", (request, socket, head) => {
    void door.pass({ request, socket, head }, client).then((isPassed) => {
      if (!isPassed) socket.end("HTTP/1.1 418 Own\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    });
  });
  return listening(server);
}

async function opened(address: string): Promise<{ status: number; socket: SocketClient }> {
  const socket = kept(new SocketClient(`ws://${address}`));
  return { status: await socket.opened(), socket };
}

describe("the door to another server", () => {
  test("passes a socket on to the server that its address names, both ways and with the client's address", async () => {
    const addresses: (string | null)[] = [];
    const door = doorOf("home", {});
    const world = kept(
      await HubWorld.start({
        socketsMax: 10,
        addressOf: (request) => {
          addresses.push(door.passedBy(request)?.address ?? null);
          return client;
        },
      }),
    );
    const url = world.url.replace("ws", "http").replace("/ws", "");
    const way = doorOf("way", { home: url });
    const { status, socket } = await opened(`${await doorway(way)}/ws?to=home`);
    expect(status).toBe(101);
    expect(await socket.hello("ana")).toMatchObject({ type: "welcome", resumed: false });
    await socket.settled();
    expect([addresses, way.openCount]).toEqual([[client], 2]);
    world.hub.disconnect(1n, 4_001);
    expect(await socket.closed).toBe(4_001);
    await expect.poll(() => way.openCount).toBe(0);
  });

  test("passes a client that does not follow `move` on to where such clients meet, and no other one", async () => {
    const world = kept(await HubWorld.start({ socketsMax: 10 }));
    const urls = { home: world.url.replace("ws", "http").replace("/ws", "") };
    const address = await doorway(doorOf("way", urls, { meetingPlace: "home" }));
    expect([(await opened(`${address}/ws`)).status, (await opened(`${address}/ws?to=`)).status]).toEqual([101, 418]);
    const here = await doorway(doorOf("home", urls, { meetingPlace: "home" }));
    expect((await opened(`${here}/ws`)).status).toBe(418);
  });

  test("takes the socket itself if the other server is unknown, unreachable, silent or full", async () => {
    const full = kept(await HubWorld.start({ socketsMax: 0 }));
    const hanging = createPlainServer((socket) => void socket.resume());
    await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
    kept({ [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void hanging.close(() => resolve())) });
    const urls = {
      gone: "http://127.0.0.1:1",
      full: full.url.replace("ws", "http").replace("/ws", ""),
      hanging: `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`,
    };
    const address = await doorway(doorOf("way", urls));
    for (const to of ["unknown", "gone", "full", "way"])
      expect((await opened(`${address}/ws?to=${to}`)).status).toBe(418);
    const asked = opened(`${address}/ws?to=hanging`);
    await expect.poll(() => clock.pendingCount).toBeGreaterThan(0);
    clock.advance(1_000);
    expect((await asked).status).toBe(418);
    expect((await opened(`${address}/ws`)).status).toBe(418);
  });

  test("takes a socket itself at the maximum of passed sockets", async () => {
    const hanging = createPlainServer((socket) => void socket.resume());
    await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
    kept({ [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void hanging.close(() => resolve())) });
    const world = kept(await HubWorld.start({ socketsMax: 10 }));
    const urls = {
      home: world.url.replace("ws", "http").replace("/ws", ""),
      hanging: `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`,
    };
    const address = await doorway(doorOf("way", urls, { socketsMax: 1 }));
    const pendingBefore = clock.pendingCount;
    const asked = opened(`${address}/ws?to=hanging`);
    await expect.poll(() => clock.pendingCount).toBeGreaterThan(pendingBefore);
    expect((await opened(`${address}/ws?to=home`)).status).toBe(418);
    clock.advance(1_000);
    expect((await asked).status).toBe(418);
    expect((await opened(`${address}/ws?to=home`)).status).toBe(101);
    expect((await opened(`${address}/ws?to=home`)).status).toBe(418);
  });

  test("passes on a refusal of the other server unchanged", async () => {
    const server = createServer();
    server.on("upgrade", (_request, socket) =>
      socket.end("HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
    );
    const address = await doorway(doorOf("way", { home: `http://${await listening(server)}` }));
    expect((await opened(`${address}/ws?to=home`)).status).toBe(429);
  });

  test("checks the certificate of the other server by the name in its PEER_URL", async () => {
    const names: string[] = [];
    const server = createTlsServer({
      SNICallback: (name, use) => (names.push(name), use(new Error("no certificate"))),
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    kept({ [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())) });
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;
    expect((await opened(`${await doorway(doorOf("way", { home: url }))}/ws?to=home`)).status).toBe(418);
    expect(names).toEqual(["localhost"]);
  });

  test("passes on bytes that arrived with the request", async () => {
    const heard: string[] = [];
    const server = createServer();
    server.on("upgrade", (_request, socket) => {
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
      socket.on("data", (bytes: Buffer) => void heard.push(String(bytes)));
      socket.on("end", () => socket.destroy());
    });
    const way = doorOf("way", { home: `http://${await listening(server)}` });
    const [host, port] = (await doorway(way)).split(":");
    const socket = connect(Number(port), host);
    socket.write("GET /ws?to=home HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nearly");
    await expect.poll(() => heard.join("")).toBe("early");
    socket.destroy();
  });

  test("passes a socket on once, also where a PEER_URL leads to another door", async () => {
    const server = createServer();
    server.on("upgrade", (_request, socket) =>
      socket.end("HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
    );
    const second = await doorway(doorOf("second", { home: `http://${await listening(server)}` }));
    expect((await opened(`${second}/ws?to=home`)).status).toBe(429);
    const first = await doorway(doorOf("first", { home: `http://${second}` }));
    expect((await opened(`${first}/ws?to=home`)).status).toBe(418);
  });

  test("rejects an address that was signed for another server, with another secret, long ago or not at all", async () => {
    const home = doorOf("home", {});
    const signedBy = async (door: Door, to: string) => {
      const server = createServer();
      const seen = new Promise<unknown>((resolve) =>
        server.on("upgrade", (request, socket) => {
          resolve(request.headers["fava-door"]);
          socket.destroy();
        }),
      );
      const url = `http://${await listening(server)}`;
      const address = await doorway(
        doorOf("way", { [to]: url }, door === home ? {} : { serverSecret: new ServerSecret("another secret") }),
      );
      void opened(`${address}/ws?to=${to}`).catch(() => undefined);
      return { headers: { "fava-door": String(await seen) } };
    };
    const right = await signedBy(home, "home");
    expect(home.passedBy(right)).toEqual({ server: "way", address: client });
    expect(doorOf("other", {}).passedBy(right)).toBeNull();
    expect(
      home.passedBy(await signedBy(doorOf("x", {}, { serverSecret: new ServerSecret("another secret") }), "home")),
    ).toBeNull();
    expect(home.passedBy({ headers: {} })).toBeNull();
    expect(home.passedBy({ headers: { "fava-door": `${right.headers["fava-door"]}0` } })).toBeNull();
    // The length of a signature in characters, but more bytes.
    const signedAt = right.headers["fava-door"].split(" ")[0];
    expect(home.passedBy({ headers: { "fava-door": `${signedAt} ${"é".repeat(64)} way ${client}` } })).toBeNull();
    clock.advance(300_001);
    expect(home.passedBy(right)).toBeNull();
  });
});
