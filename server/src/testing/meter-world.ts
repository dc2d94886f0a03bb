import { setImmediate } from "node:timers/promises";
import { pino } from "pino";
import { pushCodes } from "@fava/wire/pushes.ts";
import type { MediaState } from "@fava/wire/socket.ts";
import { DirectMedia } from "#adapters/media/direct-media.ts";
import { MeterService, type MeterServiceOptions } from "#calls/meter-service.ts";
import { MeterWork } from "#calls/meter-store.ts";
import { CallService } from "#calls/room-service.ts";
import type { RoomFrame } from "#ports/hub-listener.ts";
import { type BeanWorld, beanWorld } from "./bean-world.ts";
import { MemoryCallLog } from "./match-world.ts";
import { matchedFor } from "./matched.ts";
import { MemoryBus } from "./memory-bus.ts";
import { passingLines } from "./passing-lines.ts";
import { seededRandom } from "./random.ts";

type Told<Frame> = Frame extends unknown ? Omit<Frame, "roomId" | "roomToken"> : never;
type Work = MeterServiceOptions["work"];
/** As by default. */
export const ownPauseMs = 10_000;
export type MeterPush = Extract<ReturnType<MemoryBus["take"]>[number], { code: typeof pushCodes.callMessage }>;

/** Calls whose filters cost beans, over the real ledger; people and time are moved by hand. */
export class MeterWorld implements AsyncDisposable {
  readonly beans: BeanWorld;
  readonly bus: MemoryBus;
  readonly calls: CallService;
  readonly work: MeterWork;
  meters: MeterService;
  /** Awaited before each piece of ledger work; a test makes it slow, or throws. */
  beforeWork: (what: keyof Work) => Promise<void> = async () => {};
  afterWork: (what: keyof Work) => Promise<void> = async () => {};

  #inFlight = 0;

  private constructor(beans: BeanWorld) {
    const { clock, ledger, database } = beans;
    this.beans = beans;
    this.bus = new MemoryBus(() => clock.monotonicMs());
    const media = new DirectMedia({ stunUrls: [], clock });
    const log = new MemoryCallLog();
    this.calls = new CallService({
      bus: this.bus,
      media,
      log,
      lines: passingLines,
      clock,
      random: seededRandom(3),
      roomsMax: 100,
    });
    this.work = new MeterWork({ db: database.db, ledger, clock });
    this.meters = this.#openMeters();
    this.bus.listener = {
      arrived: () => {},
      dropped: (userId) => this.calls.dropped(userId),
      resumed: (userId) => this.calls.resumed(userId),
      gone: (userId, how) => this.calls.gone(userId, how),
      roomFrame: (userId, frame) => this.calls.roomFrame(userId, frame),
    };
  }

  static async open(): Promise<MeterWorld> {
    return new MeterWorld(await beanWorld());
  }

  /** A match; `prices` are beans a minute of the one who waited longer and of the other. */
  match(people: readonly [bigint, bigint], prices: readonly [number, number] = [1_600, 0]): string {
    for (const userId of people) this.bus.arrive(userId);
    const [offerer, answerer] = [matchedFor(people[0], prices[0]), matchedFor(people[1], prices[1])];
    return this.calls.create({ offerer, answerer, preparedOffer: null });
  }

  /** A match that is live, and whose meters are open. */
  async call(people: readonly [bigint, bigint], prices?: readonly [number, number]): Promise<string> {
    const callId = this.live(people, prices);
    await this.meters.idle();
    return callId;
  }

  live(people: readonly [bigint, bigint], prices?: readonly [number, number]): string {
    const callId = this.match(people, prices);
    this.answer(people[1]);
    for (const userId of people) this.media(userId, "playing");
    return callId;
  }

  /** The one who waited less agrees to the other's offer. */
  answer(userId: bigint): void {
    this.#frame(userId, { type: "signal", signal: { type: "answer", generation: 0, sdp: "v=0\r\n" } });
  }

  media(userId: bigint, state: MediaState): void {
    this.#frame(userId, { type: "media", state });
  }

  /** Time passes, and the ledger keeps up with it. */
  async pass(ms: number): Promise<void> {
    const stepMs = 10_000;
    for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
      this.beans.clock.advance(Math.min(stepMs, ms - passedMs));
      this.bus.tick();
      await this.meters.idle();
    }
  }

  /** Time passes, and whatever the ledger is asked for has an answer or has failed. */
  async passFailing(ms: number): Promise<void> {
    const stepMs = 5_000;
    for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
      this.beans.clock.advance(stepMs);
      do await setImmediate();
      while (this.#inFlight > 0);
    }
  }

  /** The pushes 100_006 that reached this person since the last look. */
  told(userId: bigint): MeterPush[] {
    return this.bus
      .take(userId)
      .filter((push): push is MeterPush => "code" in push && push.code === pushCodes.callMessage);
  }

  balance(userId: bigint): Promise<bigint> {
    return this.beans.ledger.of(userId);
  }

  /** As after a crash: whatever the meters of running calls knew is gone. */
  async forget(): Promise<void> {
    await this.meters[Symbol.asyncDispose]();
    this.meters = this.#openMeters();
  }

  /** Ends what runs; fails where a hold stays open. */
  async settle(): Promise<void> {
    this.calls.endAll();
    this.beans.clock.advance(60_000);
    await this.meters.idle();
    const holds = await this.beans.ledger.openHolds();
    if (holds.length > 0) throw new Error(`${holds.length} holds stay open`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.calls.endAll();
    await this.meters[Symbol.asyncDispose]();
  }

  #frame(userId: bigint, frame: Told<RoomFrame>): void {
    const match = this.calls.current(userId)?.match;
    if (!match) throw new Error(`${userId} is in no call`);
    this.calls.roomFrame(userId, { ...frame, roomId: match.roomId, roomToken: match.token } as RoomFrame);
  }

  #openMeters(): MeterService {
    const { clock, ledger } = this.beans;
    const logger = pino({ level: "silent" });
    const { bus, calls } = this;
    return new MeterService({ bus, calls, ledger, work: this.#watched(), clock, logger, ownPauseMs, tasksAtOnce: 4 });
  }

  #watched(): Work {
    const around = async <Result>(what: keyof Work, work: () => Promise<Result>): Promise<Result> => {
      this.#inFlight += 1;
      try {
        await this.beforeWork(what);
        const result = await work();
        await this.afterWork(what);
        return result;
      } finally {
        this.#inFlight -= 1;
      }
    };
    return {
      open: (side) => around("open", () => this.work.open(side)),
      funds: (userId) => around("funds", () => this.work.funds(userId)),
      takeMinute: (side, effect) => around("takeMinute", () => this.work.takeMinute(side, effect)),
      finish: (side, effect) => around("finish", () => this.work.finish(side, effect)),
      creditCall: (side, reason) => around("creditCall", () => this.work.creditCall(side, reason)),
    };
  }
}
