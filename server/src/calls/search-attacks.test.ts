import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { endpoints } from "@fava/wire/endpoints.ts";
import { pictureThat } from "#test/fakes/scripted-frames.ts";
import { callerOf, type Edge, openEdge } from "#test/fixtures/edge.ts";
import { type Inspect, InspectionWorld } from "#test/fixtures/inspection-world.ts";
import { signedUpload } from "#test/fixtures/signed-call.ts";
import { frameHandlers } from "./frame-routes.ts";

const [ana, bo, cem] = [1n, 2n, 3n];
const badTicket = { code: 400, data: { field: "ticket" } };
const notAsked = { code: 403, data: { reason: "not_in_room" } };

let world: InspectionWorld;
let edge: Edge;
beforeEach(async () => {
  world = new InspectionWorld();
  edge = await openEdge(frameHandlers(world.inspection, world.clock));
  for (const userId of [ana, bo, cem]) await world.arrive(userId);
  world.keepApart(ana, bo);
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

async function upload(userId: bigint, sent: Partial<Inspect> & { file?: Uint8Array }) {
  const { roomId = "", ticket = "", file = pictureThat() } = sent;
  const input = { user_id: Number(userId), room_id: roomId, ticket };
  const { code, data } = await signedUpload(callerOf(edge, userId), endpoints.videoInspect, { input, file });
  return { code, data };
}

async function ticketOfSearch(userId: bigint): Promise<Inspect> {
  await world.search(userId);
  const [ticket] = world.tickets(userId);
  if (!ticket) throw new Error("no ticket");
  return ticket;
}

/** How a partner sees this user right after a match. */
async function openedAs(userId: bigint, other: bigint): Promise<string | undefined> {
  await world.meet(userId, other);
  return world.shields(other).at(-1)?.split("/")[0];
}

test("accepts a frame with its ticket, by the request that browsers make", async () => {
  const ticket = await ticketOfSearch(ana);
  expect(await upload(ana, ticket)).toEqual({ code: 200, data: {} });
  await world.search(bo);
  expect(await openedAs(ana, bo)).toBe("clear");
});

test("rejects a forged ticket, or another user's", async () => {
  const [mine, theirs] = [await ticketOfSearch(ana), await ticketOfSearch(bo)];
  for (const ticket of ["x", randomBytes(16).toString("base64url"), theirs.ticket]) {
    expect(await upload(ana, { ticket })).toEqual(badTicket);
  }
  expect(await upload(cem, mine)).toEqual(notAsked);
  expect(world.frames.questions).toEqual([]);
  expect(await openedAs(ana, bo)).toBe("checking");
});

test("accepts a ticket once, and not after its time", async () => {
  const ticket = await ticketOfSearch(ana);
  expect((await upload(ana, { ...ticket, file: pictureThat({ explicit: 0.9 }) })).code).toBe(200);
  expect(await upload(ana, ticket)).toEqual(badTicket);
  world.clock.advance(3_000);
  const [late] = world.tickets(ana);
  world.clock.advance(15_000);
  expect(await upload(ana, late!)).toEqual(badTicket);
  await world.search(bo);
  expect(await openedAs(ana, bo)).toBe("checking");
});

test("separates tickets of a search from those of a room", async () => {
  const ofSearch = await ticketOfSearch(ana);
  await world.search(bo);
  const roomId = await world.meet(ana, bo);
  const [ofRoom] = world.tickets(ana).filter((each) => each.roomId === roomId);
  expect(await upload(ana, { ...ofSearch, roomId })).toEqual(badTicket);
  expect(await upload(ana, ofSearch)).toEqual(notAsked);
  expect(await upload(ana, { ...ofRoom, roomId: "" })).toEqual(notAsked);
  expect(world.frames.questions).toEqual([]);
  expect((await upload(ana, ofRoom!)).code).toBe(200);
});

test("rejects what is no picture, and counts it so", async () => {
  const ticket = await ticketOfSearch(ana);
  const page = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from("<html>")]);
  expect(await upload(ana, { ...ticket, file: randomBytes(4_000) })).toMatchObject({
    code: 400,
    data: { field: "frame" },
  });
  expect(await upload(ana, { ...ticket, file: page })).toMatchObject({ code: 400, data: { field: "frame" } });
  expect(await upload(ana, ticket)).toEqual(badTicket);
  expect(world.inspection.search.figures).toMatchObject({ judged: 0, unreadable: 2 });
});

