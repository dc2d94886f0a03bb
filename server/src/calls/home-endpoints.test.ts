import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Handlers } from "#ports/handlers.ts";
import { type HomeCall, NoOwnerError, PeerFailedError, type Peers, personKey } from "#ports/peers.ts";
import { badInput, forbidden } from "#lib/errors.ts";
import { matchEndpoints, signedInAs, testRelay } from "#test/fixtures/match-endpoints.ts";
import { MatchWorld } from "#test/fixtures/match-world.ts";
import { peerSites, siteOverRedis } from "#test/fixtures/peer-sites.ts";
import { redisIsInstalled } from "#test/fixtures/redis.ts";
import { answeredAtHome } from "./home-endpoints.ts";

const [ana, bo] = [1n, 2n];
let world: MatchWorld;
let handlers: ReturnType<typeof matchEndpoints>;
beforeEach(async () => {
  world = new MatchWorld({ media: testRelay });
  handlers = matchEndpoints(world);
  await world.arrive(ana);
  await world.arrive(bo);
});

/** A clock whose timers fire at once, by when a user between two homes has reached the new one. */
const soon = {
  after: (_delayMs: number, work: () => void) => {
    const timer = setImmediate(work);
    return { [Symbol.dispose]: () => clearImmediate(timer) };
  },
};

const withoutCalls = { hasCall: () => false, startedByRequest: () => undefined, clock: soon };

describe.each(peerSites)("requests that came to another server: $name", ({ open }) => {
  const search = { sex: 0, country: 0 } as const;

  test("has the home answer a whole match with its refusals, and the asked server for a user without a home", async () => {
    await using site = await open();
    const [home, elsewhere] = site.peers;
    answeredAtHome(handlers, { ...withoutCalls, bus: world.bus, peers: home });
    await using other = new MatchWorld({ media: testRelay });
    const there = answeredAtHome(matchEndpoints(other, 4), { ...withoutCalls, bus: other.bus, peers: elsewhere });
    for (const person of [ana, bo]) await home.own(personKey(person));
    await vi.waitFor(() => there.matchInfo(signedInAs(ana), { user_id: 1 }), { timeout: 30_000 });

    const offer = "v=0\r\n";
    const started = await there.matchStart(signedInAs(ana, "tr"), { user_id: 1, ...search, offer });
    expect(started).toMatchObject({ state: "searching" });
    world.clock.advance(1);
    await there.matchStart(signedInAs(bo, "ar"), { user_id: 2, ...search });
    await world.settled();
    const [toAna, toBo] = [world.takeMatch(ana), world.takeMatch(bo)];
    expect([toAna.remote.country_name, toBo.media.peerOffer]).toEqual(["18 in tr", offer]);
    expect(await there.startVideo(signedInAs(bo), { user_id: 2, id: toBo.id })).toEqual({ is_enough: 1 });
    expect(await there.matchInfo(signedInAs(bo), { user_id: 2 })).toMatchObject({ status: 2, match: toBo });
    const refusal = await there
      .startVideo(signedInAs(ana), { user_id: 1, id: "another" })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: "EndpointError", code: 403, data: { reason: "not_in_room" } });
    expect(await there.matchStop(signedInAs(ana), { user_id: 1 })).toEqual({});
    expect(await there.matchInfoUpdate(signedInAs(bo), { user_id: 2, id: toBo.id })).toBe(false);
    expect(other.calls.current(ana)).toBeNull();

    const nowhere = there.matchStart(signedInAs(3n), { user_id: 3, ...search });
    await expect(nowhere).rejects.toMatchObject({ code: 403, data: { reason: "no_socket" } });
  });
});

describe.each(peerSites)("frames that came to another server: $name", ({ open }) => {
  const input = { user_id: 1, room_id: "room", ticket: "ticket" } as const;
  const file = Buffer.from([0xff, 0xd8, 0xff, 0, 1]);
  const about = { ...signedInAs(ana), file };

  test("judges them at the user's home, which answers with its refusals", async () => {
    await using site = await open();
    const [home, elsewhere] = site.peers;
    const frames: unknown[] = [];
    let refusal: Error | null = null;
    const at = (peers: Peers, name: string) => {
      const videoInspect: Handlers["videoInspect"] = async (context, { room_id, ticket }) => {
        frames.push([name, context.session.userId, room_id, ticket, context.file]);
        if (refusal) throw refusal;
        return {};
      };
      const bus = { isHere: () => name === "home", isPresent: async () => true };
      return answeredAtHome({ ...handlers, videoInspect }, { ...withoutCalls, bus, peers });
    };
    at(home, "home");
    const there = at(elsewhere, "elsewhere");
    await home.own(personKey(ana));
    await vi.waitFor(() => there.videoInspect(about, input), { timeout: 30_000 });
    expect(frames).toEqual([["home", ana, "room", "ticket", file]]);
    refusal = badInput("no such ticket", "ticket");
    await expect(there.videoInspect(about, input)).rejects.toMatchObject({ code: 400, data: { field: "ticket" } });
  });

  test("answers 503 beyond a hundred at once, before they reach another server", async () => {
    let asked = 0;
    const { here } = homeElsewhere(() => {
      asked += 1;
      return new Promise(() => undefined);
    });
    for (let sent = 0; sent < 100; sent += 1) void here.videoInspect(about, input);
    await expect(here.videoInspect(about, input)).rejects.toMatchObject({ code: 503, data: { retry_after: 1 } });
    expect(asked).toBe(100);
  });
});

const anybody = { sex: 0, country: 0 } as const;

