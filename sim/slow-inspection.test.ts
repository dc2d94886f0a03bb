import { describe, expect, test } from "vitest";
import { seeds } from "@fava/wire/testing/depth.ts";
import {
  type FrameWorker,
  type FrameWorkerListener,
  OnnxClassifier,
} from "@fava/server/adapters/classifier/onnx/onnx-classifier.ts";
import type { FrameVerdict } from "@fava/server/ports/frame-classifier.ts";
import type { TestClock } from "@fava/server/test/fakes/clock.ts";
import { seededRandom } from "@fava/server/test/fakes/random.ts";
import { pictureThat, verdictIn } from "@fava/server/test/fakes/scripted-frames.ts";
import { type Inspect, InspectionWorld } from "@fava/server/test/fixtures/inspection-world.ts";

const [ana, bo] = [1n, 2n];
const people = [ana, bo] as const;
const stepMs = 250;
const minuteMs = 60_000;

/** A worker that takes `judgeMs` for each picture, on the test clock. */
function slowWorker(clock: TestClock, judgeMs: number, listener: FrameWorkerListener): FrameWorker {
  let verdicts = 0;
  let isEnded = false;
  clock.after(0, () => listener.report({ kind: "ready", engine: "onnx-native" }));
  return {
    send: ({ picture }) => {
      clock.after(0, () => listener.report({ kind: "begun" }));
      clock.after(judgeMs, () => {
        verdicts += 1;
        const verdict = verdictIn(Buffer.from(picture), verdicts);
        if (!isEnded) listener.report({ kind: "judged", verdict, wantsInception: false });
      });
    },
    end: async () => {
      isEnded = true;
    },
  };
}

/** The classifier of the product with one worker. */
function slowClassifier(clock: TestClock, judgeMs: number): OnnxClassifier {
  return new OnnxClassifier({
    settings: {
      workers: 1,
      waitingMax: 250,
      waitMaxMs: 4_000,
      slowWaitMaxMs: 15_000,
      judgeTimeoutMs: { "onnx-native": 2_000, "onnx-wasm": 8_000 },
      judgeTimeoutMaxMs: 30_000,
      judgeTimeoutMedians: 10,
      openTimeoutMs: 60_000,
      stopWaitMs: 2_000,
      auditShare: 0.05,
      openNsfw: "off",
      openNsfwShare: { shadow: 0.25, on: 0.5 },
      readsFaces: false,
    },
    model: "slow 1",
    clock,
    random: seededRandom(5),
    logger: { info: () => undefined, warn: () => undefined },
    spawn: (_holdsInception, listener) => slowWorker(clock, judgeMs, listener),
  });
}

interface SlowCallOptions {
  readonly seed: number;
  readonly judgeMs: number;
  readonly delayMsMax: number;
  /** Share of lost uploads in percent. */
  readonly lostOf100: number;
  /** What a person's frame shows at this time; null: the page sends nothing. */
  readonly shows: (userId: bigint, nowMs: number) => Partial<FrameVerdict> | null;
}

/** A call of two pages that upload slowly, with a slow classifier. */
class SlowCall implements AsyncDisposable {
  readonly world: InspectionWorld;
  readonly refused: string[] = [];
  readonly #options: SlowCallOptions;
  readonly #random: ReturnType<typeof seededRandom>;
  readonly #uploads: { atMs: number; userId: bigint; ticket: Inspect; bytes: Buffer }[] = [];
  #classifier: OnnxClassifier | null = null;
  roomId = "";
  /** How long each person's picture was hidden. */
  readonly coveredMs = new Map<bigint, number>();

