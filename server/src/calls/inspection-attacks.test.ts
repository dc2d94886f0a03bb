import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { endpoints } from "@fava/wire/endpoints.ts";
import { inspectedFrame } from "@fava/wire/limits.ts";
import { DatabaseUnavailableError } from "#db/unavailable.ts";
import type { Limits } from "#ports/rate-limits.ts";
import { pictureThat } from "#test/fakes/scripted-frames.ts";
import { callerOf, type Edge, liveAna, openEdge } from "#test/fixtures/edge.ts";
import { type Inspect, InspectionWorld } from "#test/fixtures/inspection-world.ts";
import { type Caller, signedUpload } from "#test/fixtures/signed-call.ts";
import { frameHandlers } from "./frame-routes.ts";

const [ana, bo, cem, dia] = [1n, 2n, 3n, 4n];
const badTicket = { code: 400, data: { field: "ticket" } };
const badFrame = { code: 400, data: { field: "frame" } };
const notInRoom = { code: 403, data: { reason: "not_in_room" } };

let world: InspectionWorld;
let edge: Edge;
let room: string;
beforeEach(async () => {
  world = new InspectionWorld();
  room = await world.inCall(ana, bo);
  edge = await openEdge(frameHandlers(world.inspection, world.clock));
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

async function upload(userId: bigint, sent: Partial<Inspect> & { file?: Uint8Array }) {
  const { roomId = room, ticket = "", file = pictureThat() } = sent;
  const input = { user_id: Number(userId), room_id: roomId, ticket };
  const { code, data } = await signedUpload(callerOf(edge, userId), endpoints.videoInspect, { input, file });
  return { code, data };
}

/** Expects no consequence for any user, and that no frame was judged or missed. */
function expectUntouched(): void {
  expect(world.frames.questions).toEqual([]);
  expect([world.shields(ana), world.shields(bo)]).toEqual([["checking/checking"], ["checking/checking"]]);
  expect(world.inspection.figures).toMatchObject({ judged: 0, missed: 0, unreadable: 0, memoryBytes: 0 });
}

const noneUnjudged = { late: 0, no_ticket: 0, unreadable: 0, busy: 0, failed: 0, overtaken: 0 };

const ticketOf = (userId: bigint): Inspect => {
  const ticket = world.tickets(userId).find(({ view }) => view === "own");
  if (!ticket) throw new Error("no ticket");
  return ticket;
};

test("[SAFE-35] accepts a frame with its ticket, by the request that browsers make", async () => {
  expect(await upload(ana, ticketOf(ana))).toEqual({ code: 200, data: {} });
  expect(world.shields(bo)).toEqual(["checking/checking", "clear/checking"]);
});

test("[SAFE-35] rejects a forged ticket", async () => {
  for (const ticket of ["x", randomBytes(16).toString("base64url"), "own", "null"]) {
    expect(await upload(ana, { ticket })).toEqual(badTicket);
  }
  expectUntouched();
});

test("[SAFE-35] accepts a ticket once, also late, and not after 15 s", async () => {
  const ticket = ticketOf(ana);
  expect((await upload(ana, ticket)).code).toBe(200);
  expect(await upload(ana, { ...ticket, file: pictureThat({ explicit: 0.9 }) })).toEqual(badTicket);
  expect(world.shields(bo).at(-1)).toBe("clear/checking");
  const late = ticketOf(bo);
  world.clock.advance(15_000);
  expect((await upload(bo, late)).code).toBe(200);
  expect(await upload(bo, late)).toEqual(badTicket);
  expect(world.shields(bo).at(-1)).toBe("clear/clear");
  await world.settled();
  world.tickets(bo);
  world.clock.advance(12_000);
  const tooLate = ticketOf(bo);
  world.clock.advance(15_001);
  expect(await upload(bo, tooLate)).toEqual(badTicket);
  expect(await upload(bo, { ticket: "x" })).toEqual(badTicket);
  const { judged, unjudged } = world.inspection.figures;
  expect([judged, unjudged]).toEqual([2, { ...noneUnjudged, late: 1, no_ticket: 3 }]);
});

test("[SAFE-500] does not judge a frame of before the camera was switched off", async () => {
  const { ticket } = ticketOf(ana);
  world.clock.advance(7_000);
  const roomToken = world.calls.current(ana)?.match.token ?? "";
  for (const state of ["camera_off", "camera_on"] as const)
    world.matches.roomMessage(ana, { type: "media", roomId: room, roomToken, state });
  expect(await upload(ana, { ticket })).toEqual(badTicket);
  expect(world.inspection.figures.judged).toBe(0);
});

test("[SAFE-35] binds a ticket to one user, one room and one view", async () => {
  const [mine, theirs] = [ticketOf(ana), ticketOf(bo)];
  const elsewhere = await world.inCall(cem, dia);
  expect(await upload(ana, theirs)).toEqual(badTicket);
  expect(await upload(cem, mine)).toEqual(notInRoom);
  expect(await upload(cem, { ...mine, roomId: elsewhere })).toEqual(badTicket);
  expect(await upload(ana, { ...mine, roomId: elsewhere })).toEqual(notInRoom);
  expect(await upload(ana, { ...mine, roomId: "no such room" })).toEqual(notInRoom);
  expectUntouched();
  world.matches.stop(ana);
  expect(await upload(bo, theirs)).toEqual(notInRoom);
});

test("[SAFE-35] rejects uploads for another user, or without a session", async () => {
  const ticket = ticketOf(ana);
  const input = { user_id: Number(ana), room_id: room, ticket: ticket.ticket };
  const asAna = (caller: Caller) => signedUpload(caller, endpoints.videoInspect, { input, file: pictureThat() });
  expect((await asAna(callerOf(edge, bo))).code).toBe(403);
  expect((await asAna(edge.visitor)).code).toBe(404);
  expectUntouched();
});

test("rejects too many bytes before reading them as a frame", async () => {
  const ticket = ticketOf(ana);
  const oversize = Buffer.concat([pictureThat(), Buffer.alloc(inspectedFrame.bytesMax)]);
  expect((await upload(ana, { ...ticket, file: oversize })).code).toBe(413);
  expectUntouched();
  expect((await upload(ana, ticket)).code).toBe(200);
});

test.each([
  ["noise", randomBytes(4_000)],
  ["a page", Buffer.from("<!doctype html><script>alert(1)</script>")],
  ["a drawing with a script", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")],
  ["a PNG", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ["a page that begins like a JPEG", Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from("<html>")])],
])("rejects %s without using up the ticket, and ends the call as without any frame", async (_what, file) => {
  await world.answer(bo);
  const ticket = ticketOf(ana);
  for (let times = 1; times <= 3; times += 1) expect(await upload(ana, { ...ticket, file })).toEqual(badFrame);
  expect(world.inspection.figures).toMatchObject({ unreadable: 3, missed: 0 });
  expect(world.shields(bo).at(-1)).toBe("checking/clear");
  expect((await upload(ana, ticket)).code).toBe(200);
  expect(world.shields(bo).at(-1)).toBe("clear/clear");
  expect(await upload(ana, ticket)).toEqual(badTicket);
  while (world.calls.isIn(ana, room)) {
    world.clock.advance(500);
    await world.answer(bo);
    for (const next of world.tickets(ana)) expect(await upload(ana, { ...next, file })).toEqual(badFrame);
  }
  const { missed, endedUnchecked } = world.inspection.figures;
  expect([missed > 3, endedUnchecked]).toMatchObject([true, { late: 0, none: 1, black: 0, covered: 0, ours: 0 }]);
  expect(world.log.calls.get(room)?.endReason).toBe("unchecked");
  const { items } = world.inspection.of({ subjectId: ana, otherId: bo, callId: room }, () => {});
  expect(items.filter((item) => item.kind === "frame" && item.view === "own")).toHaveLength(1);
});

test("does not hold a user responsible for frames that the classifier fails to judge", async () => {
  const ticket = ticketOf(ana);
  world.frames.before = async () => {
    throw new Error("the worker died");
  };
  expect((await upload(ana, ticket)).code).toBe(200);
  world.frames.isUp = false;
  expect((await upload(bo, ticketOf(bo))).code).toBe(200);
  expect(world.inspection.figures).toMatchObject({ unreadable: 0, unjudged: { ...noneUnjudged, failed: 2 } });
  world.frames.isUp = true;
  world.frames.before = async () => {};
  world.clock.advance(2_000);
  expect((await upload(ana, ticketOf(ana))).code).toBe(200);
  expect(world.inspection.figures).toMatchObject({ judged: 1, missed: 0 });
});

test("judges the newest of frames that arrive faster than they are judged, and holds at most two", async () => {
  await world.answer(bo);
  world.frames.questions.length = 0;
  const release: (() => void)[] = [];
  world.frames.before = () => new Promise((resolve) => void release.push(resolve));
  const taken: Promise<void>[] = [];
  for (const explicit of [0.1, 0.9, 0.2]) {
    if (taken.length > 0) world.clock.advance(12_000);
    const { ticket } = ticketOf(ana);
    taken.push(world.inspection.take(ana, { roomId: room, ticket, bytes: pictureThat({ explicit }) }));
    await world.settled();
  }
  for (let times = 0; times < 3; times += 1) {
    for (const go of release.splice(0)) go();
    await world.settled();
  }
  await Promise.all(taken);
  expect(world.frames.questions).toHaveLength(2);
  const { items } = world.inspection.of({ subjectId: ana, otherId: bo, callId: room }, () => {});
  expect(items.map((item) => item.kind === "frame" && item.facts.explicit)).toEqual([0.1, 0.2]);
});

test("limits a flood of frames by a limit of its own", async () => {
  const taken: string[] = [];
  const limits: Limits = {
    take: async (limit, key) => {
      taken.push(`${limit} ${key}`);
      return limit === "inspectByUser" && taken.filter((each) => each.startsWith("inspect")).length > 2 ? 30 : null;
    },
    waitSeconds: async () => null,
  };
  const limited = await openEdge(frameHandlers(world.inspection, world.clock), { limits });
  const input = { user_id: Number(ana), room_id: room, ticket: "x" };
  const once = () => signedUpload(limited.ana, endpoints.videoInspect, { input, file: pictureThat() });
  expect([(await once()).code, (await once()).code]).toEqual([400, 400]);
  expect(await once()).toMatchObject({ code: 429, data: { retry_after: 30 } });
  expect(taken).toContain("inspectByUser 1");
  expectUntouched();
});

test("[SAFE-509] keeps a call while the server answers 503 to its frames, and ends it for silence afterwards", async () => {
  let isAway = true;
  const failing = await openEdge(frameHandlers(world.inspection, world.clock), {
    authenticate: async () => {
      if (isAway) throw new DatabaseUnavailableError("away");
      return { ...liveAna };
    },
    frameFailed: () => world.inspection.frameFailed(),
  });
  const passSeconds = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      world.clock.advance(1_000);
      await world.settled();
      await world.answer(bo);
      if (!isAway) continue;
      for (const { roomId, ticket } of world.tickets(ana)) {
        const input = { user_id: Number(ana), room_id: roomId, ticket };
        const answer = await signedUpload(failing.ana, endpoints.videoInspect, { input, file: pictureThat() });
        expect(answer.code).toBe(503);
      }
    }
  };
  await passSeconds(120);
  expect([world.calls.isIn(ana, room), world.shields(bo).at(-1)]).toEqual([true, "checking/clear"]);
  isAway = false;
  await passSeconds(60);
  expect(world.calls.isIn(ana, room)).toBe(false);
});

test.each([
  ["clean pictures take it away again", {}, ["doubted", "shown"]],
  ["an explicit one confirms it", { explicit: 0.7 }, ["doubted", "hidden"]],
])(
  "hides a doubtful video by a frame that the partner received, until an own frame is inspected: %s",
  async (_, own, expected) => {
    await world.answer(ana);
    await world.answer(bo);
    const facts: string[] = [];
    world.consumers.push({
      onRoomEvent: (event) => {
        if (event.kind !== "line" && event.kind !== "looked" && event.side && event.people[event.side].userId === bo)
          facts.push(event.kind);
      },
    });
    for (let steps = 0; steps < 300 && facts.length < expected.length; steps += 1) {
      world.clock.advance(500);
      await world.settled();
      await world.answer(ana, {}, facts.length === 0 ? { explicit: 0.95 } : {});
      await world.answer(bo, facts.length === 0 ? {} : own);
    }
    expect(facts).toEqual(expected);
  },
);
