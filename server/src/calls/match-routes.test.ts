import { beforeEach, describe, expect, test, vi } from "vitest";
import { endpoints } from "@fava/wire/endpoints.ts";
import { socketCloseCodes } from "@fava/wire/socket.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { anaKey, anaSession, liveAna } from "#test/fixtures/edge.ts";
import { noChecks } from "#test/fixtures/matched.ts";
import { matchEndpoints, signedInAs, testRelay } from "#test/fixtures/match-endpoints.ts";
import { MatchWorld } from "#test/fixtures/match-world.ts";
import { preparedCall, signedCall } from "#test/fixtures/signed-call.ts";
import { transports } from "#test/fixtures/transports.ts";
import { matchHandlers } from "./match-routes.ts";

const [ana, bo] = [1n, 2n];
let world: MatchWorld;
let handlers: ReturnType<typeof matchEndpoints>;
beforeEach(async () => {
  world = new MatchWorld({ media: testRelay });
  handlers = matchEndpoints(world);
  await world.arrive(ana);
  await world.arrive(bo);
});

test("the calls of a match, from start to stop, answer in the languages of their callers", async () => {
  const filters = { sex: 0, country: 0 } as const;
  await handlers.matchStart(signedInAs(ana, "tr"), { user_id: 1, ...filters, offer: "v=0\r\n" });
  world.clock.advance(1);
  await handlers.matchStart(signedInAs(bo, "ar"), { user_id: 2, ...filters });
  await world.settled();
  const [toAna, toBo] = [world.takeMatch(ana), world.takeMatch(bo)];
  expect([toAna.remote.country_name, toBo.remote.country_name]).toEqual(["18 in tr", "18 in ar"]);
  expect(toBo.media.peerOffer).toBe("v=0\r\n");
  expect(await handlers.startVideo(signedInAs(bo), { user_id: 2, id: toBo.id })).toEqual({ is_enough: 1 });
  expect(await handlers.matchInfo(signedInAs(bo), { user_id: 2 })).toMatchObject({ status: 2, match: toBo });
  expect(await handlers.matchInfoUpdate(signedInAs(ana), { user_id: 1, id: toAna.id })).toBe(true);
  expect(await handlers.matchStop(signedInAs(ana), { user_id: 1 })).toEqual({});
  expect(await handlers.matchInfoUpdate(signedInAs(bo), { user_id: 2, id: toBo.id })).toBe(false);
});

test("answers 503 to a user who is awaited in a call and has no chat session yet", async () => {
  const filters = { sex: 0, country: 0 } as const;
  for (const [userId, user_id] of [[ana, 1] as const, [bo, 2] as const])
    await handlers.matchStart(signedInAs(userId), { user_id, ...filters });
  await world.settled();
  const { roomId, id } = world.takeMatch(ana);
  for (const userId of [ana, bo]) {
    const roomToken = world.calls.current(userId)?.match.token ?? "";
    world.calls.roomMessage(userId, { type: "media", roomId, roomToken, state: "playing" });
  }
  const join = () => handlers.startVideo(signedInAs(ana), { user_id: 1, id });
  world.bus.close(ana, socketCloseCodes.pageGone);
  await expect(join()).rejects.toMatchObject({ code: 503, data: { retry_after: 1 } });
  world.bus.arrive(ana);
  expect(await join()).toEqual({ is_enough: 1 });
});

describe.each(transports)("[SIGN-60] $name", ({ open }) => {
  const search = { user_id: 1, sex: 0, country: 0 } as const;

  /** Ana, who sends requests by this transport. Bo is online, and searches when a test starts his search. */
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
    // By now no start request can still be in flight, and the page has joined after the replayed push.
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
  await handlers.matchStart(signedInAs(ana), { user_id: 1, ...filters, traceparent: nameOf("a") });
  world.clock.advance(30);
  // The same search, now with an offer.
  await handlers.matchStart(signedInAs(ana), { user_id: 1, ...filters, refresh: 1, traceparent: nameOf("a") });
  world.clock.advance(10);
  world.readingCard = async () => {
    await world.settled();
    world.clock.advance(2);
  };
  await handlers.matchStart(signedInAs(bo), { user_id: 2, ...filters, traceparent: nameOf("b") });
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
  const answer = await handlers.matchStart(signedInAs(ana), { user_id: 1, sex: 0, country: 0, room_id: "" });
  expect([answer.state, world.calls.isIn(ana, room.id)]).toEqual(["searching", false]);
});

