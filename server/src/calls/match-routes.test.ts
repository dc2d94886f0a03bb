import { beforeEach, describe, expect, test, vi } from "vitest";
import { endpoints } from "@fava/wire/endpoints.ts";
import { socketCloseCodes } from "@fava/wire/socket.ts";
import type { Handlers, SignedInContext } from "#ports/handlers.ts";
import type { MediaRelay } from "#ports/media.ts";
import { type MatchCall, NobodyThereError, PeerFailedError, personKey } from "#ports/peers.ts";
import { forbidden } from "#lib/errors.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { anaKey, anaSession, liveAna } from "#test/fixtures/edge.ts";
import { noChecks } from "#test/fixtures/matched.ts";
import { MatchWorld } from "#test/fixtures/match-world.ts";
import { peerSites, siteOverRedis } from "#test/fixtures/peer-sites.ts";
import { redisIsInstalled } from "#test/fixtures/redis.ts";
import { preparedCall, signedCall } from "#test/fixtures/signed-call.ts";
import { ways } from "#test/fixtures/ways.ts";
import { answeredAtHome, matchHandlers } from "./match-routes.ts";

const [ana, bo] = [1n, 2n];
const relay: MediaRelay = {
  policy: "relay",
  credentialsFor: (externalId) => ({ iceServers: [{ urls: ["turn:t"], username: externalId }], expiresAtMs: 7_000 }),
};

const alone = { places: () => null, move: () => undefined };

let world: MatchWorld;
let handlers: ReturnType<typeof matchHandlers>;
beforeEach(async () => {
  world = new MatchWorld({ media: relay });
  handlers = matchHandlers({
    ...alone,
    matches: world.matches,
    calls: world.calls,
    media: relay,
    random: seededRandom(3),
  });
  await world.arrive(ana);
  await world.arrive(bo);
});

function contextOf(userId: bigint, language = "en"): SignedInContext {
  const session = { id: `s${userId}`, userId, externalId: `ext-${userId}`, role: 0, profileComplete: true };
  return { session, ip: "127.0.0.1", userAgent: "test", language };
}

test("the calls of a match, from start to stop, answer in the languages of their callers", async () => {
  const filters = { sex: 0, country: 0 } as const;
  await handlers.matchStart(contextOf(ana, "tr"), { user_id: 1, ...filters, offer: "v=0\r\n" });
  world.clock.advance(1);
  await handlers.matchStart(contextOf(bo, "ar"), { user_id: 2, ...filters });
  await world.settled();
  const [toAna, toBo] = [world.takeMatch(ana), world.takeMatch(bo)];
  expect([toAna.remote.country_name, toBo.remote.country_name]).toEqual(["18 in tr", "18 in ar"]);
  expect(toBo.media.peerOffer).toBe("v=0\r\n");
  expect(await handlers.startVideo(contextOf(bo), { user_id: 2, id: toBo.id })).toEqual({ is_enough: 1 });
  expect(await handlers.matchInfo(contextOf(bo), { user_id: 2 })).toMatchObject({ status: 2, match: toBo });
  expect(await handlers.matchInfoUpdate(contextOf(ana), { user_id: 1, id: toAna.id })).toBe(true);
  expect(await handlers.matchStop(contextOf(ana), { user_id: 1 })).toEqual({});
  expect(await handlers.matchInfoUpdate(contextOf(bo), { user_id: 2, id: toBo.id })).toBe(false);
});

test("answers 503 to a user who is awaited in a call and has no chat session yet", async () => {
  const filters = { sex: 0, country: 0 } as const;
  for (const [userId, user_id] of [[ana, 1] as const, [bo, 2] as const])
    await handlers.matchStart(contextOf(userId), { user_id, ...filters });
  await world.settled();
  const { roomId, id } = world.takeMatch(ana);
  for (const userId of [ana, bo]) {
    const roomToken = world.calls.current(userId)?.match.token ?? "";
    world.calls.roomMessage(userId, { type: "media", roomId, roomToken, state: "playing" });
  }
  const join = () => handlers.startVideo(contextOf(ana), { user_id: 1, id });
  world.bus.close(ana, socketCloseCodes.pageGone);
  await expect(join()).rejects.toMatchObject({ code: 503, data: { retry_after: 1 } });
  world.bus.arrive(ana);
  expect(await join()).toEqual({ is_enough: 1 });
});

