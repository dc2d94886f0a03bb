import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { matchTimeoutMs } from "@fava/wire/limits.ts";
import { passingChatFilter } from "#test/fakes/passing-chat-filter.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { HubWorld } from "#test/fixtures/hub-world.ts";
import { MatchWorld, MemoryCallLog } from "#test/fixtures/match-world.ts";
import { roomEventsFor } from "#test/fixtures/room-events.ts";
import { MatchService } from "./match-service.ts";
import { CallService, type RoomEventConsumer } from "./room-service.ts";
import { noAgeChecks, noChecks, noFirstSearches, unrestricted } from "#test/fixtures/matched.ts";

/** Two users over real sockets, wired as in the composition root. */
let world: HubWorld;
let calls: CallService;
let matches: MatchService;
let log: MemoryCallLog;
beforeEach(async () => {
  world = await HubWorld.start({ socketsMax: 8 });
  log = new MemoryCallLog();
  const { clock, hub: bus } = world;
  const media = { policy: "all", credentialsFor: () => ({ iceServers: [], expiresAtMs: 0 }), cut: () => {} } as const;
  const consumers: RoomEventConsumer[] = [];
  const events = roomEventsFor(consumers);
  calls = new CallService({
    bus,
    media,
    log,
    chatFilter: passingChatFilter,
    events,
    clock,
    random: seededRandom(5),
    roomsMax: 10,
  });
  const { people, facts } = new MatchWorld();
  for (const userId of world.people.values()) facts.set(userId, { sex: 1, countryId: 18, zone: 0, complete: true });
  const settings = { selectableCountryIds: [] };
  const prices = { filterPrices: () => ({ gender: 0, country: 0, both: 0 }) };
  const logger = pino({ level: "silent" });
  const availableBalances = { spendable: async () => ({ have: 0n, limit: "balance" as const }) };
  const exclusions = { prepare: async () => {}, isPrepared: () => true, isExcluded: () => false };
  const rematchRequests = { bothRequested: async () => false, markFulfilled: async () => {} };
  const gate = { restrictionsOf: async () => unrestricted };
  const ports = {
    exclusions,
    gate,
    ages: noAgeChecks,
    rematchRequests,
    availableBalances,
    prices,
    settings,
    checks: noChecks,
    firstSearches: noFirstSearches,
  };
  matches = new MatchService({ bus, calls, people, ...ports, clock, logger, searchesMax: 10 });
  consumers.push(matches);
  world.listeners.push(matches);
});
afterEach(async () => {
  await matches[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const start = (userId: bigint) =>
  matches.start({ userId, language: "en", filters: { sex: 0, country: 0 }, offer: `offer of ${userId}` });

test("lets two users meet, signal, see each other and chat, until one leaves", async () => {
  const [ana, bo] = [await world.signedIn("ana"), await world.signedIn("bo")];
  await start(1n);
  world.clock.advance(10);
  await start(2n);
  const toAna = (await ana.next("push")).push;
  const toBo = (await bo.next("push")).push;
  if (toAna.code !== 100_001 || toBo.code !== 100_001) throw new Error("not a match");
  expect(toBo.media).toMatchObject({ role: "answerer", peerOffer: "offer of 1" });
  const anasRoom = { roomId: toAna.roomId, roomToken: toAna.token };
  const bosRoom = { roomId: toBo.roomId, roomToken: toBo.token };

  const answer = { type: "answer", generation: 0, sdp: "v=0" } as const;
  bo.send({ type: "signal", ...bosRoom, signal: answer });
  expect(await ana.next("signal")).toEqual({ type: "signal", roomId: toAna.roomId, signal: answer });
  ana.send({ type: "media", ...anasRoom, state: "playing" });
  bo.send({ type: "media", ...bosRoom, state: "playing" });
  bo.send({ type: "media", ...bosRoom, state: "camera_off" });
  expect(await ana.next("peer-media")).toMatchObject({ state: "camera_off" });
  expect(matches.info(1n).status).toBe(3);

  ana.send({ type: "chat", ...anasRoom, clientId: "c1", text: "hello" });
  expect(await bo.next("chat")).toMatchObject({ text: "hello", clientId: "c1", sequence: 2 });
  expect(await ana.next("chat-stored")).toMatchObject({ clientId: "c1" });
  ana.send({ type: "chat", ...bosRoom, clientId: "c2", text: "with the other's token" });
  expect(await ana.next("error")).toMatchObject({ reason: "unknown_room", clientId: "c2" });

  bo.socket.close(1000);
  expect((await ana.next("push")).push).toEqual({ code: 100_002, roomId: toAna.roomId, reason: "left" });
  expect(log.calls.get(toAna.roomId)).toMatchObject({ offererId: 1n, answererId: 2n, endReason: "left" });
});

test("tells two users whose connection failed, and matches them again without a new request", async () => {
  const [ana, bo, cem] = [await world.signedIn("ana"), await world.signedIn("bo"), await world.signedIn("cem")];
  const { since } = await start(1n);
  world.clock.advance(10);
  await start(2n);
  for (const client of [ana, bo]) expect((await client.next("push")).push).toMatchObject({ code: 100_001 });
  world.clock.advance(matchTimeoutMs);
  for (const client of [ana, bo]) {
    expect((await client.next("push")).push).toMatchObject({ code: 100_002, reason: "not_joined" });
  }
  expect([matches.info(1n).status, matches.info(2n).status]).toEqual([1, 1]);
  await start(3n);
  expect((await cem.next("push")).push).toMatchObject({ code: 100_001, user_Id: 1 });
  expect((await ana.next("push")).push).toMatchObject({ code: 100_001, user_Id: 3 });
  matches.stop(3n);
  expect(await start(1n)).toMatchObject({ state: "searching", since });
});

test("[SOCKET-63] pushes a match made while a socket is lost to the socket that returns", async () => {
  const [ana, bo] = [await world.signedIn("ana"), await world.signedIn("bo")];
  await start(1n);
  ana.socket.terminate();
  const stillSearching = () => matches.counts.waiting === 1;
  while (stillSearching()) await new Promise((resolve) => setImmediate(resolve));
  await start(2n);
  const back = await world.connect();
  await back.hello("ana", { sessionId: ana.sessionId, lastSequence: 0 });
  expect((await back.next("push")).push).toMatchObject({ code: 100_001, user_Id: 2 });
  expect((await bo.next("push")).push).toMatchObject({ code: 100_001, user_Id: 1 });
});

test("continues the call of a reloaded page over a new socket, and passes the signals of both", async () => {
  const [ana, bo] = [await world.signedIn("ana"), await world.signedIn("bo")];
  await start(1n);
  world.clock.advance(10);
  await start(2n);
  const [toAna, toBo] = [(await ana.next("push")).push, (await bo.next("push")).push];
  if (toAna.code !== 100_001 || toBo.code !== 100_001) throw new Error("not a match");
  const { roomId } = toAna;
  ana.send({ type: "media", roomId, roomToken: toAna.token, state: "playing" });
  bo.send({ type: "media", roomId, roomToken: toBo.token, state: "playing" });
  await bo.settled();

  ana.socket.close(4007);
  expect(await bo.next("peer-media")).toEqual({ type: "peer-media", roomId, state: "lost" });
  const next = await world.signedIn("ana");
  expect(matches.info(1n)).toMatchObject({ status: 3, match: { roomId }, return_ms: 12_000 });
  calls.join(1n, roomId);
  const [again, told] = [(await next.next("push")).push, (await bo.next("push")).push];
  const returned = { generation: 1_000, live_ms: 0 };
  expect([again, told]).toMatchObject([
    { code: 100_001, roomId, token: toAna.token, returned },
    { code: 100_001, roomId, token: toBo.token, returned },
  ]);
  const offer = { type: "offer", generation: 1_000, sdp: "v=0" } as const;
  next.send({ type: "signal", roomId, roomToken: toAna.token, signal: offer });
  expect((await bo.next("signal")).signal).toEqual(offer);
  bo.send({ type: "chat", roomId, roomToken: toBo.token, clientId: "c1", text: "there you are" });
  expect(await next.next("chat")).toMatchObject({ text: "there you are" });
});