test("[SAFE-80] a start says whether the person was told that pictures are looked at while they search", async () => {
  const told: string[] = [];
  const say = (what: string) => (userId: bigint) => void told.push(`${what} ${userId}`);
  world.searchChecks = { ...noChecks, begin: say("begin"), end: say("end") };
  const input = { user_id: 1, sex: 0, country: 0 } as const;
  await handlers.matchStart(signedInAs(ana), input);
  expect(told.splice(0)).toEqual(["end 1"]);
  await handlers.matchStart(signedInAs(ana), { ...input, refresh: 1, checks: 1 });
  expect(told.splice(0)).toEqual(["end 1", "begin 1"]);
  await handlers.matchStop(signedInAs(ana), { user_id: 1 });
  expect(told).toEqual(["end 1"]);
});

test("[SIGN-13] refuses to start, stop, join or ask for another user", async () => {
  const foreign = expect.objectContaining({ code: 400, data: { field: "user_id" } });
  const context = signedInAs(ana);
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
  expect(await handlers.testRoomSign(signedInAs(ana), { network: 0 })).toEqual({
    token: expect.any(String) as string,
    iceServers: [{ urls: ["turn:t"], username: "ext-1" }],
    policy: "relay",
    expiresAt: 7_000,
  });
});

/** Answers about calls of users at `servers`; `moved` records where pages are sent. */
function answersOfLocator(servers: ReadonlyMap<bigint, string | null>) {
  const asked: unknown[] = [];
  const moved: unknown[] = [];
  const { matches, calls } = world;
  const answers = matchHandlers({
    matches,
    calls,
    media: testRelay,
    random: seededRandom(4),
    move: (...move) => void moved.push(move),
    callLocator: () => ({
      find: async (...question) => {
        asked.push(question);
        return servers.get(question[0]) ?? null;
      },
    }),
  });
  return { answers, asked, moved };
}

test("sends a page that asks for its call to the server that has it, and refuses where there is none", async () => {
  const servers = new Map<bigint, string | null>([[ana, "other"]]);
  const { answers, asked, moved } = answersOfLocator(servers);
  const join = () => answers.startVideo(signedInAs(ana), { user_id: 1, id: "room" });
  await expect(join()).rejects.toMatchObject({ code: 503, data: { retry_after: 1 } });
  expect([asked, moved]).toEqual([[[ana, "room"]], [[ana, "other"]]]);
  servers.clear();
  await expect(join()).rejects.toMatchObject({ code: 403, data: { reason: "not_in_room" } });
  expect(moved).toHaveLength(1);
});

test("looks for the call of a user who does nothing here, and for nobody else's", async () => {
  const { answers, asked, moved } = answersOfLocator(new Map([[ana, "other"]]));
  const infoOf = (userId: bigint) => answers.matchInfo(signedInAs(userId), { user_id: Number(userId) });
  await expect(infoOf(ana)).rejects.toMatchObject({ code: 503, data: { retry_after: 1 } });
  expect(await infoOf(bo)).toMatchObject({ status: 0, match: null });
  await answers.matchStart(signedInAs(ana), { user_id: 1, sex: 0, country: 0 });
  expect(await infoOf(ana)).toMatchObject({ status: 1 });
  expect([asked, moved]).toEqual([
    [
      [ana, null],
      [bo, null],
    ],
    [[ana, "other"]],
  ]);
});
