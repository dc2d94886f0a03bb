import { describe, expect, test, vi } from "vitest";
import { callKey, peerAnswerMs, type Peers, PeerSilentError, personKey, processKey } from "#ports/peers.ts";
import {
  ana,
  bo,
  lentSearch,
  loan,
  look,
  lookEveryMs,
  openBoth,
  openHome,
  openProcess,
  turns,
} from "#test/fixtures/guest-processes.ts";
import { type PeerSite, peerSites } from "#test/fixtures/peer-sites.ts";
import type { NewSearch } from "./match-eligibility.ts";

const leavingMs = 10_000;

test("[MATCH-95] once the next home asks, nothing begins for somebody at the one before; where it never becomes that, all goes on", async () => {
  await using site = await peerSites[0]!.open();
  await using home = await openHome(site);
  const { guests, did, clock } = home;
  await home.becomeHome();
  const [, next] = site.peers;
  expect(await next.ask("whereIsCall", personKey(ana), { home: next.self })).toBeNull();
  expect([did, guests.isHere(ana), await home.lend()]).toEqual([["arrived", "gone"], false, null]);
  for (let passedMs = 0; passedMs <= leavingMs; passedMs += lookEveryMs) {
    clock.advance(lookEveryMs);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect([did, guests.isHere(ana)]).toEqual([["arrived", "gone", "arrived"], true]);
  expect(await home.lend()).toMatchObject({ search: { userId: ana } });
});

test("whose page has gone again from the process that asked where their call is stays at home as soon as that says so", async () => {
  await using site = await peerSites[0]!.open();
  await using home = await openHome(site);
  const { guests, did, clock } = home;
  await home.becomeHome();
  const [, next] = site.peers;
  await next.own(processKey(next.self));
  const there = new Set([ana]);
  next.serve("hasPages", async ({ userIds }) => userIds.map((userId) => there.has(userId)));
  // As late as the network likes.
  expect(await next.ask("whereIsCall", personKey(ana), { home: next.self })).toBeNull();
  await look(home);
  expect([did, guests.isHere(ana)]).toEqual([["arrived", "gone"], false]);
  there.clear();
  clock.advance(lookEveryMs);
  await vi.waitFor(() => expect([did, guests.isHere(ana)]).toEqual([["arrived", "gone", "arrived"], true]));
});

test("the call that has heard first of somebody's next home does not take them for gone while they arrive there", async () => {
  await using site = await peerSites[0]!.open();
  await using home = await openHome(site);
  const [{ self }, host] = site.peers;
  const areKept = () => host.ask("keepGuests", processKey(self), { loans: [home.loan], host: host.self });
  expect(await areKept()).toEqual([true]);
  await home.becomeHome();
  expect(await areKept()).toEqual([false]);
});

test("whose next home never becomes that searches on where they did", async () => {
  await using site = await peerSites[0]!.open();
  await using home = await openHome(site);
  const { did, clock } = home;
  await home.becomeHome();
  const [, next] = site.peers;
  await next.own(processKey(next.self));
  next.serve("hasPages", async ({ userIds }) => userIds.map(() => false));
  home.searching.search = { userId: ana } as NewSearch;
  // Asked twice, as whoever got no answer does.
  for (const times of [1, 2])
    expect([times, await next.ask("whereIsCall", personKey(ana), { home: next.self })]).toEqual([times, null]);
  clock.advance(lookEveryMs);
  await vi.waitFor(() => expect(did).toEqual(["arrived", "gone", "arrived", "searches on"]));
});

describe("a start that did not come over the chat session of here", () => {
  const start = { name: "matchStart", context: { session: { userId: ana } }, input: {} } as never;

  /** Ana's home, and what it has another process start. */
  async function openWithNext(site: PeerSite) {
    const home = await openHome(site);
    await home.becomeHome();
    const [, next] = site.peers;
    await next.own(processKey(next.self));
    const started: unknown[] = [];
    next.serve("homeCall", async (call) => {
      started.push(call);
      return { kind: "done", output: {} };
    });
    const asks = () => next.ask("whereIsCall", personKey(ana), { home: next.self });
    return { home, next, started, asks, [Symbol.asyncDispose]: () => home[Symbol.asyncDispose]() };
  }

  test("it is made at the next home, whose page may have sent it before this one heard of that", async () => {
    await using site = await peerSites[0]!.open();
    await using both = await openWithNext(site);
    const { home, started, asks } = both;
    home.searching.search = { userId: ana } as NewSearch;
    home.guests.startedFromAfar(start);
    expect([home.guests.isLeaving(ana), await asks(), home.guests.isLeaving(ana)]).toEqual([false, null, true]);
    await vi.waitFor(() => expect(started).toEqual([start]));
    await asks();
    await turns();
    expect(started).toEqual([start]);
  });

  test("it is so where the next home never asked", async () => {
    await using site = await peerSites[0]!.open();
    await using both = await openWithNext(site);
    const { home, next, started } = both;
    home.searching.search = { userId: ana } as NewSearch;
    home.guests.startedFromAfar(start);
    await next.own(personKey(ana));
    home.guests.movedAway(ana);
    home.guests.gone(ana, "replaced");
    await vi.waitFor(() => expect(started).toEqual([start]));
  });

  test.each([
    ["its search is over", (home: Awaited<ReturnType<typeof openHome>>) => void (home.searching.search = null)],
    ["it was long before", ({ clock }: Awaited<ReturnType<typeof openHome>>) => clock.advance(leavingMs)],
    ["that page is gone", ({ guests }: Awaited<ReturnType<typeof openHome>>) => guests.gone(ana, "closed")],
  ])("it is not where %s", async (_what, happens) => {
    await using site = await peerSites[0]!.open();
    await using both = await openWithNext(site);
    const { home, started, asks } = both;
    home.searching.search = { userId: ana } as NewSearch;
    home.guests.startedFromAfar(start);
    happens(home);
    await turns();
    await asks();
    await turns();
    expect(started).toEqual([]);
  });
});

test("two whose connection failed are kept apart by the home of a guest, too, before the guest searches on", async () => {
  await using site = await peerSites[0]!.open();
  await using home = await openHome(site);
  await home.becomeHome();
  const [{ self }, host] = site.peers;
  const search = await home.lend();
  const back = { loan: home.loan, host: host.self, search, sinceMs: null, look: null, isMoved: false };
  await host.ask("takeBack", processKey(self), { ...back, isApart: true });
  expect(home.did).toEqual(["arrived", "lent for 2", "gone", "1 apart from 2", "arrived", "searches on"]);
});

test("whoever waits for one person goes home by a word that a home of the version before does not know, and waits on at one of today", async () => {
  await using both = await openBoth();
  const { home, host, pair, atHost } = both;
  await host.borrow(pair);
  const search = { userId: ana, withUserId: bo } as NewSearch;
  const asking = vi.spyOn(atHost, "ask");
  host.guests.sendHome(ana, { search });
  await vi.waitFor(() => expect(home.did).toContain("searches on for 2"));
  const [, , said] = asking.mock.calls.find(([kind]) => kind === "takeBack")!;
  expect(said).toMatchObject({ search: null, rematch: search });
});

test("whoever has been found for somebody at another home while they came is in that call when this is their home", async () => {
  await using site = await peerSites[0]!.open();
  await using home = await openHome(site);
  const [{ self }, host] = site.peers;
  // Between the answer that there is no call and the moment at which this process is their home.
  using _call = await host.own(callKey(ana));
  using _host = await host.own(processKey(host.self));
  const call: { otherId: bigint } | null = { otherId: bo };
  let moved: typeof call | null = call;
  using _where = host.serve("whereIsCall", async () => host.self);
  using _move = host.serve("moveHome", async ({ home: next }) => (next === self ? moved : null));
  using _has = host.serve("hasGuests", async ({ loans }) => loans.map(() => false));
  await home.becomeHome();
  expect([home.did, home.guests.hostedWith(ana), home.guests.isHere(ana)]).toEqual([[], bo, false]);
  // The host was told of another home later, and is told of this one again; until the call is over.
  await look(home);
  expect(home.guests.hostedWith(ana)).toBe(bo);
  moved = null;
  await look(home);
  expect([home.did, home.guests.hostedWith(ana), home.guests.isHere(ana)]).toEqual([["arrived"], null, true]);
});

test("whoever is given away while their host is asked whether it has them is not asked for here afterwards", async () => {
  await using site = await peerSites[0]!.open();
  await using home = await openHome(site);
  const [{ self }, host] = site.peers;
  await home.becomeHome();
  await home.lend();
  await host.ask("keepGuests", processKey(self), { loans: [loan], host: host.self });
  using _host = await host.own(processKey(host.self));
  using _next = host.serve("nextHome", async () => true);
  const moved: string[] = [];
  using _move = host.serve("moveHome", async ({ home: next }) => {
    moved.push(next);
    return { otherId: bo };
  });
  let answer = (_hasThem: boolean): void => undefined;
  using _has = host.serve("hasGuests", () => new Promise((resolve) => (answer = (hasThem) => resolve([hasThem]))));
  await look(home);
  expect(await home.guests.release(ana, host.self, () => true)).toMatchObject({
    doings: { call: { host: host.self } },
  });
  home.guests.gone(ana, "moved");
  // Their home is the host by now.
  answer(false);
  await turns();
  expect([moved, home.guests.hostedWith(ana)]).toEqual([[], null]);
});

test("what somebody did here is nothing any more when another process has become their home before it was told", async () => {
  await using site = await peerSites[0]!.open();
  await using home = await openHome(site);
  home.guests.dropped(ana);
  home.guests.movedAway(ana);
  home.guests.gone(ana, "replaced");
  // Whatever was begun for them here has an end by then.
  await home.guests[Symbol.asyncDispose]();
  expect(home.did).toEqual(["gone"]);
});

test("[MATCH-95] whoever opens a page here while this process asks for them is no guest, and searches on where they did", async () => {
  await using both = await openBoth();
  const { home, host, pair, atHost } = both;
  const ask = atHost.ask.bind(atHost);
  vi.spyOn(atHost, "ask").mockImplementation(async (kind, key, input) => {
    if (kind === "keepGuests") host.pages.add(ana);
    return ask(kind, key, input);
  });
  expect(await host.borrow(pair)).toBeNull();
  expect([host.guests.isGuest(ana), host.did]).toEqual([false, ["arrived"]]);
  await vi.waitFor(() => expect(home.did).toContain("searches on"));
});

test("whoever becomes a guest by an older call while this process asks for them for a new pair leaves that call alone, and stays", async () => {
  await using both = await openBoth();
  const { home, host, pair, atHome, atHost } = both;
  const ask = atHost.ask.bind(atHost);
  vi.spyOn(atHost, "ask").mockImplementation(async (kind, key, input) => {
    const answer = await ask(kind, key, input);
    if (kind !== "keepGuests" || host.guests.isGuest(ana)) return answer;
    host.call.otherId = 7n;
    const older = { loan: { userId: ana, searchId: 9 }, home: atHome.self };
    expect(await atHome.ask("moveHome", processKey(atHost.self), older)).toEqual({ otherId: 7n });
    host.call.otherId = null;
    return answer;
  });
  // As whoever leaves a call does.
  host.after.gone = () => host.guests.sendHome(ana);
  expect(await host.borrow(pair)).toMatchObject({ userId: ana });
  await turns();
  expect([host.guests.isGuest(ana), home.guests.hostedWith(ana)]).toEqual([true, bo]);
});

test("whoever had a page here a moment ago, and has one elsewhere, is found for people of here at once; not while a third process is about to have them", async () => {
  await using both = await openBoth();
  const { home, host, pair, atHome, atHost } = both;
  // Her page here is closed already, and her next home has asked before others hear so.
  const asks = async (nextHome: string) => {
    using _stillHome = await atHost.own(personKey(ana));
    expect(await atHome.ask("whereIsCall", personKey(ana), { home: nextHome })).toBeNull();
  };
  await asks("third");
  expect(await host.borrow(pair)).toBeNull();
  await vi.waitFor(() => expect(home.did.at(-1)).toBe("searches on"));
  await asks(atHome.self);
  expect(await host.borrow(pair)).toMatchObject({ userId: ana });
  expect([home.guests.hostedWith(ana), host.guests.isGuest(ana)]).toEqual([bo, true]);
});

test("a guest goes home with what was seen of them, as old as it is by then", async () => {
  await using both = await openBoth();
  const { home, host, pair } = both;
  expect(await host.borrow(pair)).toMatchObject({ userId: ana });
  host.looks.known = { cleanMs: host.clock.monotonicMs(), untriedCalls: 1 };
  host.clock.advance(3_000);
  home.clock.advance(500_000);
  const backMs = home.clock.monotonicMs() - peerAnswerMs;
  host.guests.sendHome(ana);
  await vi.waitFor(() => expect(home.did).toHaveLength(5));
  const looked = `looked at 3000 ms before ${backMs}, 1 untried`;
  expect(home.did).toEqual(["arrived", "lent for 2", "gone", "arrived", looked]);
});

test("[SOCKET-110] whose call has a page at another process is not given away by the session of an earlier page, and is still found", async () => {
  await using site = await peerSites[0]!.open();
  await using home = await openHome(site);
  const { guests, call, clock } = home;
  const [{ self }, next] = site.peers;
  await home.becomeHome();
  call.otherId = bo;
  const moved = await next.ask("moveHome", processKey(self), { loan: home.loan, home: next.self });
  expect([moved, guests.isGuest(ana)]).toEqual([{ otherId: bo }, true]);
  let isOver = false;
  const released = guests.release(ana, next.self, () => "the session").finally(() => (isOver = true));
  await vi.waitFor(() => {
    clock.advance(lookEveryMs);
    expect(isOver).toBe(true);
  });
  expect(await released).toBeNull();
  expect(await next.ask("whereIsCall", callKey(ana), { home: next.self })).toBe(self);
});

describe("a call whose process has died", () => {
  const adopted = (host: Peers) => ({ loan: { userId: ana, searchId: 9 }, roomId: "r1", otherId: bo, host: host.self });

  test("somebody who was a guest there is lent to whoever goes on with the call; until then they are not taken back", async () => {
    await using site = await peerSites[0]!.open();
    await using home = await openHome(site);
    home.running.areIn = true;
    await home.becomeHome();
    const [{ self }, host] = site.peers;
    await home.lend();
    await host.ask("keepGuests", processKey(self), { loans: [home.loan], host: host.self });
    home.dead.add(host.self);
    await look(home);
    expect(home.guests.hostedWith(ana)).toBe(bo);
    // The survivor, which is the same process here, is told that the page is where it was, however often it asks.
    for (const times of [1, 2])
      expect([times, await host.ask("adoptGuest", personKey(ana), { ...adopted(host), host: "survivor" })]).toEqual([
        times,
        { home: self, place: "stays" },
      ]);
    home.dead.add("survivor");
    await look(home);
    expect(home.guests.hostedWith(ana)).toBe(bo);
    home.running.areIn = false;
    await look(home);
    expect([home.guests.hostedWith(ana), home.guests.isHere(ana)]).toEqual([null, true]);
  });

  test("whoever does something else by now is not brought back, and whoever does nothing says by themselves whether they are in it", async () => {
    await using site = await peerSites[0]!.open();
    await using home = await openHome(site);
    await home.becomeHome();
    const [{ self }, host] = site.peers;
    home.call.otherId = 7n;
    expect(await host.ask("adoptGuest", personKey(ana), adopted(host))).toEqual({ home: self, place: "elsewhere" });
    home.call.otherId = null;
    expect(await host.ask("adoptGuest", personKey(ana), adopted(host))).toEqual({ home: self, place: "returns" });
    expect(home.guests.hostedWith(ana)).toBe(bo);
  });

  test("whoever comes to the very process that goes on with the call, while it asks for them, is not lent by it to itself", async () => {
    await using site = await peerSites[0]!.open();
    const [here, other] = site.peers;
    await using host = await openProcess(here, other, bo);
    await host.becomeHome();
    host.call.otherId = bo;
    // Their home has just died, and does not answer.
    vi.spyOn(here, "ask").mockRejectedValueOnce(new PeerSilentError("adoptGuest"));
    const adopting = host.guests.adopt(ana, { roomId: "r1", otherId: bo });
    await turns();
    host.pages.add(ana);
    using _home = await here.own(personKey(ana));
    host.guests.arrived(ana);
    await host.guests.located(ana);
    host.guests.ownedHere(ana);
    await turns();
    const askAgainMs = 100;
    host.clock.advance(askAgainMs);
    expect(await adopting).toBe("awaited");
    expect([host.call.otherId, host.guests.isElsewhere(ana), host.guests.isHere(ana)]).toEqual([bo, false, true]);
  });

  test("whoever is about to have another home when the one before goes on with their call is asked for there, and not in it as before", async () => {
    await using site = await peerSites[0]!.open();
    await using home = await openHome(site);
    await home.becomeHome();
    const [{ self }, next] = site.peers;
    const host = "dead";
    await next.ask("lend", processKey(self), { search: loan, otherId: bo, host });
    await next.ask("keepGuests", processKey(self), { loans: [loan], host });
    expect(await next.ask("whereIsCall", personKey(ana), { home: next.self })).toBe(host);
    home.call.otherId = bo;
    using _home = await next.own(personKey(ana));
    using _lends = next.serve("adoptGuest", async () => {
      // Her page here is closed as replaced.
      home.pages.delete(ana);
      return { home: next.self, place: "returns" };
    });
    expect(await home.guests.adopt(ana, { roomId: "r1", otherId: bo })).toBe("awaited");
    expect([home.guests.isGuest(ana), await next.ask("whereIsCall", callKey(ana), { home: next.self })]).toEqual([
      true,
      self,
    ]);
  });

  test("whoever is lent to a process for a new pair does something else than the older call with which that goes on", async () => {
    await using site = await peerSites[0]!.open();
    await using home = await openHome(site);
    await home.becomeHome();
    const [{ self }, host] = site.peers;
    await home.lend();
    const askAbout = (otherId: bigint) => host.ask("adoptGuest", personKey(ana), { ...adopted(host), otherId });
    expect(await askAbout(7n)).toEqual({ home: self, place: "elsewhere" });
    expect(home.guests.hostedWith(ana)).toBe(bo);
  });

  test("[CALL-131] a process that is taken for dead and does not know so gives its call up to whoever goes on with it", async () => {
    await using site = await peerSites[0]!.open();
    await using home = await openHome(site);
    await home.becomeHome();
    const [{ self }, host] = site.peers;
    home.call.otherId = bo;
    expect(await host.ask("adoptGuest", personKey(ana), adopted(host))).toEqual({ home: self, place: "stays" });
    expect([home.call.otherId, home.guests.hostedWith(ana)]).toEqual([null, bo]);
  });

  test("whoever goes on with the call finds its people: at home, nowhere, or doing something else", async () => {
    await using site = await peerSites[0]!.open();
    const [atHost, atHome] = site.peers;
    await using host = await openProcess(atHost, atHome, bo);
    await using home = await openProcess(atHome, atHost, ana);
    for (const process of [host, home]) await process.becomeHome();
    host.call.otherId = bo;
    const about = { roomId: "r1", otherId: bo };
    expect(await host.guests.adopt(ana, about)).toBe("awaited");
    expect([host.guests.isGuest(ana), host.guests.isHere(ana)]).toEqual([true, true]);
    expect(await host.guests.adopt(3n, about)).toBe("awaited");
    expect(await atHome.ask("whereIsCall", callKey(3n), { home: atHome.self })).toBe(atHost.self);
    // Their own page came anew: it asks for the call.
    expect(await host.guests.adopt(bo, { roomId: "r1", otherId: ana })).toBe("awaited");
  });
});

test("a host whose guest's key another process took, and let go of, has it again; not while others may go on with what is here", async () => {
  await using both = await openBoth();
  const { host, pair, atHome } = both;
  await host.borrow(pair);
  const isReached = () =>
    atHome.ask("callEvents", callKey(ana), { from: atHome.self, events: [] }).then(
      () => true,
      () => false,
    );
  expect(await isReached()).toBe(true);
  // As one that goes on with an older call of hers.
  (await atHome.own(callKey(ana)))[Symbol.dispose]();
  host.doubt.isInDoubt = true;
  await look(host);
  expect(await isReached()).toBe(false);
  host.doubt.isInDoubt = false;
  await look(host);
  await vi.waitFor(async () => expect(await isReached()).toBe(true));
});

test("a process that may have been taken for dead does not await the people of a call, with which another one may go on", async () => {
  await using site = await peerSites[0]!.open();
  await using home = await openHome(site);
  const [{ self }, other] = site.peers;
  await home.becomeHome();
  home.call.otherId = bo;
  // Whoever goes on with it.
  await other.own(callKey(ana));
  other.serve("whereIsCall", async () => other.self);
  const found = () => other.ask("whereIsCall", callKey(ana), { home: "next" });
  home.doubt.isInDoubt = true;
  home.guests.gone(ana, "page_gone");
  await turns();
  expect(await found()).toBe(other.self);
  home.doubt.isInDoubt = false;
  home.guests.gone(ana, "page_gone");
  await turns();
  expect(await found()).toBe(self);
});

test("a home that may have been taken for dead tells the host of a call nothing, and one that was never does", async () => {
  await using both = await openBoth();
  const { home, host, pair } = both;
  await host.borrow(pair);
  home.doubt.isInDoubt = true;
  home.guests.dropped(ana);
  home.guests.resumed(ana);
  await turns();
  expect(host.did).toEqual(["arrived", "gone", "arrived"]);
  home.doubt.isInDoubt = false;
  home.clock.advance(1_000);
  await vi.waitFor(() => expect(host.did).toEqual(["arrived", "gone", "arrived", "dropped"]));
  home.doubt.isInDoubt = true;
  home.guests.gone(ana, "closed");
  await home[Symbol.asyncDispose]();
  expect(host.did).toEqual(["arrived", "gone", "arrived", "dropped"]);
});

test("a host that may have been taken for dead sends nobody home, and one that was never does", async () => {
  await using both = await openBoth();
  const { home, host, pair } = both;
  await host.borrow(pair);
  host.doubt.isInDoubt = true;
  host.guests.sendHome(ana);
  await host[Symbol.asyncDispose]();
  expect([home.guests.hostedWith(ana), home.did]).toEqual([bo, ["arrived", "lent for 2", "gone"]]);
});

describe("what random stories seldom come to", () => {
  test("a home does not take somebody back whom their host is bringing: their search comes with them", async () => {
    await using both = await openBoth();
    const { home, host, pair } = both;
    const search = await host.borrow(pair);
    host.doubt.isInDoubt = true;
    host.guests.sendHome(ana, { search: search! });
    await turns();
    await look(home);
    expect([home.guests.hostedWith(ana), host.guests.isGuest(ana)]).toEqual([bo, false]);
    host.doubt.isInDoubt = false;
    await look(host);
    await vi.waitFor(() => expect(home.did.slice(3, 5)).toEqual(["arrived", "searches on"]));
  });

  test("nor one whom their host is just having, nor one whom it has had for long", async () => {
    await using both = await openBoth();
    const { home, host, pair, atHost } = both;
    const ask = atHost.ask.bind(atHost);
    vi.spyOn(atHost, "ask").mockImplementation(async (kind, key, input) => {
      const answer = await ask(kind, key, input);
      if (kind === "keepGuests") await look(home);
      return answer;
    });
    expect(await host.borrow(pair)).toMatchObject({ userId: ana });
    for (let looks = 0; looks < 6; looks += 1) await look(home);
    expect([home.guests.hostedWith(ana), host.guests.isGuest(ana)]).toEqual([bo, true]);
  });

  test("[MATCH-95] somebody who was found twice for the same person is had once", async () => {
    await using both = await openBoth();
    const { host, pair } = both;
    const had = await Promise.all([host.borrow(pair), host.borrow(pair)]);
    expect(had).toEqual([lentSearch, null]);
    expect(host.did).toEqual(["arrived", "gone", "arrived"]);
  });

  test("[SOCKET-110] a guest who goes home in this turn goes to the home that they have", async () => {
    await using both = await openBoth();
    const { home, host, pair, atHome, atHost } = both;
    await host.borrow(pair);
    host.guests.sendHome(ana);
    expect(await atHome.ask("nextHome", processKey(atHost.self), { loan, home: "next" })).toBe(false);
    await vi.waitFor(() => expect(home.did.slice(3, 4)).toEqual(["arrived"]));
  });

  test("the host hears that somebody is gone for whom another process has asked at their home; that one gives their chat session to no third", async () => {
    await using both = await openBoth();
    const { home, host, pair, atHost } = both;
    await host.borrow(pair);
    expect(await atHost.ask("whereIsCall", personKey(ana), { home: "next" })).toBe(atHost.self);
    const take = vi.fn<() => string>(() => "the session");
    expect(await home.guests.release(ana, "third", take)).toBeNull();
    expect(take).not.toHaveBeenCalled();
    home.guests.gone(ana, "closed");
    await vi.waitFor(() => expect(host.did).toEqual(["arrived", "gone", "arrived", "gone", "gone"]));
  });

  test("[SOCKET-110] what a host says of somebody who is just coming here waits until they have come", async () => {
    await using site = await peerSites[0]!.open();
    await using home = await openHome(site);
    await home.becomeHome();
    const { guests } = home;
    const [{ self }, host] = site.peers;
    let comes: () => void = () => undefined;
    const coming = guests.coming(ana, () => new Promise<void>((resolve) => (comes = resolve)));
    const back = { loan, host: host.self, search: null, sinceMs: null, look: null, isApart: false, isMoved: false };
    const isBack = host.ask("takeBack", processKey(self), back);
    await turns();
    const call = { host: host.self, loan, otherId: bo };
    {
      using _brought = guests.bring(ana, { call, search: null, rematch: null, sinceMs: null, media: null }, 0);
      guests.arrived(ana);
    }
    expect(guests.hostedWith(ana)).toBe(bo);
    comes();
    await Promise.all([coming, isBack]);
    expect(guests.hostedWith(ana)).toBeNull();
  });

  test("[SOCKET-110] nobody is given away while something that they did is on its way to the host", async () => {
    await using both = await openBoth();
    const { home, host, pair, atHome } = both;
    await host.borrow(pair);
    const ask = atHome.ask.bind(atHome);
    let arrives: () => void = () => undefined;
    const onItsWay = new Promise<void>((resolve) => (arrives = resolve));
    let isDropped = false;
    vi.spyOn(atHome, "ask").mockImplementation(async (kind, key, input) => {
      if (kind === "callEvents") await onItsWay;
      const answer = await ask(kind, key, input);
      if (kind === "nextHome" && !isDropped) home.guests.dropped(ana);
      isDropped ||= kind === "nextHome";
      return answer;
    });
    const heard: string[][] = [];
    const released = home.guests.release(ana, "next", () => heard.push([...host.did]));
    await turns();
    expect([isDropped, heard]).toEqual([true, []]);
    arrives();
    await vi.waitFor(() => {
      home.clock.advance(100);
      expect(heard).toHaveLength(1);
    });
    expect(await released).toMatchObject({ doings: { call: { otherId: bo } } });
    expect(heard[0]!.at(-1)).toBe("dropped");
  });
});
