import { expect, test } from "vitest";
import { NoOwnerError, type PeerKey } from "#ports/peers.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { CallLocator } from "./call-locator.ts";
import { CallTickets } from "./call-tickets.ts";
import type { CallLocation } from "./room-claims.ts";
import { ServerSecret } from "#lib/server-secret.ts";

const tickets = new CallTickets(new ServerSecret("secret of a test"));
const ticket = tickets.of("room", 1n);
const gone = { id: "room", owner: "gone", isOwnerAlive: false, isLeaving: false, isLive: true };
const other = { id: "room", owner: "other", isOwnerAlive: true, isLeaving: false, isLive: true };

/** A server that finds each of `places` in turn, and adopts a call if the next value of `taken` is true. */
function locatorOver({ places = [], taken = [] }: { places?: (CallLocation | null)[]; taken?: boolean[] }) {
  const asked: unknown[] = [];
  const answers = new Map<string, (input: unknown, key: PeerKey) => Promise<unknown>>();
  const clock = new TestClock();
  let partner: bigint | null = null;
  const found = new CallLocator({
    self: "self",
    peers: {
      serve: (kind, answer) => {
        answers.set(kind, answer as never);
        return { [Symbol.dispose]: () => undefined };
      },
      ask: async (kind, key, input) => {
        asked.push([kind, key, input]);
        throw new NoOwnerError("it has ended meanwhile");
      },
    },
    calls: {
      otherIn: () => partner,
      stayed: (userId, roomId) => void asked.push(["stayed", userId, roomId]),
      roomMessage: (userId, message) => void asked.push(["message", userId, message]),
      takenOver: (userId, roomId, by) => void asked.push(["taken over", userId, roomId, by]),
    },
    meters: { settle: async (roomId) => void asked.push(["settle", roomId]) },
    runningCalls: {
      placeOf: async (userId, roomId) => {
        asked.push(["place", userId, roomId]);
        return (places.length > 1 ? places.shift() : places[0]) ?? null;
      },
    },
    recovery: {
      take: async (id, owner) => {
        asked.push(["take", id, owner]);
        const isTaken = (taken.length > 1 ? taken.shift() : taken[0]) ?? false;
        if (isTaken) partner = 2n;
        return isTaken ? 2 : null;
      },
    },
    tickets,
    clock,
  });
  return { found, asked, answers, clock, meets: (userId: bigint) => void (partner = userId) };
}

const turns = async () => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

test("sends a page to the server with its call, and keeps one without a call", async () => {
  const there = locatorOver({ places: [other] });
  expect(await there.found.findByTicket(1n, ticket)).toBe("other");
  expect(there.asked).toEqual([["place", 1n, "room"]]);
  for (const place of [null, { ...other, isLeaving: true, isLive: false }])
    expect(await locatorOver({ places: [place] }).found.findByTicket(1n, ticket)).toBeNull();
});

test("takes the call of a stopping server after that one has charged the passed time and ended it silently", async () => {
  const { found, asked, answers } = locatorOver({ places: [{ ...other, isLeaving: true }], taken: [true] });
  expect(await found.findByTicket(1n, ticket)).toBeNull();
  expect(asked.slice(1)).toEqual([
    ["settleCall", "process:other", { roomId: "room" }],
    ["take", "room", "other"],
    ["callTaken", "process:other", { server: "self", roomId: "room", userId: 1n, epoch: 2 }],
  ]);
  for (const kind of ["settleCall", "callTaken"])
    await answers.get(kind)?.({ server: "new", roomId: "room", userId: 1n, epoch: 2 }, "process:other");
  await answers.get("roomMessage")?.({ userId: 1n, message: "hello" }, "process:other");
  expect(asked.slice(-3)).toEqual([
    ["settle", "room"],
    ["taken over", 1n, "room", { server: "new", epoch: 2 }],
    ["message", 1n, "hello"],
  ]);
});

test("takes the call of a dead server at once", async () => {
  const { found, asked } = locatorOver({ places: [gone], taken: [true] });
  expect(await found.findByTicket(1n, ticket)).toBeNull();
  expect(asked.at(-1)).toEqual(["take", "room", "gone"]);
  // This server has the call now.
  expect(await found.findByTicket(1n, ticket)).toBeNull();
  expect(asked).toHaveLength(2);
});

test("lets one of two servers take a call at the same time, and sends the other one's page there", async () => {
  const { found, asked, clock } = locatorOver({ places: [gone, gone, other], taken: [false] });
  const finding = found.findByTicket(1n, ticket);
  for (let look = 0; look < 3; look += 1) {
    await turns();
    clock.advance(25);
  }
  expect(await finding).toBe("other");
  expect(asked.filter((what) => Array.isArray(what) && what[0] === "take")).toHaveLength(2);
});

test("waits for the room of a call that this server is taking for the other page", async () => {
  const { found, clock, meets } = locatorOver({ places: [{ ...other, owner: "self" }] });
  let isFound = false;
  const finding = found.findByTicket(1n, ticket).finally(() => (isFound = true));
  await turns();
  clock.advance(25);
  await turns();
  expect(isFound).toBe(false);
  meets(2n);
  clock.advance(25);
  expect(await finding).toBeNull();
});

test("waits at most a second for a call that no server takes", async () => {
  const { found, clock } = locatorOver({ places: [gone] });
  const finding = found.findByTicket(1n, ticket);
  for (let look = 0; look < 50; look += 1) {
    await turns();
    clock.advance(25);
  }
  expect(await finding).toBeNull();
});

test("looks for the user's own call with another user's ticket, or without one", async () => {
  const { found, asked } = locatorOver({ places: [null] });
  await found.findByTicket(2n, ticket);
  await found.findByTicket(2n, null);
  expect(asked).toEqual([
    ["place", 2n, null],
    ["place", 2n, null],
  ]);
  found.returned(2n, ticket);
  found.returned(1n, ticket);
  expect(asked.slice(2)).toEqual([["stayed", 1n, "room"]]);
});
