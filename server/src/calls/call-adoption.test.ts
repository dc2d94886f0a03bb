import { pino } from "pino";
import { Registry } from "prom-client";
import { beforeEach, expect, test, vi } from "vitest";
import { serverLostGiveUpMs } from "@fava/wire/limits.ts";
import { takeOverMetrics } from "./call-metrics.ts";
import { MatchWorld } from "#test/fixtures/match-world.ts";
import { unrestricted } from "#test/fixtures/matched.ts";
import { CallAdoption } from "./call-adoption.ts";
import type { WrittenCall } from "./room-claims.ts";

const [ana, bo] = [1n, 2n];
const liveForMs = 40_000;
let world: MatchWorld;
let call: WrittenCall;

beforeEach(async () => {
  world = new MatchWorld();
  for (const userId of [ana, bo]) await world.arrive(userId);
  const at = new Date(world.clock.nowMs() - liveForMs);
  call = {
    id: "r1",
    offerer_id: ana,
    answerer_id: bo,
    offerer_price: 0,
    answerer_price: 0,
    offerer_language: "tr",
    answerer_language: "en",
    matched_at: at,
    connected_at: at,
    is_blocked: false,
  };
  world.log.calls.set(call.id, {} as never);
});

type Place = "coming" | "elsewhere" | "taken" | "awaited";

/** Adopts the call. `places`: where the users are found; `found`: records the call that each of them is sent to. */
async function goOn(change: Partial<WrittenCall> = {}, places?: ReadonlyMap<bigint, Place>, found: unknown[] = []) {
  const { calls, matches, people, clock } = world;
  await using adoption = new CallAdoption({
    runningCalls: { written: async () => [{ ...call, ...change }] },
    calls,
    matches,
    callHere: places
      ? async (...call) => {
          found.push(call);
          return places.get(call[0]) ?? "awaited";
        }
      : null,
    people,
    gate: { restrictionsOf: async () => unrestricted },
    availableBalances: { spendable: async () => ({ have: 0n, limit: "balance" }) },
    clock,
    logger: pino({ level: "silent" }),
  });
  return (await adoption.goOn([{ id: "r1", epoch: 2 }])).get("r1");
}

test("[CALL-130] continues a live call in a room with the same id, which its users join as they return", async () => {
  expect(await goOn()).toBe("goes on");
  expect(world.matches.info(ana)).toMatchObject({ status: 3, match: { roomId: "r1", user_Id: 2 } });
  expect(world.calls.current(bo)?.match.remote).toMatchObject({ country_name: "18 in en", nickname: "person 1" });
  expect([world.took(ana), world.took(bo)]).toEqual([[], []]);
  world.calls.join(bo, "r1");
  expect(world.took(bo)).toEqual([]);
  world.calls.join(ana, "r1");
  for (const userId of [ana, bo]) {
    const [push] = world.took(userId).filter((told) => "code" in told);
    expect(push).toMatchObject({ code: 100_001, roomId: "r1", returned: { live_ms: liveForMs } });
    const { returned } = push as { returned: { generation: number } };
    // Above every generation that the previous server may have used for its connections.
    expect(returned.generation).toBeGreaterThan(6_000);
  }
});

test("[CALL-130] does not continue a match that was never live, or a call of two users of whom one blocked the other", async () => {
  expect(await goOn({ connected_at: null })).toBe("not_joined");
  expect(await goOn({ is_blocked: true })).toBe("left");
  expect(world.calls.roomCount).toBe(0);
});

test("[CALL-130] does not bring back a user who searches by now, at this server or at their home", async () => {
  await world.start(ana);
  expect(await goOn()).toBe("left");
  world.matches.stop(ana);
  expect(await goOn({}, new Map([[bo, "elsewhere"]]))).toBe("goes on");
  await vi.waitFor(() => expect(world.calls.roomCount).toBe(0));
  expect(world.took(ana)).toContainEqual({ code: 100_002, roomId: "r1", reason: "left" });
});

test("[CALL-130] asks the homes of both users to send their pages here, and awaits them meanwhile", async () => {
  const found: unknown[] = [];
  expect(await goOn({}, new Map([[ana, "coming"]]), found)).toBe("goes on");
  await vi.waitFor(() =>
    expect(found).toEqual([
      [ana, "r1", 2],
      [bo, "r1", 2],
    ]),
  );
  for (const userId of [ana, bo]) expect(world.calls.current(userId)?.returnLeftMs).toBe(serverLostGiveUpMs);
  world.calls.stayed(ana, "r1");
  expect(world.calls.current(ana)?.returnLeftMs).toBeNull();
  world.calls.join(bo, "r1");
  expect(world.took(ana)).toContainEqual(expect.objectContaining({ code: 100_001, roomId: "r1" }));
});

test("ends a call to which no user returns in time as a restart", async () => {
  await goOn();
  world.calls.join(ana, "r1");
  world.clock.advance(serverLostGiveUpMs);
  expect(world.took(ana)).toContainEqual({ code: 100_002, roomId: "r1", reason: "restart" });
  expect(world.log.calls.get("r1")?.endReason).toBe("restart");
});

test("counts continued and ended calls of dead servers, and what they cost the site", async () => {
  const metrics = new Registry();
  const figures = { adopted: 3, ended: 2, credited: 1_600n, minutesGiven: 4 };
  takeOverMetrics(metrics, { calls: { fenced: 5 }, recovery: { figures } });
  const lines = (await metrics.metrics()).split("\n").filter((line) => line.startsWith("fava_"));
  expect(lines).toEqual([
    "fava_rooms_adopted_total 3",
    "fava_rooms_left_over_total 2",
    "fava_rooms_fenced_total 5",
    "fava_minutes_given_total 4",
    "fava_left_over_beans_total 1600",
  ]);
});

test("[CALL-131] tells the users nothing when another server owns the call", async () => {
  await goOn();
  // A server with an older epoch does not take the call away.
  world.calls.takenOver(ana, "r1", { server: "other", epoch: 2 });
  expect(world.calls.roomCount).toBe(1);
  world.calls.takenOver(ana, "r1", { server: "other", epoch: 3 });
  expect([world.took(ana), world.took(bo)]).toEqual([[], []]);
  expect([world.calls.roomCount, world.calls.fenced]).toEqual([0, 1]);
});

test("[CALL-131] gives up a call silently if a user's home is a later owner of it", async () => {
  expect(await goOn({}, new Map([[bo, "taken"]]))).toBe("goes on");
  await vi.waitFor(() => expect(world.calls.roomCount).toBe(0));
  expect([world.took(ana), world.took(bo), world.calls.fenced]).toEqual([[], [], 1]);
});
