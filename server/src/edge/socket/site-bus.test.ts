import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { coverMask } from "@fava/wire/messages.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import { systemClock } from "#adapters/local/clock.ts";
import { ListeningPeers } from "#adapters/local/peers.ts";
import type { PauseGuard } from "#db/pause-guard.ts";
import type { Bus, ChatMessage } from "#ports/bus.ts";
import {
  type PeerRequests,
  NoOwnerError,
  type PeerKey,
  type Peers,
  PeerTimeoutError,
  type PeerEvents,
} from "#ports/peers.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { MemoryBus } from "#test/fakes/memory-bus.ts";
import { homesOf } from "#test/fixtures/homes.ts";
import { type PeerSite, peerSites, siteOverRedis } from "#test/fixtures/peer-sites.ts";
import { connected, redisIsInstalled } from "#test/fixtures/redis.ts";
import { SiteBus } from "./site-bus.ts";

const logger = pino({ level: "silent" });
/** A shared machine may stall for seconds. */
const patiently = { timeout: 30_000 };
const [ana, bo, nobody] = [1n, 2n, 3n];
const notice = (index: number) => ({ code: pushCodes.callMessage, reason: "left", id: String(index) }) as never;
const line: ChatMessage = {
  type: "chat",
  roomId: "room",
  clientId: "line",
  text: coverMask,
  hidden: [{ start: 5, end: 8, finding: "phone" }],
  cover: { kind: "insult", text: `call ${coverMask}` },
  sentAtMs: 1,
};
const typing = { type: "typing", externalId: "somebody" } as const;
const read = { kind: "read", externalId: "somebody", up_to: "1", by: "other", unread_total: 0 } as const;

/** A pause guard whose doubt the test sets. */
class Doubt implements Pick<PauseGuard, "isInDoubt" | "say"> {
  isInDoubt = false;

  async say<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    if (this.isInDoubt) throw new PeerTimeoutError("in doubt");
    return ask();
  }
}

/** The chat sessions of a server. */
class Server implements AsyncDisposable {
  readonly people = new MemoryBus(() => systemClock.monotonicMs());
  readonly bus: SiteBus;
  readonly doubt = new Doubt();
  readonly #homes: ReturnType<typeof homesOf>;

