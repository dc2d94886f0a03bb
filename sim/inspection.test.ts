import { expect, test } from "vitest";
import { seeds } from "@fava/wire/testing/depth.ts";
import type { FrameVerdict } from "@fava/server/ports/frame-classifier.ts";
import { seededRandom } from "@fava/server/test/fakes/random.ts";
import { pictureThat } from "@fava/server/test/fakes/scripted-frames.ts";
import { InspectionWorld } from "@fava/server/test/fixtures/inspection-world.ts";

const roomsCount = 20;
const seconds = 240;

/** The behaviour of a simulated person for the whole time. */
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

/** Simultaneous calls of people of every kind; browsers sometimes lose their sockets. */
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
  test(`treats each user of many calls as their own frames say (seed ${seed})`, async () => {
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
    // Most calls last long enough for several inspections.
    expect(figures.judged).toBeGreaterThan(roomsCount * 10);
    await world[Symbol.asyncDispose]();
    expect(world.inspection.figures.memoryBytes).toBe(0);
    expect(world.clock.pendingCount).toBe(0);
  }, 60_000);
}

const searchersCount = 12;
const searchStepMs = 250;
const searchKinds = [
  "clean",
  "clean",
  "clean",
  "switching",
  "dark",
  "unsure",
  "silent",
  "toggling",
  "untold",
  "new",
] as const;
type SearchKind = (typeof searchKinds)[number];

/** What a person of this kind shows during a search, or in a call. */
function shownBy(kind: SearchKind, isInCall: boolean, roll: number): Partial<FrameVerdict> {
  if (kind === "dark") return { luma: 4 };
  if (kind === "unsure") return { explicit: roll < 3 ? 0.7 : 0.2 };
  return kind === "switching" && isInCall ? { explicit: 0.9 } : {};
}