  constructor(options: SlowCallOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
    this.world = new InspectionWorld({
      seed: options.seed,
      classifierOf: (clock) => (this.#classifier = slowClassifier(clock, options.judgeMs)),
    });
  }

  async open(): Promise<void> {
    await this.world.settled();
    this.world.clock.advance(1);
    await this.world.settled();
    this.roomId = await this.world.inCall(...people);
  }

  get isOn(): boolean {
    return this.world.calls.isIn(ana, this.roomId);
  }

  /** Runs for `ms`, or until the call is over; returns the milliseconds that passed. */
  async run(ms: number, until: () => boolean = () => !this.isOn): Promise<number> {
    const sinceMs = this.world.clock.monotonicMs();
    const passedMs = () => this.world.clock.monotonicMs() - sinceMs;
    const shown = new Map<bigint, string>();
    while (passedMs() < ms && !until()) {
      for (const userId of people) this.#answer(userId);
      this.world.clock.advance(stepMs);
      this.#send();
      await this.world.settled();
      for (const userId of people) {
        const told = this.world.shields(userId).at(-1);
        if (told !== undefined) shown.set(userId, told);
        const isCovered = !shown.get(userId)?.startsWith("clear");
        if (isCovered) this.coveredMs.set(userId, (this.coveredMs.get(userId) ?? 0) + stepMs);
      }
    }
    return passedMs();
  }

  #answer(userId: bigint): void {
    const nowMs = this.world.clock.monotonicMs();
    for (const ticket of this.world.tickets(userId)) {
      const isOwn = ticket.view === "own";
      const says = this.#options.shows(isOwn ? userId : userId === ana ? bo : ana, nowMs);
      const isSilent = this.#options.shows(userId, nowMs) === null;
      if (isSilent || this.#random.integer(1, 100) <= this.#options.lostOf100) continue;
      const atMs = nowMs + this.#random.integer(0, this.#options.delayMsMax);
      // Each upload has different bytes, so that no two pictures are equal.
      this.#uploads.push({ atMs, userId, ticket, bytes: pictureThat(says ?? {}) });
    }
  }

  #send(): void {
    const nowMs = this.world.clock.monotonicMs();
    const due = this.#uploads.filter(({ atMs }) => atMs <= nowMs);
    for (const upload of due) {
      this.#uploads.splice(this.#uploads.indexOf(upload), 1);
      const { userId, ticket, bytes } = upload;
      if (!this.world.calls.isIn(userId, ticket.roomId)) continue;
      const taken = this.world.inspection.take(userId, { roomId: ticket.roomId, ticket: ticket.ticket, bytes });
      taken.catch((error: unknown) => void this.refused.push(String(error)));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
    const stopped = this.#classifier?.[Symbol.asyncDispose]();
    await this.world.settled();
    this.world.clock.advance(2_000);
    await stopped;
  }
}

const slow = { judgeMs: 5_000, delayMsMax: 8_000, lostOf100: 5 };

describe.each(seeds(3))("seed %s", (seed) => {
  test("ends no call of 30 minutes with uploads up to 8 s late, 5 % of them lost, and 5 s for each verdict", async () => {
    await using call = new SlowCall({ ...slow, seed, shows: () => ({}) });
    await call.open();
    await call.run(30 * minuteMs);
    const { world } = call;
    expect([call.isOn, call.refused, world.moderation.noted, world.missing]).toEqual([true, [], [], []]);
    // Inspections are rare but continue: neither side is covered for most of the time.
    expect(world.inspection.figures.judged).toBeGreaterThan(120);
    for (const userId of people) expect(call.coveredMs.get(userId)).toBeLessThan(3 * minuteMs);
  }, 60_000);

  test("ends the call after 45 s of a page that sends nothing, also where all else is slow", async () => {
    await using call = new SlowCall({ ...slow, seed, shows: (userId) => (userId === bo ? null : {}) });
    await call.open();
    const endedMs = await call.run(5 * minuteMs);
    expect(endedMs).toBeGreaterThanOrEqual(45_000);
    // Meanwhile the worker restarts twice, and time without a worker does not count.
    expect(endedMs).toBeLessThanOrEqual(50_000);
    expect([call.world.missing, call.world.inspection.figures.endedUnchecked.none]).toEqual([[bo], 1]);
  }, 60_000);

  test("hides an explicit video within one interval, and ends the call with the burst", async () => {
    let turnsMs = Infinity;
    const shows = (userId: bigint, nowMs: number) => (userId === bo && nowMs >= turnsMs ? { explicit: 0.95 } : {});
    await using call = new SlowCall({ seed, judgeMs: 30, delayMsMax: 200, lostOf100: 0, shows });
    await call.open();
    await call.run(minuteMs);
    turnsMs = call.world.clock.monotonicMs();
    let last = "clear";
    const hiddenMs = await call.run(minuteMs, () => {
      last = call.world.inspection.figures.hiddenRooms > 0 ? "hidden" : last;
      return last === "hidden" || !call.isOn;
    });
    expect(hiddenMs).toBeLessThanOrEqual(13_000);
    expect(await call.run(minuteMs)).toBeLessThanOrEqual(4_000);
    expect(call.world.log.calls.get(call.roomId)?.endReason).toBe("violation");
  }, 60_000);
});