  constructor(peers: Peers) {
    this.bus = new SiteBus({ hub: this.people, peers, pauseGuard: this.doubt, clock: systemClock, logger });
    const replaced = (userId: bigint) => this.people.disconnect(userId, 4006);
    this.#homes = homesOf(peers, { hub: this.people, replaced });
    this.people.listener = {
      arrived: (userId) => this.#homes.arrived(userId),
      gone: (userId, how) => {
        this.#homes.gone(userId, how);
        this.bus.gone(userId);
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.bus[Symbol.asyncDispose]();
    await this.#homes[Symbol.asyncDispose]();
  }
}

/** Resolves once the bus reaches the user. */
function reaches(bus: Bus, person: bigint): Promise<void> {
  return vi.waitFor(async () => {
    if (!(await bus.confirm(person, notice(0)))) throw new Error("not there yet");
  }, patiently);
}

describe.each(peerSites)("users at two servers: $name", ({ open }) => {
  let site: PeerSite;
  let one: Server;
  let other: Server;

  beforeEach(async () => {
    site = await open();
    [one, other] = [new Server(site.peers[0]), new Server(site.peers[1])];
    one.people.arrive(ana);
    other.people.arrive(bo);
    for (const { bus } of [one, other]) for (const person of [ana, bo]) await reaches(bus, person);
    one.people.take(ana);
    other.people.take(bo);
  });
  afterEach(async () => {
    await one[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  test("[PEER-15] delivers everything to a user at any server once and in order", async () => {
    const { bus } = one;
    for (const person of [ana, bo]) {
      bus.push(person, notice(1));
      bus.chat(person, line);
      bus.pass(person, typing);
      bus.social(person, read);
      for (let index = 2; index < 200; index += 1) bus.push(person, notice(index));
      expect(await bus.confirm(person, notice(200))).toBe(true);
    }
    const told = [notice(1), line, typing, { type: "social", event: read }];
    for (let index = 2; index <= 200; index += 1) told.push(notice(index));
    expect(one.people.take(ana)).toEqual(told);
    expect(other.people.take(bo)).toEqual(told);
  });

  test("[PEER-15] keeps nothing for a user without a home, and says whether a user has one", async () => {
    expect(await Promise.all([ana, bo, nobody].map((person) => one.bus.isPresent(person)))).toEqual([
      true,
      true,
      false,
    ]);
    expect([ana, bo].map((person) => one.bus.isHere(person))).toEqual([true, false]);
    expect(await one.bus.confirm(nobody, notice(1))).toBe(false);
    other.people.arrive(nobody);
    await vi.waitFor(async () => expect(await one.bus.confirm(nobody, notice(2))).toBe(true), patiently);
    const got = other.people.take(nobody);
    expect(new Set(got.map((push) => JSON.stringify(push)))).toEqual(new Set([JSON.stringify(notice(2))]));
  });

  test("[PEER-15] delivers messages in transit to a user who moves to this server", async () => {
    one.people.arrive(bo);
    for (let index = 1; index <= 20; index += 1) other.bus.push(bo, notice(index));
    expect(await one.bus.confirm(bo, notice(21))).toBe(true);
    await vi.waitFor(async () => {
      expect(other.people.isHere(bo)).toBe(false);
      expect(await other.bus.confirm(bo, notice(22))).toBe(true);
    }, patiently);
    expect(one.people.take(bo)).toContainEqual(notice(22));
  });

  test("holds all deliveries of a server that may have been declared dead, until it knows that it was not", async () => {
    one.doubt.isInDoubt = true;
    const said = [ana, bo].flatMap((person) => [1, 2].map((index) => one.bus.confirm(person, notice(index))));
    // Deliveries from other servers reach the user at this server meanwhile.
    expect(await other.bus.confirm(ana, notice(9))).toBe(true);
    expect([one.people.take(ana), other.people.take(bo)]).toEqual([[notice(9)], []]);
    one.doubt.isInDoubt = false;
    said.push(one.bus.confirm(ana, notice(3)));
    expect(new Set(await Promise.all(said))).toEqual(new Set([true]));
    expect(one.people.take(ana)).toEqual([1, 2, 3].map(notice));
    expect(other.people.take(bo)).toEqual([1, 2].map(notice));
  });

  test("drops the held deliveries of a server that was declared dead", async () => {
    one.doubt.isInDoubt = true;
    const said = [ana, bo].map((person) => one.bus.confirm(person, notice(1)));
    await one[Symbol.asyncDispose]();
    expect(await Promise.all(said)).toEqual([false, false]);
    expect([one.people.take(ana), other.people.take(bo)]).toEqual([[], []]);
  });

  test("counts the present users of all servers, without one that has ended", async () => {
    for (const { bus } of [one, other]) await vi.waitFor(() => expect(bus.presentCount()).toBe(2), patiently);
    other.people.arrive(nobody);
    await vi.waitFor(() => expect(one.bus.presentCount()).toBe(3), patiently);
    await other[Symbol.asyncDispose]();
    await site.peers[1][Symbol.asyncDispose]();
    await vi.waitFor(() => expect(one.bus.presentCount()).toBe(1), patiently);
  });
});

describe.runIf(redisIsInstalled)("messages that Redis loses", () => {
  test("[PEER-15] are delivered once and in order while responses and requests are cut and Redis is killed", async () => {
    await using site = await siteOverRedis();
    await using one = new Server(site.peers[0]);
    await using other = new Server(site.peers[1]);
    other.people.arrive(bo);
    await reaches(one.bus, bo);
    other.people.take(bo);
    const redis = await connected(site.redis!);
    const sent: Promise<boolean>[] = [];
    let index = 0;
    const send = () => {
      for (let more = 0; more < 10; more += 1) sent.push(one.bus.confirm(bo, notice((index += 1))));
    };
    for (let round = 0; round < 5; round += 1) {
      send();
      // Breaks the connection before the request arrives, or before its answer does, depending on the machine's speed.
      await redis.call("CLIENT", "KILL", "TYPE", "pubsub");
      send();
      await Promise.all(sent);
    }
    send();
    await site.redis!.kill();
    send();
    await site.redis!.run();
    expect(new Set(await Promise.all(sent))).toEqual(new Set([true]));
    expect(other.people.take(bo)).toEqual(Array.from({ length: index }, (_none, at) => notice(at + 1)));
    redis.disconnect();
  });
});

/** A server that reaches no other server until `areHeard`. */
class LonelyPeers extends ListeningPeers implements Peers {
  readonly self = "lonely";
  readonly figures = { nobody: 0, gaps: 0 };
  readonly isAway = false;
  areHeard = false;

  constructor() {
    super({ logger });
  }

  async ask<Kind extends keyof PeerRequests>(
    _kind: Kind,
    _key: PeerKey,
    input: PeerRequests[Kind]["in"],
  ): Promise<PeerRequests[Kind]["out"]> {
    if (!this.areHeard) throw new NoOwnerError("nobody");
    return (input as PeerRequests["deliver"]["in"]).deliveries.map(() => true) as PeerRequests[Kind]["out"];
  }

  broadcast(): void {}

  /** Simulates an event of another server. */
  hears<Kind extends keyof PeerEvents>(kind: Kind, news: PeerEvents[Kind]): void {
    this.listeners.dispatch(kind, news);
  }

  losesByGoodbye(process: string): void {
    this.listeners.gone.emit(process);
  }

  own(): never {
    throw new Error("nothing is owned");
  }

  async isOwned(): Promise<boolean> {
    return false;
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

describe("a server that alone has lost Redis", () => {
  const stepMs = 200;

  async function passes(clock: TestClock, ms: number): Promise<void> {
    for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
      clock.advance(stepMs);
      for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  test("keeps messages for a user without a home while a server is silent that did not say goodbye", async () => {
    const [clock, peers] = [new TestClock(), new LonelyPeers()];
    const hub = new MemoryBus(() => clock.monotonicMs());
    await using bus = new SiteBus({ hub, peers, pauseGuard: new Doubt(), clock, logger });
    peers.hears("present", { process: "silent", count: 1 });
    const told: boolean[] = [];
    const say = (index: number) => void bus.confirm(bo, notice(index)).then((isTold) => told.push(isTold));
    // The other server has not been silent for long enough.
    say(1);
    await passes(clock, 12_000);
    expect(told).toEqual([]);
    peers.areHeard = true;
    await passes(clock, 400);
    expect(told).toEqual([true]);
    peers.areHeard = false;
    say(2);
    peers.losesByGoodbye("silent");
    await passes(clock, 3_000);
    expect(told).toEqual([true, false]);
  });
});