describe.each(ways)("[SIGN-60] $name", ({ open }) => {
  const search = { user_id: 1, sex: 0, country: 0 } as const;

  /** Ana, who sends requests this way. Bo is online and searches when a test says so. */
  async function openAna() {
    const edge = await open(handlers);
    edge.tokens.set("tok_ana", { ...liveAna, session: { ...anaSession, externalId: "ext-1" } });
    return { ...edge.ana, signKey: anaKey, nowMs: () => edge.clock.nowMs() };
  }

  test("a match from start to stop", async () => {
    const caller = await openAna();
    expect(await signedCall(caller, endpoints.matchStart, { ...search, offer: "v=0\r\n" })).toMatchObject({
      code: 200,
      data: { state: "searching", price: 0 },
    });
    await world.start(bo);
    const [toAna, toBo] = [world.takeMatch(ana), world.takeMatch(bo)];
    expect(toBo.media.peerOffer).toBe("v=0\r\n");
    const mine = { user_id: 1, id: toAna.id };
    expect(await signedCall(caller, endpoints.startVideo, mine)).toMatchObject({ code: 200, data: { is_enough: 1 } });
    expect(world.calls.current(ana)?.joined).toBe(true);
    expect(await signedCall(caller, endpoints.matchInfoUpdate, mine)).toMatchObject({ code: 200, data: true });
    expect(await signedCall(caller, endpoints.matchStop, { user_id: 1 })).toMatchObject({ code: 200, data: {} });
    expect(await signedCall(caller, endpoints.matchInfoUpdate, mine)).toMatchObject({ code: 200, data: false });
  });

  test("a match names the trace of the start that it came of, and none where the start named none", async () => {
    const caller = await openAna();
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    for (const bad of ["", "00-0", traceparent.toUpperCase(), traceparent.replaceAll(/[1-9a-f](?=\w*-01)/g, "0")])
      expect(await signedCall(caller, endpoints.matchStart, { ...search, traceparent: bad })).toMatchObject({
        code: 400,
        data: { field: "traceparent" },
      });
    await signedCall(caller, endpoints.matchStart, { ...search, traceparent });
    await world.start(bo);
    expect(world.takeMatch(ana)).toHaveProperty("traceparent", traceparent);
    expect(world.takeMatch(bo)).not.toHaveProperty("traceparent");
  });

  test("refusals say the same", async () => {
    const caller = await openAna();
    const pausedUntil = world.clock.nowMs() + 60_000;
    world.restrictions.set(ana, { pausedUntil });
    const refused = await signedCall(caller, endpoints.matchStart, search);
    expect(refused).toMatchObject({ code: 403, data: { reason: "paused", until: pausedUntil } });
    expect(await signedCall(caller, endpoints.matchStart, { ...search, country: 999 })).toMatchObject({ code: 403 });
    expect(await signedCall(caller, endpoints.startVideo, { user_id: 1, id: "gone" })).toMatchObject({ code: 403 });
  });

  test("[SIGN-66] start, stop, join and check that are made twice do what one does", async () => {
    const caller = await openAna();
    const twice = async (endpoint: (typeof endpoints)["matchStart" | "matchStop" | "startVideo"], fields: object) => {
      const made = [0, 1].map(() => preparedCall(caller, endpoint, { user_id: 1, ...fields }));
      const answers: unknown[] = [];
      for (const call of made)
        answers.push(
          JSON.parse((await (caller.target as (sent: typeof call) => Promise<{ text: string }>)(call)).text),
        );
      return answers;
    };
    const [first, second] = await twice(endpoints.matchStart, search);
    expect(second).toEqual(first);
    await world.start(bo);
    const { id, roomId } = world.takeMatch(ana);
    const [joined, joinedAgain] = await twice(endpoints.startVideo, { id });
    expect([joinedAgain, world.calls.isIn(ana, roomId)]).toEqual([joined, true]);
    const [stopped, stoppedAgain] = await twice(endpoints.matchStop, {});
    expect([stoppedAgain, world.calls.current(ana)]).toEqual([stopped, null]);
  });

  test("[MATCH-90] a start that is made once more leaves no room of which its page had not heard", async () => {
    const caller = await openAna();
    const start = async (room_id: string) => signedCall(caller, endpoints.matchStart, { ...search, room_id });
    await start("");
    await world.start(bo);
    const { roomId, id } = world.takeMatch(ana);
    // Longer than a start request could be in flight, and the page has joined with the replayed push.
    world.clock.advance(2_000);
    expect(await start("")).toMatchObject({ data: { state: "not_searching" } });
    world.calls.join(ana, id);
    expect(await start("an earlier one")).toMatchObject({ data: { state: "not_searching" } });
    expect(world.calls.isIn(ana, roomId)).toBe(true);
    expect(await start(roomId)).toMatchObject({ data: { state: "searching" } });
    expect(world.calls.isIn(ana, roomId)).toBe(false);
  });
});