/** People who search, meet, leave and search again; some reload, lose their sockets or switch the camera meanwhile. */
class SearchSimulation {
  readonly world: InspectionWorld;
  readonly problems: string[] = [];
  readonly #random: ReturnType<typeof seededRandom>;
  readonly #kindOf = new Map<bigint, SearchKind>();
  /** When the server asked for the newest clean frame of the person's current page, as far as the person knows. */
  readonly #cleanMs = new Map<bigint, number>();
  /** Sides that opened clear and were not asked since, as `room person`, with the time of the match. */
  readonly #unasked = new Map<string, { roomId: string; userId: bigint; matchedMs: number }>();

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.world = new InspectionWorld({ seed });
    this.world.consumers.push({
      onRoomEvent: (event) => {
        if (event.kind !== "matched") return;
        const [one, other] = [event.people.offerer.userId, event.people.answerer.userId];
        this.#opened(event.id, one, other);
        this.#opened(event.id, other, one);
      },
    });
  }

  async run(steps: number): Promise<void> {
    for (let number = 1; number <= searchersCount; number += 1) {
      const kind = searchKinds[this.#random.integer(0, searchKinds.length - 1)] ?? "clean";
      this.#kindOf.set(BigInt(number), kind);
      if (kind === "new") this.world.restrictions.set(BigInt(number), { startsCovered: true });
      await this.world.arrive(BigInt(number));
    }
    for (let step = 0; step < steps; step += 1) {
      this.world.clock.advance(searchStepMs);
      await this.world.settled();
      for (const [userId, kind] of this.#kindOf) await this.#live(userId, kind);
      for (const [key, { roomId, userId, matchedMs }] of this.#unasked) {
        if (this.world.clock.monotonicMs() - matchedMs <= 3_000) continue;
        if (this.world.calls.isIn(userId, roomId)) this.problems.push(`${userId} opened clear and was not asked`);
        this.#unasked.delete(key);
      }
    }
  }

  #chance(oneIn: number): boolean {
    return this.#random.integer(1, oneIn) === 1;
  }

  #opened(roomId: string, userId: bigint, otherId: bigint): void {
    if (this.world.shields(otherId).at(-1)?.split("/")[0] !== "clear") return;
    const matchedMs = this.world.clock.monotonicMs();
    const kind = this.#kindOf.get(userId);
    const cleanMs = this.#cleanMs.get(userId);
    if (kind === "new" || kind === "untold") this.problems.push(`${userId}, ${kind}, opened clear`);
    if (cleanMs === undefined) this.problems.push(`${userId} opened clear without a clean look of this page`);
    else if (matchedMs - cleanMs > 15_000) this.problems.push(`${userId} opened clear by an old look`);
    this.#unasked.set(`${roomId} ${userId}`, { roomId, userId, matchedMs });
  }

  /** Another page, socket or camera: earlier frames no longer count. */
  #forget(userId: bigint): void {
    this.#cleanMs.delete(userId);
    for (const [key, unasked] of this.#unasked) if (unasked.userId === userId) this.#unasked.delete(key);
  }

  async #live(userId: bigint, kind: SearchKind): Promise<void> {
    const { bus, matches, inspection } = this.world;
    if (!bus.isHere(userId)) bus.arrive(userId);
    if (!bus.isLive(userId)) {
      if (this.#chance(4)) bus.resume(userId);
      return;
    }
    if (this.#chance(300)) {
      this.#forget(userId);
      return bus.close(userId, this.#chance(2) ? 1006 : 4007);
    }
    const { status } = matches.info(userId);
    const checks = kind !== "untold";
    if (status === 0 && this.#chance(3)) await this.world.search(userId, { checks });
    if (status === 2) this.world.playing(userId);
    if (status >= 2 && this.#chance(40)) {
      if (this.#chance(3)) matches.stop(userId);
      else await this.world.search(userId, { checks });
    }
    if (status === 1 && this.#chance(60)) await this.world.search(userId, { checks, refresh: true });
    if (status === 1 && kind === "toggling" && this.#chance(10)) {
      this.#forget(userId);
      inspection.search.searchMedia(userId, "camera_off");
      inspection.search.searchMedia(userId, "camera_on");
    }
    await this.#answer(userId, kind);
  }

  async #answer(userId: bigint, kind: SearchKind): Promise<void> {
    for (const ticket of this.world.tickets(userId)) {
      const isInCall = ticket.roomId !== "";
      const isOwn = ticket.view === "own";
      if (isOwn && isInCall) this.#unasked.delete(`${ticket.roomId} ${userId}`);
      if (!isInCall && (kind === "untold" || kind === "new")) this.problems.push(`${userId}, ${kind}, was asked`);
      if (kind === "silent" || this.#chance(20)) continue;
      const says = isOwn ? shownBy(kind, isInCall, this.#random.integer(0, 9)) : {};
      const askedMs = this.world.clock.monotonicMs();
      const isTaken = await this.world.upload(userId, ticket, pictureThat(says)).then(
        () => true,
        // The search or the call of the ticket may be over.
        () => false,
      );
      if (!isTaken || !isOwn) continue;
      if (Object.keys(says).length === 0 || says.explicit === 0.2) this.#cleanMs.set(userId, askedMs);
      else this.#cleanMs.delete(userId);
    }
  }
}

for (const seed of seeds(3)) {
  test(`starts video clear only after a clean look of that page in the last 15 s, and looks again within 3 s (seed ${seed})`, async () => {
    const simulation = new SearchSimulation(seed);
    const { world } = simulation;
    await simulation.run(1_200);
    expect(simulation.problems).toEqual([]);
    const { openedClear, openedCovered, searchJudged } = world.inspection.figures;
    expect(openedClear).toBeGreaterThan(20);
    expect(openedCovered).toBeGreaterThan(20);
    expect(searchJudged).toBeGreaterThan(20);
    await world[Symbol.asyncDispose]();
    expect(world.inspection.search.size).toBe(0);
    expect(world.clock.pendingCount).toBe(0);
  }, 60_000);
}