test("ignores a verdict that arrives after the match or in a later search", async () => {
  const ticket = await ticketOfSearch(ana);
  await world.search(bo);
  const release: (() => void)[] = [];
  world.frames.before = () => new Promise((resolve) => void release.push(resolve));
  const taken = world.inspection.take(ana, { ...ticket, bytes: pictureThat() });
  world.matches.stop(ana);
  await world.search(ana);
  for (const go of release.splice(0)) go();
  await taken;
  world.frames.before = async () => {};
  expect(await openedAs(ana, bo)).toBe("checking");
});

test.each([
  [9_100, "clear"],
  [9_101, "checking"],
] as const)(
  "[SAFE-82] counts a clean frame for 15 s from its request, however late it arrived: %s ms after it",
  async (laterMs, expected) => {
    const ticket = await ticketOfSearch(ana);
    await world.search(bo);
    world.clock.advance(5_900);
    expect((await upload(ana, ticket)).code).toBe(200);
    world.clock.advance(laterMs);
    expect(await openedAs(ana, bo)).toBe(expected);
  },
);

test("hides video that was clean in the search and explicit in the call with its first verdict, within seconds, with evidence", async () => {
  const explicit = new Map([[ana, { explicit: 0.95 }]]);
  const exposed: number[] = [];
  world.inspection.onExposed((ms) => exposed.push(ms));
  const roomId = await world.inClearCall(ana, bo);
  expect(world.shields(bo).at(-1)).toBe("clear/clear");
  const matchedMs = world.clock.monotonicMs();
  for (let own; !own; world.clock.advance(10)) {
    own = world.tickets(ana).find(({ view }) => view === "own");
    if (!own) continue;
    const beforeMs = world.clock.monotonicMs();
    expect((await upload(ana, { ...own, file: pictureThat({ explicit: 0.95 }) })).code).toBe(200);
    // In the same turn as the verdict.
    expect(world.shields(bo)).toEqual(["hidden/clear"]);
    expect(world.clock.monotonicMs()).toBe(beforeMs);
  }
  expect(world.clock.monotonicMs() - matchedMs).toBeLessThanOrEqual(3_010);
  expect(exposed).toHaveLength(1);
  expect(exposed[0]).toBeLessThanOrEqual(3_010);
  await world.pass(10_000, explicit);
  await world.inspection.settled();
  expect(world.calls.isIn(ana, roomId)).toBe(false);
  const [signal] = world.moderation.suspended;
  expect(signal).toMatchObject({ subjectId: ana, callId: roomId });
  expect(signal?.evidence.filter((item) => item.kind === "frame" && item.view === "own")).toHaveLength(3);
});

test("hides a client that sends clean own frames by what the partner receives", async () => {
  await world.inClearCall(ana, bo);
  world.shields(bo);
  for (let passedMs = 0; passedMs < 3_100; passedMs += 10) {
    world.clock.advance(10);
    await world.answer(ana);
    await world.answer(bo, {}, { explicit: 0.95 });
  }
  expect(world.shields(bo)[0]).toBe("hidden/clear");
});

test.each([
  ["is missed", async () => world.clock.advance(9_000)],
  ["is dark", () => world.pass(4_000, new Map([[ana, { luma: 3 }]]))],
])("covers video that opened clear again if the first frame of the call %s", async (_, first) => {
  await world.inClearCall(ana, bo);
  world.shields(bo);
  await first();
  expect(world.shields(bo)[0]?.split("/")[0]).toBe("checking");
});

test("tolerates a dark or missing frame once one frame of the call has passed", async () => {
  await world.inClearCall(ana, bo);
  await world.pass(4_000);
  world.shields(bo);
  await world.pass(14_000, new Map([[ana, { luma: 3 }]]));
  expect(world.shields(bo)).toEqual([]);
});