test("the traces of two who meet have a step for each thing that both waited for", async () => {
  const filters = { sex: 0, country: 0 } as const;
  const nameOf = (trace: string) => `00-${trace.repeat(32)}-b7ad6b7169203331-01`;
  await handlers.matchStart(contextOf(ana), { user_id: 1, ...filters, traceparent: nameOf("a") });
  world.clock.advance(30);
  // The same search, now with an offer.
  await handlers.matchStart(contextOf(ana), { user_id: 1, ...filters, refresh: 1, traceparent: nameOf("a") });
  world.clock.advance(10);
  world.readingCard = async () => {
    // After the response to the start.
    await world.settled();
    world.clock.advance(2);
  };
  await handlers.matchStart(contextOf(bo), { user_id: 2, ...filters, traceparent: nameOf("b") });
  await vi.waitFor(() => expect(world.matches.info(ana).status).toBe(2));
  const { roomId } = world.takeMatch(ana);
  const stepsOf = (trace: string) =>
    world.spans
      .filter(({ traceId }) => traceId === trace.repeat(32))
      .map(({ name, startMs, endMs, attributes }) => [name, endMs - startMs, attributes]);
  const met = [
    ["match.settle", 4, { outcome: "ready", hasMoved: false }],
    ["match.room", 0, { roomId }],
  ];
  const started = ["match.start", 0, { outcome: "searching" }];
  const waited = (ms: number, outcome: string) => ["match.wait", ms, { outcome }];
  const renewed = [waited(30, "withdrawn"), started];
  expect(stepsOf("a")).toEqual([started, ...renewed, waited(10, "found"), ...met]);
  expect(stepsOf("b")).toEqual([waited(0, "found"), started, ...met]);
  expect(new Set(world.spans.map(({ parentId }) => parentId))).toEqual(new Set(["b7ad6b7169203331"]));
});

test("[MATCH-90] a page that comes after one that is gone searches, and knows of no room", async () => {
  const room = await world.live(ana, bo);
  world.bus.close(ana, 4_007);
  await world.arrive(ana);
  const answer = await handlers.matchStart(contextOf(ana), { user_id: 1, sex: 0, country: 0, room_id: "" });
  expect([answer.state, world.calls.isIn(ana, room.id)]).toEqual(["searching", false]);
});

test("[SAFE-80] a start says whether the person was told that pictures are looked at while they search", async () => {
  const told: string[] = [];
  const say = (what: string) => (userId: bigint) => void told.push(`${what} ${userId}`);
  world.searchChecks = { ...noChecks, begin: say("begin"), end: say("end") };
  const input = { user_id: 1, sex: 0, country: 0 } as const;
  await handlers.matchStart(contextOf(ana), input);
  expect(told.splice(0)).toEqual(["end 1"]);
  await handlers.matchStart(contextOf(ana), { ...input, refresh: 1, checks: 1 });
  expect(told.splice(0)).toEqual(["end 1", "begin 1"]);
  await handlers.matchStop(contextOf(ana), { user_id: 1 });
  expect(told).toEqual(["end 1"]);
});

test("[SIGN-13] refuses to start, stop, join or ask for another user", async () => {
  const foreign = expect.objectContaining({ code: 400, data: { field: "user_id" } });
  const context = contextOf(ana);
  const calls = [
    handlers.matchStart(context, { user_id: 2, sex: 0, country: 0 }),
    handlers.matchStop(context, { user_id: 2 }),
    handlers.matchInfo(context, { user_id: 2 }),
    handlers.matchInfoUpdate(context, { user_id: 2, id: "x" }),
    handlers.startVideo(context, { user_id: 2, id: "x" }),
  ];
  for (const call of calls) await expect(call).rejects.toEqual(foreign);
});

test("credentials to prepare an offer are the caller's own and say when they end", async () => {
  expect(await handlers.testRoomSign(contextOf(ana), { network: 0 })).toEqual({
    token: expect.any(String) as string,
    iceServers: [{ urls: ["turn:t"], username: "ext-1" }],
    policy: "relay",
    expiresAt: 7_000,
  });
});

/** A clock whose timers fire at once, by when a user between two homes has reached the new one. */
const soon = {
  after: (_delayMs: number, work: () => void) => {
    const timer = setImmediate(work);
    return { [Symbol.dispose]: () => clearImmediate(timer) };
  },
};

