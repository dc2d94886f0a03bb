import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { personKey, processKey } from "#ports/peers.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { peerSites } from "#test/fixtures/peer-sites.ts";
import { Guests } from "./guests.ts";
import type { NewSearch } from "./match-eligibility.ts";

const ana = 1n;
const lookEveryMs = 1_000;
const leavingMs = 10_000;

test("[MATCH-95] once the next home asks, nothing begins for somebody at the one before; where it never becomes that, all goes on", async () => {
  await using site = await peerSites[0]!.open();
  const [home, next] = site.peers;
  using _home = await home.own(personKey(ana));
  using _process = await home.own(processKey(home.self));
  const clock = new TestClock();
  const processes = { living: async () => new Set([home.self, next.self]) };
  const logger = pino({ level: "silent" });
  await using guests = new Guests({ peers: home, hub: { isHere: () => true }, processes, clock, logger });
  const told: string[] = [];
  const listener = { arrived: () => void told.push("arrived"), gone: () => void told.push("gone") };
  guests.attach([listener], {
    lend: () => ({ userId: ana }) as NewSearch,
    continueSearch: async () => undefined,
    keepPlace: () => undefined,
    prepare: async () => undefined,
    otherIn: () => null,
  });
  const lend = () =>
    next.ask("lend", processKey(home.self), { search: { userId: ana, searchId: 1 }, otherId: 2n, host: next.self });
  guests.arrived(ana);
  await vi.waitFor(() => expect(guests.isHere(ana)).toBe(true));

  expect(await next.ask("whereIsCall", personKey(ana), { home: next.self })).toBeNull();
  expect([told, guests.isHere(ana), await lend()]).toEqual([["arrived", "gone"], false, null]);
  for (let passedMs = 0; passedMs <= leavingMs; passedMs += lookEveryMs) {
    clock.advance(lookEveryMs);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect([told, guests.isHere(ana)]).toEqual([["arrived", "gone", "arrived"], true]);
  expect(await lend()).toMatchObject({ search: { userId: ana } });
});
