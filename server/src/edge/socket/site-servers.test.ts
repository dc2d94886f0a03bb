import { pino } from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import type { ServerFacts, PeerEvents } from "#ports/peers.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { movesBeforeSearch, SiteServers } from "./site-servers.ts";

const searchPeopleMax = 100;

describe("the open server", () => {
  let clock: TestClock;
  let told: PeerEvents["server"][];
  let hear: (facts: ServerFacts) => void;
  let goodbye: (process: string) => void;

  beforeEach(() => {
    clock = new TestClock();
    told = [];
  });

  function serversOf(max = searchPeopleMax): SiteServers {
    const nothing = { [Symbol.dispose]: () => undefined };
    const peers = {
      self: "b",
      broadcast: (_kind: string, facts: unknown) => void told.push(facts as ServerFacts),
      onEvent: (_kind: string, listener: (facts: never) => void) => ((hear = listener as typeof hear), nothing),
      onGone: (listener: (process: string) => void) => ((goodbye = listener), nothing),
    } as never;
    const logger = pino({ level: "silent" });
    const servers = new SiteServers({ peers, url: "http://b", searchPeopleMax: max, clock, logger });
    leftovers.push(servers);
    return servers;
  }

  const factsOf = (process: string, facts: Partial<ServerFacts> = {}): ServerFacts => {
    return { process, url: `http://${process}`, busyPeople: 0, hasMatcher: false, isLeaving: false, ...facts };
  };
  const own = { busyPeople: 0, hasMatcher: false, isLeaving: false };

  test("is the server with the matcher, and the next one once that is full", () => {
    const servers = serversOf();
    servers.begin(() => ({ ...own }));
    expect(servers.open).toBeNull();
    hear(factsOf("c", { hasMatcher: true, busyPeople: 99 }));
    hear(factsOf("a"));
    expect(servers.open).toBe("c");
    hear(factsOf("c", { hasMatcher: true, busyPeople: 100 }));
    expect(servers.open).toBe("a");
    hear(factsOf("a", { busyPeople: 100 }));
    expect(servers.open).toBe("b");
    // Just below the limit the server stays closed.
    hear(factsOf("c", { hasMatcher: true, busyPeople: 95 }));
    expect(servers.open).toBe("b");
    hear(factsOf("c", { hasMatcher: true, busyPeople: 89 }));
    expect(servers.open).toBe("c");
  });

  test("is never a server that is stopping, said goodbye or is silent; null if users search at their own server", () => {
    const servers = serversOf();
    servers.begin(() => ({ ...own, hasMatcher: true, isLeaving: true }));
    hear(factsOf("a", { hasMatcher: true }));
    expect(servers.open).toBe("a");
    goodbye("a");
    expect(servers.open).toBeNull();
    hear(factsOf("a", { hasMatcher: true }));
    clock.advance(5_000);
    expect([servers.open, servers.urlOf("a")]).toEqual([null, null]);
    const spread = serversOf(0);
    spread.begin(() => ({ ...own, hasMatcher: true }));
    expect(spread.open).toBeNull();
  });

  test("is where clients that do not follow `move` meet, or else the server with the matcher", () => {
    const servers = serversOf(0);
    expect(servers.meetingPlace).toBeNull();
    servers.begin(() => ({ ...own }));
    hear(factsOf("c", { hasMatcher: true }));
    expect([servers.open, servers.meetingPlace]).toEqual([null, "c"]);
    const filled = serversOf();
    filled.begin(() => ({ ...own }));
    hear(factsOf("c", { hasMatcher: true, busyPeople: 100 }));
    expect([filled.open, filled.meetingPlace]).toEqual(["b", "b"]);
  });

  test("reports another server that is about to stop", () => {
    const servers = serversOf();
    const leaving: string[] = [];
    servers.onLeaving((server) => leaving.push(server));
    hear(factsOf("a"));
    expect(leaving).toEqual([]);
    hear(factsOf("a", { isLeaving: true }));
    expect(leaving).toEqual(["a"]);
  });

  test("receives the facts of each server once a second, with its address", async () => {
    const servers = serversOf();
    servers.begin(() => ({ busyPeople: 7, hasMatcher: true, isLeaving: false }));
    clock.advance(1_000);
    await Promise.resolve();
    expect(told).toEqual([factsOf("b", { busyPeople: 7, hasMatcher: true })]);
    hear(factsOf("a"));
    expect([servers.urlOf("a"), servers.urlOf("c")]).toEqual(["http://a", null]);
  });

  test("receives users with a camera preview, unless they search, are in a call, or are there already", () => {
    const moved: unknown[] = [];
    const hub = { move: (...move: unknown[]) => moved.push(move) > 0 };
    const listener = (open: string | null) =>
      movesBeforeSearch(
        { self: "b", open },
        {
          hub,
          isBusy: (userId) => userId === 2n,
        },
      );
    for (const userId of [1n, 2n]) listener("a").preview(userId);
    listener("b").preview(1n);
    listener(null).preview(1n);
    expect(moved).toEqual([[1n, "a"]]);
  });
});