describe.each(peerSites)("calls that came to another process: $name", ({ open }) => {
  const search = { sex: 0, country: 0 } as const;

  test("has the home answer a whole match with its refusals, and the asked server for a user without a home", async () => {
    await using site = await open();
    const [home, elsewhere] = site.peers;
    answeredAtHome(handlers, {
      bus: world.bus,
      peers: home,
      hasCall: () => false,
      startedByRequest: () => undefined,
      clock: soon,
    });
    await using other = new MatchWorld({ media: relay });
    const parts = {
      ...alone,
      matches: other.matches,
      calls: other.calls,
      media: relay,
      random: seededRandom(4),
    };
    const there = answeredAtHome(matchHandlers(parts), {
      bus: other.bus,
      peers: elsewhere,
      hasCall: () => false,
      startedByRequest: () => undefined,
      clock: soon,
    });
    for (const person of [ana, bo]) await home.own(personKey(person));
    await vi.waitFor(() => there.matchInfo(contextOf(ana), { user_id: 1 }), { timeout: 30_000 });

    const offer = "v=0\r\n";
    const started = await there.matchStart(contextOf(ana, "tr"), { user_id: 1, ...search, offer });
    expect(started).toMatchObject({ state: "searching" });
    world.clock.advance(1);
    await there.matchStart(contextOf(bo, "ar"), { user_id: 2, ...search });
    await world.settled();
    const [toAna, toBo] = [world.takeMatch(ana), world.takeMatch(bo)];
    expect([toAna.remote.country_name, toBo.media.peerOffer]).toEqual(["18 in tr", offer]);
    expect(await there.startVideo(contextOf(bo), { user_id: 2, id: toBo.id })).toEqual({ is_enough: 1 });
    expect(await there.matchInfo(contextOf(bo), { user_id: 2 })).toMatchObject({ status: 2, match: toBo });
    const refusal = await there
      .startVideo(contextOf(ana), { user_id: 1, id: "another" })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: "EndpointError", code: 403, data: { reason: "not_in_room" } });
    expect(await there.matchStop(contextOf(ana), { user_id: 1 })).toEqual({});
    expect(await there.matchInfoUpdate(contextOf(bo), { user_id: 2, id: toBo.id })).toBe(false);
    expect(other.calls.current(ana)).toBeNull();

    const nowhere = there.matchStart(contextOf(3n), { user_id: 3, ...search });
    await expect(nowhere).rejects.toMatchObject({ code: 403, data: { reason: "no_socket" } });
  });
});

const anybody = { sex: 0, country: 0 } as const;

/** Endpoints for users whose home is another server; `serve` has what this server answers for its own users. */
function homeElsewhere(ask: () => Promise<never>) {
  const served = new Map<string, (call: MatchCall) => Promise<unknown>>();
  const notHere = () => Promise.reject(new Error("not here"));
  const rings: Pick<Handlers, "ring" | "ringAnswer"> = { ring: notHere, ringAnswer: notHere };
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
  return { here, comeHere, atHere: (call: MatchCall) => served.get("homeCall")!(call) };
}

test("makes no friend available if the caller's home fails to ring, and answers 503 to an answer", async () => {
  // The home does not have this endpoint and fails.
  const { here } = homeElsewhere(() => Promise.reject(new PeerFailedError("handlers[name] is not a function")));
  expect(await here.ring(contextOf(ana), { user_id: 1, other_id: 2 })).toEqual({ state: "unavailable" });
  await expect(here.ringAnswer(contextOf(ana), { user_id: 1, id: "r", accept: 1 })).rejects.toMatchObject({
    code: 503,
    data: { retry_after: 1 },
  });
  await expect(here.matchInfo(contextOf(ana), { user_id: 1 })).rejects.toBeInstanceOf(PeerFailedError);
});

test("a call of a later version than their home's, which does not know it, is answered 'ask again'", async () => {
  const { comeHere, atHere } = homeElsewhere(() => Promise.reject(new NobodyThereError("nobody")));
  comeHere();
  const call = { name: "dance", context: contextOf(ana), input: {} } as unknown as MatchCall;
  expect(await atHere(call)).toMatchObject({ kind: "refused", code: 503, data: { retry_after: 1 } });
});

test("makes a start at the next home if the user moves there meanwhile, whatever came of it here", async () => {
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
    expect(await here.matchStart(contextOf(ana), { user_id: 1, ...anybody })).toEqual(next);
  }
});

