import { afterEach, expect, test } from "vitest";
import { HubWorld } from "#test/fixtures/hub-world.ts";
import { SocketClient } from "#test/fixtures/socket-client.ts";
import { addressReader, AddressSockets } from "./address-sockets.ts";

let world: HubWorld | null = null;
afterEach(async () => {
  await world?.[Symbol.asyncDispose]();
  world = null;
});

/** Opens sockets until one is refused; returns how many were accepted. */
function openAll(sockets: AddressSockets, addressOf: (index: number) => string) {
  const opened = [];
  for (let next = sockets.open(addressOf(0)); next; next = sockets.open(addressOf(opened.length))) opened.push(next);
  return opened;
}

test("limits an address to 30 sockets without a verified hello, and to 200 in all", () => {
  const sockets = new AddressSockets(1);
  const silent = openAll(sockets, () => "203.0.113.5");
  expect(silent).toHaveLength(30);
  expect(sockets.open("203.0.113.6")).not.toBeNull();
  let open = 0;
  for (let more = silent; more.length > 0; more = openAll(sockets, () => "203.0.113.5")) {
    open += more.length;
    for (const socket of more) socket.greeted();
  }
  expect(open).toBe(200);
  silent[0]?.closed();
  expect(openAll(sockets, () => "203.0.113.5")).toHaveLength(1);
});

test("counts an IPv6 network as one address, and forgets an address without open sockets", () => {
  const sockets = new AddressSockets(1);
  const household = openAll(sockets, (index) => `2001:db8:1:2::${index.toString(16)}`);
  expect(household).toHaveLength(30);
  for (const socket of household) socket.closed();
  expect(openAll(sockets, (index) => `2001:db8:1:2::${index.toString(16)}`)).toHaveLength(30);
  expect(openAll(sockets, () => "2001:db8:1:3::1")).toHaveLength(30);
});

test("answers 429 to one socket too many of an address, accepts others, and has room once one closes", async () => {
  world = await HubWorld.start({ socketsMax: 1_000, limitFactor: 1 });
  const { url } = world;
  const open = (address: string) => world?.upgrade({ "x-address": address }, url);
  for (let count = 0; count < 30; count += 1) expect(await open("203.0.113.5")).toBe(101);
  expect(await open("203.0.113.5")).toBe(429);
  expect(await open("203.0.113.6")).toBe(101);
});

test("limits how many sockets an address opens in ten seconds, closed ones included", async () => {
  world = await HubWorld.start({ socketsMax: 1_000, limitFactor: 1 });
  const headers = { "x-address": "203.0.113.5" };
  for (let count = 0; count < 60; count += 1) {
    const client = await world.connect(headers);
    await client[Symbol.asyncDispose]();
  }
  expect(await world.upgrade(headers)).toBe(429);
  expect(await world.upgrade({ "x-address": "203.0.113.6" })).toBe(101);
});

test("closes a socket whose limit cannot be read, and keeps serving", async () => {
  let isBroken = true;
  const take = async () => {
    if (isBroken) throw new Error("no memory");
    return null;
  };
  world = await HubWorld.start({ socketsMax: 8, limits: { take } });
  await using client = new SocketClient(world.url);
  expect(await client.closed).toBe(1006);
  isBroken = false;
  expect(await world.upgrade({})).toBe(101);
});

test("reads the client's address from trusted proxies only", () => {
  const request = {
    socket: { remoteAddress: "10.0.0.1" },
    headers: { "x-forwarded-for": "198.51.100.9, 203.0.113.5" },
  };
  const read = (trusted: string[]) => addressReader(trusted)(request as never);
  expect([read([]), read(["10.0.0.0/8"]), read(["192.0.2.1"])]).toEqual(["10.0.0.1", "203.0.113.5", "10.0.0.1"]);
});
