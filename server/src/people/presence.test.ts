import { pino } from "pino";
import { beforeEach, expect, test } from "vitest";
import type { PassingMessage } from "#ports/bus.ts";
import { PresenceRegistry } from "./presence.ts";

const [ana, bo, cem] = [1n, 2n, 3n];

let told: string[];
let reads: bigint[];
let friends: Map<bigint, bigint[]>;
let registry: PresenceRegistry;
let reading: () => Promise<void>;
beforeEach(() => {
  told = [];
  reads = [];
  reading = async () => {};
  friends = new Map([
    [ana, [bo]],
    [bo, [ana]],
    [cem, []],
  ]);
  registry = new PresenceRegistry({
    bus: {
      pass: (userId: bigint, message: PassingMessage) => {
        if (message.type !== "presence") throw new Error("not a presence");
        told.push(`${userId}: ${message.externalId} ${message.presence}`);
        return true;
      },
    },
    logger: pino({ level: "silent" }),
    read: async (userId) => {
      reads.push(userId);
      const friendIds = friends.get(userId) ?? [];
      await reading();
      return { externalId: `ext-${userId}`, friendIds };
    },
  });
});

const settled = () => new Promise((resolve) => setImmediate(resolve));
const media = (state: "away" | "back" | "picture_paused" | "picture_back" | "camera_off") =>
  ({ type: "media", roomId: "r", roomToken: "t", state }) as const;

async function arrive(...people: bigint[]): Promise<void> {
  for (const userId of people) {
    registry.arrived(userId);
    await settled();
  }
}

test("notifies present friends of arriving, away, back and leaving, and nobody else", async () => {
  await arrive(cem, ana);
  expect([told, registry.presenceOf(ana), registry.presenceOf(bo)]).toEqual([[], "online", "offline"]);
  await arrive(bo);
  registry.dropped(bo);
  expect(registry.presenceOf(bo)).toBe("away");
  registry.resumed(bo);
  registry.gone(bo, "closed");
  expect(registry.presenceOf(bo)).toBe("offline");
  expect(told).toEqual(["1: ext-2 online", "1: ext-2 away", "1: ext-2 online", "1: ext-2 offline"]);
});

test("counts a hidden page in a call as away until it is shown, and notifies of each change once", async () => {
  await arrive(ana, bo);
  told = [];
  registry.roomMessage(ana, media("away"));
  registry.roomMessage(ana, media("away"));
  expect(registry.presenceOf(ana)).toBe("away");
  // These states of video and camera say nothing about whether the page is visible.
  for (const state of ["picture_paused", "picture_back", "camera_off"] as const)
    registry.roomMessage(ana, media(state));
  expect(registry.presenceOf(ana)).toBe("away");
  registry.dropped(ana);
  registry.roomMessage(ana, media("back"));
  registry.resumed(ana);
  expect([told, registry.presenceOf(ana)]).toEqual([["2: ext-1 away", "2: ext-1 online"], "online"]);
});

test("reads friends once per arrival", async () => {
  await arrive(ana, bo);
  for (let round = 0; round < 50; round += 1) {
    registry.dropped(ana);
    registry.resumed(ana);
    registry.roomMessage(ana, media("back"));
  }
  registry.gone(bo, "closed");
  expect(reads).toEqual([ana, bo]);
});

test("notifies new friends from then on, and former friends no longer", async () => {
  await arrive(ana, cem);
  registry.friendshipChanged(ana, cem, true);
  registry.dropped(cem);
  expect(told).toEqual(["1: ext-3 away"]);
  registry.friendshipChanged(cem, ana, false);
  registry.resumed(cem);
  registry.gone(cem, "closed");
  expect(told).toEqual(["1: ext-3 away"]);
});

test("ignores a friendship that ends while friends are read", async () => {
  await arrive(bo);
  let finish = () => {};
  const read = new Promise<void>((resolve) => {
    finish = resolve;
  });
  reading = () => read;
  registry.arrived(ana);
  await settled();
  friends.set(ana, []);
  registry.friendshipChanged(ana, bo, false);
  finish();
  await settled();
  registry.gone(ana, "closed");
  expect(told).toEqual([]);
  expect(reads).toEqual([bo, ana, ana]);
});

test("never announces a user who left before friends were read, and survives a database error", async () => {
  await arrive(bo);
  registry.arrived(ana);
  registry.gone(ana, "closed");
  await settled();
  reading = () => Promise.reject(new Error("no database"));
  await arrive(ana);
  expect([told, registry.presenceOf(ana)]).toEqual([[], "online"]);
  await registry[Symbol.asyncDispose]();
});
