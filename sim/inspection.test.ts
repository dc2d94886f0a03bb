import { expect, test } from "vitest";
import { seeds } from "@fava/wire/testing/depth.ts";
import type { FrameVerdict } from "@fava/server/ports/frame-classifier.ts";
import { seededRandom } from "@fava/server/test/fakes/random.ts";
import { pictureThat } from "@fava/server/test/fakes/scripted-frames.ts";
import { InspectionWorld } from "@fava/server/test/fixtures/inspection-world.ts";

const roomsCount = 20;
const seconds = 240;

/** How a simulated person behaves the whole time. */
const kinds = ["clean", "clean", "clean", "explicit", "unsure", "silent", "garbage", "dark", "flaky"] as const;
type Kind = (typeof kinds)[number];

function pictureOf(kind: Kind, roll: number): Buffer {
  const says: { [Of in Kind]?: Partial<FrameVerdict> } = {
    explicit: { explicit: 0.9 },
    unsure: { explicit: roll < 8 ? 0.7 : 0.3 },
    dark: { luma: 4 },
    flaky: { explicit: roll < 2 ? 0.85 : 0.1 },
  };
  return kind === "garbage" ? Buffer.from("garbage") : pictureThat(says[kind]);
}

/** Many calls of people of every kind at once; browsers lose their sockets now and then. */
async function simulate(seed: number) {
  const random = seededRandom(seed);
  const world = new InspectionWorld({ seed });
  const rooms = new Map<string, readonly [bigint, bigint]>();
  const kindOf = new Map<bigint, Kind>();
  const shownOf = new Map<bigint, string>();
  const problems: string[] = [];
  const cleanOf = new Set<bigint>();
  for (let number = 0; number < roomsCount; number += 1) {
    const pair = [BigInt(2 * number + 1), BigInt(2 * number + 2)] as const;
    for (const userId of pair) kindOf.set(userId, kinds[random.integer(0, kinds.length - 1)] ?? "clean");
    rooms.set(await world.inCall(...pair), pair);
  }
  for (let second = 0; second < seconds; second += 1) {
    world.clock.advance(random.integer(900, 1_100));
    await world.settled();
    for (const [roomId, pair] of rooms) {
      for (const userId of pair) {
        if (!world.calls.isIn(userId, roomId)) continue;
        if (world.bus.isLive(userId) ? random.integer(1, 200) === 1 : random.integer(1, 3) === 1) {
          if (world.bus.isLive(userId)) world.bus.close(userId, 1006);
          else world.bus.resume(userId);
        }
        for (const ticket of world.tickets(userId)) {
          const from = ticket.view === "own" ? userId : pair.find((other) => other !== userId);
          const kind = kindOf.get(from ?? userId) ?? "clean";
          if (kindOf.get(userId) === "silent" || !world.calls.isIn(userId, roomId)) continue;
          const bytes = pictureOf(kind, random.integer(0, 9));
          if (ticket.view === "own" && kind !== "dark" && kind !== "garbage") cleanOf.add(userId);
          await world.upload(userId, ticket, bytes).catch((error: unknown) => {
            if (kind !== "garbage") problems.push(`${userId} ${kind}: ${String(error)}`);
          });
        }
      }
      for (const [at, userId] of pair.entries()) {
        const other = pair[1 - at] ?? userId;
        for (const shield of world.shields(userId)) {
          const shown = shield.split("/")[0] ?? "";
          if (shown === "clear" && !cleanOf.has(other)) problems.push(`${other} was shown unchecked`);
          shownOf.set(other, shown);
        }
      }
    }
  }
  await world.inspection.settled();
  const outcome = { world, rooms, kindOf, shownOf, problems };
  return outcome;
}

for (const seed of seeds(3)) {
  test(`[SAFE-34] many calls of people of every kind: each is treated as its own pictures say (seed ${seed})`, async () => {
    const { world, rooms, kindOf, shownOf, problems } = await simulate(seed);
    expect(problems).toEqual([]);
    const suspended = new Set(world.moderation.suspended.map(({ subjectId }) => subjectId));
    for (const userId of suspended) expect(["explicit", "flaky"]).toContain(kindOf.get(userId));
    const treatedWrongly = [...rooms].flatMap(([roomId, pair]) => {
      const reason = world.log.calls.get(roomId)?.endReason ?? null;
      const here = pair.map((userId) => kindOf.get(userId) ?? "clean");
      const isClean = here.every((kind) => kind === "clean");
      const isHopeless = here.some((kind) => ["explicit", "silent", "garbage", "dark"].includes(kind));
      const wrongs = [
        isClean && reason !== null && reason !== "lost" && "ended without a cause",
        isClean &&
          reason === null &&
          pair.some((userId) => shownOf.get(userId) !== "clear") &&
          "hidden without a cause",
        isHopeless && reason === null && "goes on",
        reason === "violation" && !pair.some((userId) => suspended.has(userId)) && "cut without a suspension",
        here.includes("explicit") && here.includes("clean") && reason === "unchecked" && "not suspended",
      ];
      return wrongs.flatMap((wrong) => (wrong === false ? [] : [`${here.join(" and ")}: ${wrong}`]));
    });
    expect(treatedWrongly).toEqual([]);
    const { figures } = world.inspection;
    // Most calls go on for long enough to be looked at again and again.
    expect(figures.judged).toBeGreaterThan(roomsCount * 10);
    await world[Symbol.asyncDispose]();
    expect(world.inspection.figures.memoryBytes).toBe(0);
    expect(world.clock.pendingCount).toBe(0);
  }, 60_000);
}
