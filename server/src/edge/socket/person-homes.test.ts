import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LocalOneTimeKeys } from "#adapters/local/one-time-keys.ts";
import { LocalPeers, LocalSite } from "#adapters/local/peers.ts";
import { type HandedActivity, type HandedSession, NoOwnerError, type Peers, personKey } from "#ports/peers.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { MemoryBus } from "#test/fakes/memory-bus.ts";
import { homesOf, noActivity } from "#test/fixtures/homes.ts";
import type { PersonHomes } from "./person-homes.ts";

const ana = 1n;
const newPage = { resume: null, ticket: null };
const silent = { error: () => undefined };
const searching: HandedActivity = { ...noActivity, search: "a search", look: { cleanAgeMs: 5, untriedCalls: 0 } };

/** A server with chat sessions, and the calls that the test sets. */
class Server {
  readonly hub: MemoryBus;
  readonly homes: PersonHomes;
  readonly peers: LocalPeers;
  readonly did: unknown[] = [];
  doings = noActivity;
  started: HandedActivity | null = null;
  hasCall = false;
  keepsCall = true;
  isFree = true;
  callAt: string | null = null;
  hasSaidAll = true;

  constructor(self: string, { site, clock, locks }: { site: LocalSite; clock: TestClock; locks: LocalOneTimeKeys }) {
    this.peers = new LocalPeers({ self, site, logger: silent });
    this.hub = new MemoryBus(() => clock.monotonicMs());
    this.hub.asksToMove = (userId, to) => this.did.push(`move ${userId} to ${to}`) > 0;
    const release = this.hub.release.bind(this.hub);
    this.hub.release = (userId, from) => {
      const released = release(userId, from);
      return released && { ...released, hasSaidAll: this.hasSaidAll };
    };
    this.homes = homesOf(this.peers, {
      hub: this.hub,
      clock,
      locks,
      replaced: (userId) => this.hub.disconnect(userId, 4006),
      ownedHere: (userId) => void this.did.push(`owned ${userId}`),
      findCall: async (...question) => (this.did.push(question), this.callAt),
      siteBus: { takenFor: () => [["third", 7]], bringTaken: (_userId, taken) => void this.did.push(taken) },
      people: {
        hasCall: () => this.hasCall,
        keepsCall: () => this.hasCall && this.keepsCall,
        pack: () => this.doings,
        packForNewPage: () => this.started,
        bring: (_userId, doings, from) => {
          this.did.push({ doings, ...from });
          return { [Symbol.dispose]: () => void this.did.push("brought") };
        },
        yieldCall: (...call) => (this.did.push(call), this.isFree ? "free" : "elsewhere"),
        lostHome: (userId) => void this.did.push(`lost ${userId}`),
      },
    });
    this.hub.listener = this.homes;
  }

  /** A page sends hello to this server. */
  async greets(resume = newPage.resume as { sessionId: string; lastSequence: number } | null): Promise<string | null> {
    const place = await this.homes.claim(ana, { resume, ticket: null });
    if (place !== null) return place;
    if (resume && this.hub.isHere(ana)) this.hub.resume(ana);
    else this.hub.arrive(ana);
    return null;
  }
}

let clock: TestClock;
let site: LocalSite;
let locks: LocalOneTimeKeys;
let one: Server;
let other: Server;

beforeEach(() => {
  clock = new TestClock();
  site = new LocalSite();
  locks = new LocalOneTimeKeys({ clock });
  [one, other] = [new Server("one", { site, clock, locks }), new Server("other", { site, clock, locks })];
});
afterEach(async () => {
  for (const { homes } of [one, other]) await homes[Symbol.asyncDispose]();
});

const ownerOf = () => site.owners.get(personKey(ana))?.process ?? null;

const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

describe("[PEER-13] the home of a user", () => {
  test("is the server that greeted the page last; the one before has released the user by then", async () => {
    await one.greets();
    expect([ownerOf(), one.did]).toEqual(["one", [[ana, null], "owned 1"]]);
    await other.greets();
    expect([ownerOf(), one.hub.isHere(ana), other.hub.isHere(ana)]).toEqual(["other", false, true]);
    other.hub.close(ana, 1001);
    expect(ownerOf()).toBeNull();
  });

  test("is asked at most once for a page whose session is at the same server", async () => {
    await one.greets();
    await one.greets();
    expect(one.did.filter((what) => Array.isArray(what))).toHaveLength(1);
  });

  test("stays at the server with the user's call, to which pages of other servers are sent", async () => {
    await one.greets();
    one.hasCall = true;
    expect(await other.greets()).toBe("one");
    expect([ownerOf(), one.hub.isHere(ana), other.hub.isHere(ana)]).toEqual(["one", true, false]);
    // Also without a page.
    one.hub.close(ana, 1001);
    expect(await other.greets()).toBe("one");
    one.hasCall = false;
    one.homes.callOver(ana);
    expect(ownerOf()).toBeNull();
    expect(await other.greets()).toBeNull();
  });

  test("is the server with the call by the database if no server answers for the user", async () => {
    one.callAt = "third";
    expect(await one.greets()).toBe("third");
    expect(ownerOf()).toBeNull();
  });

  test("is given up for a page that left before the greeting, and kept for one that is connected", async () => {
    await one.homes.claim(ana, newPage);
    one.homes.unclaim(ana);
    expect(ownerOf()).toBeNull();
    await one.greets();
    one.homes.unclaim(ana);
    one.homes.callOver(ana);
    expect(ownerOf()).toBe("one");
  });

  test("ends the session of a server that another one has replaced without asking, and sends its call's page back", async () => {
    await one.greets();
    one.hasCall = true;
    await other.peers.own(personKey(ana));
    expect([one.hub.isHere(ana), one.did.at(-1)]).toEqual([false, "lost 1"]);
  });

  test("is not a server that the user left before it owned them", async () => {
    const asked: AbortSignal[] = [];
    const own: Peers["own"] = (_key, givenUp) => {
      asked.push(givenUp!);
      return new Promise(() => undefined);
    };
    const peers = { own, isAway: false, serve: () => ({ [Symbol.dispose]: () => undefined }) };
    const homes = homesOf(peers as never);
    homes.arrived(ana);
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    expect(asked[0]?.aborted).toBe(false);
    homes.gone(ana, "closed");
    expect(asked[0]?.aborted).toBe(true);
  });
});