/** Endpoints for users whose home is another server; `serve` has what this server answers for its own users. */
function homeElsewhere(ask: () => Promise<never>) {
  const served = new Map<string, (call: HomeCall) => Promise<unknown>>();
  const notHere = () => Promise.reject(new Error("not here"));
  const rings: Pick<Handlers, "ring" | "ringAnswer" | "videoInspect"> = {
    ring: notHere,
    ringAnswer: notHere,
    videoInspect: notHere,
  };
  let isHere = false;
  const here = answeredAtHome(
    { ...handlers, ...rings },
    {
      bus: { isHere: () => isHere, isPresent: async () => true },
      peers: {
        ask,
        serve: (kind, answer) => {
          served.set(kind, (call) => answer(call as never, personKey(ana)));
          return { [Symbol.dispose]: () => undefined };
        },
      },
      hasCall: () => false,
      startedByRequest: () => undefined,
      clock: soon,
    },
  );
  const comeHere = () => (isHere = true);
  return { here, comeHere, atHere: (call: HomeCall) => served.get("homeCall")!(call) };
}

test("makes no friend available if the caller's home fails to ring, and answers 503 to an answer", async () => {
  // The home does not have this endpoint and fails.
  const { here } = homeElsewhere(() => Promise.reject(new PeerFailedError("handlers[name] is not a function")));
  expect(await here.ring(signedInAs(ana), { user_id: 1, other_id: 2 })).toEqual({ state: "unavailable" });
  await expect(here.ringAnswer(signedInAs(ana), { user_id: 1, id: "r", accept: 1 })).rejects.toMatchObject({
    code: 503,
    data: { retry_after: 1 },
  });
  await expect(here.matchInfo(signedInAs(ana), { user_id: 1 })).rejects.toBeInstanceOf(PeerFailedError);
});

test('answers "ask again" to an endpoint of a later version that the home does not know', async () => {
  const { comeHere, atHere } = homeElsewhere(() => Promise.reject(new NoOwnerError("nobody")));
  comeHere();
  const call = { name: "dance", context: signedInAs(ana), input: {} } as unknown as HomeCall;
  expect(await atHere(call)).toMatchObject({ kind: "refused", code: 503, data: { retry_after: 1 } });
});

test("makes a start at the next home if the user moves there meanwhile, whatever came of it at the old one", async () => {
  let isHere = true;
  const next = { state: "searching", price: 0, since: 7 } as const;
  const outcomes: readonly (typeof handlers.matchStart)[] = [
    async () => next,
    async () => Promise.reject(forbidden("no_socket")),
  ];
  for (const outcome of outcomes) {
    isHere = true;
    const matchStart: typeof outcome = async (context, input) => {
      isHere = false;
      return outcome(context, input);
    };
    const here = answeredAtHome(
      { ...handlers, matchStart },
      {
        bus: { isHere: () => isHere, isPresent: async () => true },
        peers: {
          ask: (async () => ({ kind: "done", output: next })) as never,
          serve: () => ({ [Symbol.dispose]: () => undefined }),
        },
        hasCall: () => false,
        startedByRequest: () => undefined,
        clock: soon,
      },
    );
    expect(await here.matchStart(signedInAs(ana), { user_id: 1, ...anybody })).toEqual(next);
  }
});

test("notes a start that came by POST, and none over the chat session", async () => {
  const noted: unknown[] = [];
  const here = answeredAtHome(handlers, {
    bus: world.bus,
    peers: { ask: () => Promise.reject(new Error("asked")), serve: () => ({ [Symbol.dispose]: () => undefined }) },
    hasCall: () => false,
    startedByRequest: (userId) => void noted.push(userId),
    clock: soon,
  });
  await here.matchStart({ ...signedInAs(ana), isOverChat: true }, { user_id: 1, ...anybody });
  expect(noted).toEqual([]);
  await here.matchStart(signedInAs(ana), { user_id: 1, ...anybody });
  expect(noted).toEqual([ana]);
});

test("answers for a user in a call at this server without a page, and asks no other server", async () => {
  const here = answeredAtHome(handlers, {
    bus: { isHere: () => false, isPresent: async () => true },
    peers: { ask: () => Promise.reject(new Error("asked")), serve: () => ({ [Symbol.dispose]: () => undefined }) },
    hasCall: (userId) => userId === ana,
    startedByRequest: () => undefined,
    clock: soon,
  });
  expect(await here.matchInfo(signedInAs(ana), { user_id: 1 })).toMatchObject({ status: 0 });
  await expect(here.matchInfo(signedInAs(bo), { user_id: 2 })).rejects.toThrow("asked");
});

test.runIf(redisIsInstalled)(
  "answers at the asked server if the home lost the user, and 503 if it is silent",
  async () => {
    await using site = await siteOverRedis();
    const [home, elsewhere] = site.peers;
    const bus = { isHere: () => false, isPresent: async () => true };
    answeredAtHome(handlers, { ...withoutCalls, bus, peers: home });
    await using other = new MatchWorld({ media: testRelay });
    const there = answeredAtHome(matchEndpoints(other, 4), { ...withoutCalls, bus: other.bus, peers: elsewhere });
    await home.own(personKey(ana));
    expect(await there.matchInfo(signedInAs(ana), { user_id: 1 })).toMatchObject({ status: 0, match: null });
    await site.redis?.kill();
    const asked = there.matchStop(signedInAs(ana), { user_id: 1 });
    await expect(asked).rejects.toMatchObject({ code: 503, data: { retry_after: 1 } });
  },
);