test("notes a start that came by a request of its own, and none over the chat session", async () => {
  const noted: unknown[] = [];
  const here = answeredAtHome(handlers, {
    bus: world.bus,
    peers: { ask: () => Promise.reject(new Error("asked")), serve: () => ({ [Symbol.dispose]: () => undefined }) },
    hasCall: () => false,
    startedByRequest: (userId) => void noted.push(userId),
    clock: soon,
  });
  await here.matchStart({ ...contextOf(ana), isOverChat: true }, { user_id: 1, ...anybody });
  expect(noted).toEqual([]);
  await here.matchStart(contextOf(ana), { user_id: 1, ...anybody });
  expect(noted).toEqual([ana]);
});

test("answers for a user who is in a call here and has no page, and asks nobody", async () => {
  const here = answeredAtHome(handlers, {
    bus: { isHere: () => false, isPresent: async () => true },
    peers: { ask: () => Promise.reject(new Error("asked")), serve: () => ({ [Symbol.dispose]: () => undefined }) },
    hasCall: (userId) => userId === ana,
    startedByRequest: () => undefined,
    clock: soon,
  });
  expect(await here.matchInfo(contextOf(ana), { user_id: 1 })).toMatchObject({ status: 0 });
  await expect(here.matchInfo(contextOf(bo), { user_id: 2 })).rejects.toThrow("asked");
});

/** Answers about calls that `places` finds at other servers; `moved` records where pages are sent. */
function answersOfPlaces(places: ReadonlyMap<bigint, string | null>) {
  const asked: unknown[] = [];
  const moved: unknown[] = [];
  const { matches, calls } = world;
  const answers = matchHandlers({
    matches,
    calls,
    media: relay,
    random: seededRandom(4),
    move: (...move) => void moved.push(move),
    places: () => ({
      find: async (...question) => {
        asked.push(question);
        return places.get(question[0]) ?? null;
      },
    }),
  });
  return { answers, asked, moved };
}

test("sends a page that asks for its call to the server that has it, and refuses where there is none", async () => {
  const places = new Map<bigint, string | null>([[ana, "other"]]);
  const { answers, asked, moved } = answersOfPlaces(places);
  const join = () => answers.startVideo(contextOf(ana), { user_id: 1, id: "room" });
  await expect(join()).rejects.toMatchObject({ code: 503, data: { retry_after: 1 } });
  expect([asked, moved]).toEqual([[[ana, "room"]], [[ana, "other"]]]);
  places.clear();
  await expect(join()).rejects.toMatchObject({ code: 403, data: { reason: "not_in_room" } });
  expect(moved).toHaveLength(1);
});

test("looks for the call of a user who does nothing here, and for nobody else's", async () => {
  const { answers, asked, moved } = answersOfPlaces(new Map([[ana, "other"]]));
  const infoOf = (userId: bigint) => answers.matchInfo(contextOf(userId), { user_id: Number(userId) });
  await expect(infoOf(ana)).rejects.toMatchObject({ code: 503, data: { retry_after: 1 } });
  expect(await infoOf(bo)).toMatchObject({ status: 0, match: null });
  await answers.matchStart(contextOf(ana), { user_id: 1, sex: 0, country: 0 });
  expect(await infoOf(ana)).toMatchObject({ status: 1 });
  expect([asked, moved]).toEqual([
    [
      [ana, null],
      [bo, null],
    ],
    [[ana, "other"]],
  ]);
});

test.runIf(redisIsInstalled)(
  "answers at the asked server if the home lost the user, and 503 if it is silent",
  async () => {
    await using site = await siteOverRedis();
    const [home, elsewhere] = site.peers;
    answeredAtHome(handlers, {
      bus: { isHere: () => false, isPresent: async () => true },
      peers: home,
      hasCall: () => false,
      startedByRequest: () => undefined,
      clock: soon,
    });
    await using other = new MatchWorld({ media: relay });
    const parts = {
      ...alone,
      matches: other.matches,
      calls: other.calls,
      media: relay,
      random: seededRandom(4),
    };
    const there = answeredAtHome(matchHandlers(parts), {
      bus: other.bus,
      peers: elsewhere,
      hasCall: () => false,
      startedByRequest: () => undefined,
      clock: soon,
    });
    await home.own(personKey(ana));
    expect(await there.matchInfo(contextOf(ana), { user_id: 1 })).toMatchObject({ status: 0, match: null });
    await site.redis?.kill();
    const asked = there.matchStop(contextOf(ana), { user_id: 1 });
    await expect(asked).rejects.toMatchObject({ code: 503, data: { retry_after: 1 } });
  },
);