describe("[SOCKET-110] a chat session that is resumed at another server", () => {
  const resumption = () => one.hub.resumption(ana);

  test("brings what the page has not received, and what the user does", async () => {
    await one.greets();
    one.doings = searching;
    const from = resumption();
    one.hub.close(ana, 1006);
    one.hub.push(ana, { code: 100_003 });
    clock.advance(7);
    expect(await other.greets(from)).toBeNull();
    expect([ownerOf(), other.hub.isLive(ana), one.hub.isHere(ana)]).toEqual(["other", true, false]);
    expect(other.did.slice(1)).toEqual([
      { doings: searching, atMs: clock.monotonicMs(), isResumed: true },
      [["third", 7]],
      "brought",
      "owned 1",
    ]);
    expect([one.homes.handed, other.hub.take(ana)]).toEqual([1, [{ code: 100_003 }]]);
  });

  test("brings no clean look if the page lost its socket", async () => {
    await one.greets();
    one.doings = searching;
    one.hasSaidAll = false;
    await other.greets(resumption());
    const doings = { ...searching, look: { cleanAgeMs: null, untriedCalls: 0 } };
    expect(other.did).toContainEqual({ doings, atMs: clock.monotonicMs(), isResumed: true });
  });

  test("brings to a new page the search alone that its own request began at the old home", async () => {
    await one.greets();
    await other.greets();
    expect(other.did).toEqual([[ana, null], "owned 1"]);
    other.started = searching;
    await one.greets();
    expect(one.did.slice(-3)).toEqual([
      { doings: searching, atMs: clock.monotonicMs(), isResumed: false },
      "brought",
      "owned 1",
    ]);
  });

  test("takes the call of a server that is about to stop along", async () => {
    await one.greets();
    one.hasCall = true;
    one.keepsCall = false;
    expect(await other.greets(resumption())).toBeNull();
    expect([other.did[0], ownerOf()]).toEqual([[ana, null], "other"]);
  });

  test("comes to the server that has taken the call for the other page before", async () => {
    await one.greets();
    other.hasCall = true;
    expect(await other.greets(resumption())).toBeNull();
    expect([one.homes.handed, ownerOf(), other.hub.isLive(ana)]).toEqual([1, "other", true]);
  });

  test("is released again by a repeated request, and not by one of an earlier claim", async () => {
    await one.greets();
    const ask = (claim: number) =>
      other.peers.ask("giveHome", personKey(ana), { home: "other", claim, resume: resumption() });
    const first = await ask(2);
    expect(first).toMatchObject({
      type: "released",
      session: { taken: [["third", 7]] } satisfies Partial<HandedSession>,
    });
    expect(await ask(2)).toEqual(first);
    await one.greets();
    await expect(ask(1)).rejects.toThrow(NoOwnerError);
    expect(one.hub.isHere(ana)).toBe(true);
  });
});

test("lets one server at a time claim a user, and an unreleased lock expire", async () => {
  await locks.add("home", String(ana), 12_000);
  const claimed = one.greets();
  for (let waited = 0; waited < 11_000; waited += 50) {
    await turns();
    clock.advance(50);
  }
  expect(ownerOf()).toBeNull();
  for (let waited = 0; waited < 1_100; waited += 50) {
    await turns();
    clock.advance(50);
  }
  await claimed;
  expect(ownerOf()).toBe("one");
  expect(await locks.add("home", String(ana), 1)).toBe(true);
});

describe("a call that a server has taken", () => {
  test("has its user's page come, unless the user does something else", async () => {
    await one.greets();
    other.hasCall = true;
    expect(await other.homes.callHere(ana, "room", 2)).toBe("coming");
    expect(one.did.slice(-2)).toEqual([[ana, "room", { server: "other", epoch: 2 }], "move 1 to other"]);
    one.isFree = false;
    expect(await other.homes.callHere(ana, "room", 2)).toBe("elsewhere");
    expect(ownerOf()).toBe("one");
  });

  test("awaits a user whose page is about to be greeted here, or has just left this server", async () => {
    await other.homes.claim(ana, newPage);
    other.hasCall = true;
    expect(await other.homes.callHere(ana, "room", 2)).toBe("awaited");
    other.hasCall = false;
    await other.greets();
    other.hub.release(ana, other.hub.resumption(ana));
    expect(ownerOf()).toBe("other");
    other.hasCall = true;
    other.isFree = false;
    expect(await other.homes.callHere(ana, "room", 2)).toBe("awaited");
    expect(other.did).not.toContainEqual(expect.arrayContaining(["room"]));
  });

  test("makes the server the home of a user without a page, so that the next one is sent there", async () => {
    other.hasCall = true;
    expect(await other.homes.callHere(ana, "room", 2)).toBe("awaited");
    expect([ownerOf(), await one.greets()]).toEqual(["other", "other"]);
  });
});
