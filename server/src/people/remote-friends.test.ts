import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PassingMessage } from "#ports/bus.ts";
import { type Ownership, personKey } from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { troubledSite } from "#test/fixtures/peer-sites.ts";
import { PresenceRegistry } from "./presence.ts";

const [ana, bo, cem] = [1n, 2n, 3n];
const lookEveryMs = 5_000;
const logger = pino({ level: "silent" });

let told: string[];
let friends: Map<bigint, readonly bigint[]>;
let living: Set<ProcessId>;
let clock: TestClock;
let here: ReturnType<typeof openServer>;
let there: ReturnType<typeof openServer>;

const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
const checkServers = async () => {
  clock.advance(lookEveryMs);
  await settled();
};

function openServer(peers: ReturnType<typeof troubledSite>[number]) {
  const homes = new Map<bigint, Ownership>();
  const registry = new PresenceRegistry({
    bus: {
      pass: (userId: bigint, message: PassingMessage) => {
        if (message.type === "presence") told.push(`${userId}: ${message.externalId} ${message.presence}`);
      },
    },
    logger,
    read: async (userId) => ({ externalId: `ext-${userId}`, friendIds: friends.get(userId) ?? [] }),
    site: { peers, processes: { living: async () => living }, clock },
  });
  return {
    peers,
    registry,
    arrive: (userId: bigint) => registry.arrived(userId),
    own: async (userId: bigint) => {
      homes.set(userId, await peers.own(personKey(userId)));
      registry.ownedHere(userId);
      await settled();
    },
    come: async (userId: bigint) => {
      registry.arrived(userId);
      await settled();
      homes.set(userId, await peers.own(personKey(userId)));
      registry.ownedHere(userId);
      await settled();
    },
    go: async (userId: bigint) => {
      registry.gone(userId, "closed");
      homes.get(userId)?.[Symbol.dispose]();
      await settled();
    },
  };
}

beforeEach(() => {
  told = [];
  friends = new Map([
    [ana, [bo]],
    [bo, [ana]],
    [cem, []],
  ]);
  living = new Set(["here", "there"]);
  clock = new TestClock();
  const [one, other] = troubledSite("here", "there");
  here = openServer(one);
  there = openServer(other);
});
afterEach(async () => {
  for (const { registry, peers } of [here, there]) {
    await registry[Symbol.asyncDispose]();
    await peers[Symbol.asyncDispose]();
  }
});

const takeNotified = () => told.splice(0);

test("notifies friends at two servers of arriving, away, back and leaving, once each, and nobody else", async () => {
  await here.come(cem);
  await here.come(ana);
  expect([takeNotified(), await here.registry.presenceAnywhere(bo)]).toEqual([[], "offline"]);
  await there.come(bo);
  expect([takeNotified(), await here.registry.presenceAnywhere(bo)]).toEqual([["1: ext-2 online"], "online"]);
  there.registry.dropped(bo);
  expect([takeNotified(), await here.registry.presenceAnywhere(bo)]).toEqual([["1: ext-2 away"], "away"]);
  there.registry.resumed(bo);
  here.registry.dropped(ana);
  expect(takeNotified()).toEqual(["1: ext-2 online", "2: ext-1 away"]);
  expect(await there.registry.presenceAnywhere(ana)).toBe("away");
  await there.go(bo);
  expect([takeNotified(), await here.registry.presenceAnywhere(bo)]).toEqual([["1: ext-2 offline"], "offline"]);
  // Bo, who left `there`, arrives `here`: each change is notified once.
  await here.come(bo);
  here.registry.resumed(ana);
  expect(takeNotified()).toEqual(["1: ext-2 online", "2: ext-1 online"]);
});

test("lets the one of two arriving users whose home is registered later find the other", async () => {
  here.arrive(ana);
  there.arrive(bo);
  await settled();
  await here.own(ana);
  expect(takeNotified()).toEqual([]);
  await there.own(bo);
  expect(takeNotified()).toEqual(["1: ext-2 online"]);
  here.registry.dropped(ana);
  expect(takeNotified()).toEqual(["2: ext-1 away"]);
});

test("does not show a user as present who left before a friend's home answered", async () => {
  await here.come(ana);
  there.arrive(bo);
  await settled();
  const owned = there.own(bo);
  await Promise.resolve();
  await there.go(bo);
  await owned;
  expect(takeNotified().at(-1)).not.toBe("1: ext-2 online");
});

test("notifies new friends from then on, and former friends no longer", async () => {
  await here.come(ana);
  await there.come(cem);
  for (const { registry } of [here, there]) registry.friendshipChanged(ana, cem, true);
  await settled();
  takeNotified();
  there.registry.dropped(cem);
  expect(takeNotified()).toEqual(["1: ext-3 away"]);
  for (const { registry } of [here, there]) registry.friendshipChanged(cem, ana, false);
  there.registry.resumed(cem);
  await here.go(ana);
  expect(takeNotified()).toEqual([]);
});

test("reports friends of a dead server as absent, and asks silent homes again", async () => {
  await here.come(ana);
  there.peers.isSilent = true;
  await there.come(bo);
  expect(takeNotified()).toEqual([]);
  there.peers.isSilent = false;
  await checkServers();
  expect(takeNotified()).toEqual(["1: ext-2 online"]);
  living.delete("there");
  await there.peers[Symbol.asyncDispose]();
  await checkServers();
  expect(takeNotified()).toEqual(["1: ext-2 offline"]);
  await checkServers();
  expect(takeNotified()).toEqual([]);
});

test("asks all homes again after a gap", async () => {
  await here.come(ana);
  await here.come(cem);
  await there.come(bo);
  takeNotified();
  // Changes that the first server missed: Ana and Bo are no longer friends, and Cem is a friend of both.
  friends = new Map([
    [ana, [cem]],
    [bo, [cem]],
    [cem, [ana, bo]],
  ]);
  for (const { peers } of [here, there]) peers.gap();
  await checkServers();
  await checkServers();
  takeNotified();
  there.registry.dropped(bo);
  here.registry.dropped(ana);
  expect(takeNotified()).toEqual(["3: ext-2 away", "3: ext-1 away"]);
});
