import type { Kysely } from "kysely";
import PQueue from "p-queue";
import type { Logger } from "pino";
import type { CreditReason } from "@fava/wire/endpoints/beans.ts";
import { pushCodes, type UncheckedCause } from "@fava/wire/pushes.ts";
import { CallTakenOverError, type Ledger, TransferConflictError } from "#billing/ledger.ts";
import type { Database } from "#db/schema.ts";
import { DatabaseUnavailableError } from "#db/unavailable.ts";
import { KeyedMutex } from "#lib/keyed-mutex.ts";
import { MachineRunner, type Running, type Untimed } from "#lib/machine.ts";
import { RetryPauses, retry } from "#lib/tasks.ts";
import type { AvailableBalances } from "#ports/billing.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import { RoomNotStoredError } from "#ports/room-claims.ts";
import {
  beansOf,
  meterDueMs,
  type MeterEffect,
  type MeterEnd,
  type MeterEvent,
  type MeterState,
  openMeter,
  type MeterPause,
  returnedAtEnd,
  stepMeter,
  usedMs,
} from "./meter-machine.ts";
import { type CallSide, type MeteredSide, MeterWork } from "./meter-store.ts";
import {
  type CallService,
  otherSide,
  type RoomChanged,
  type RoomEnded,
  type RoomEvent,
  type RoomEventConsumer,
  type RoomMatched,
  type Side,
} from "./room-service.ts";

export interface MeterServiceOptions {
  bus: Bus;
  calls: Pick<CallService, "leave" | "takenOver">;
  ledger: Pick<Ledger, "onChanged" | "spendable">;
  work: Pick<MeterWork, "open" | "funds" | "takeMinute" | "finish" | "creditCall">;
  clock: Clock;
  logger: Logger;
  /** Limit per call of the pauses that the payer's own reports cause, in milliseconds. */
  ownPauseMs: number;
  /** Limit of concurrent ledger operations, below the number of database connections. Minutes are batched instead. */
  tasksAtOnce: number;
  /** How long a minute waits for others of its batch, in milliseconds; 0: only for those of its event-loop turn. */
  minuteWaitMs: number;
}

interface RunningMeter extends MeteredSide, Running<MeterState> {
  readonly price: bigint;
  readonly side: Side;
  isStale: boolean;
}

interface MeterFigures {
  readonly countedMs: number;
  readonly pausedMs: number;
}

interface MeteredCall {
  picture: CallPicture;
  /** The pages have exchanged offer and answer. */
  isAnswered: boolean;
  readonly meters: readonly RunningMeter[];
}

function endFor(reason: RoomEnded["reason"], isLeaver: boolean): MeterEnd {
  if (isLeaver) return "left";
  if (reason === "restart") return "failure";
  if (reason === "violation" || reason === "banned") return "moderated";
  return reason === "lost" ? "other_lost" : "left";
}

/** Of a lasting failure, the first try is logged and then each of this many. */
const triesBetweenLogs = 50;

/** Meters the sides that pay for filters (rules BEANS-260 to BEANS-284). No call waits for the ledger. */
export class MeterService implements AvailableBalances, RoomEventConsumer, AsyncDisposable {
  readonly #options: MeterServiceOptions;
  readonly #queue: MeterQueue;
  readonly #machine: MachineRunner<RunningMeter, MeterEvent, MeterEffect>;
  readonly #calls = new Map<string, MeteredCall>();
  readonly #byUser = new Map<bigint, RunningMeter>();
  readonly #fundsSubscription: Disposable;
  #figures: MeterFigures = { countedMs: 0, pausedMs: 0 };

  constructor(options: MeterServiceOptions) {
    this.#options = options;
    this.#queue = new MeterQueue(options);
    this.#machine = new MachineRunner({
      clock: options.clock,
      step: stepMeter,
      dueMs: meterDueMs,
      run: (meter, effect) => this.#run(meter, effect),
      due: (meter) => this.#dispatch(meter, { type: "tick" }),
    });
    this.#fundsSubscription = options.ledger.onChanged((userId) => this.#fundsChanged(userId));
  }

  get count(): number {
    return this.#byUser.size;
  }

  get figures(): MeterFigures {
    return this.#figures;
  }

  /** Credits what an ended call has cost and returns the beans. Credits each call once (rule BEANS-284). */
  creditCall({ callId, userId, reason }: CallSide & { reason: CreditReason }): Promise<bigint> {
    return new Promise((resolve, reject) => {
      let isGivenUp = false;
      this.#queue.add(userId, {
        isWanted: () => !isGivenUp,
        run: async () => resolve(await this.#options.work.creditCall({ callId, userId }, reason)),
        failed: (error) => {
          isGivenUp = true;
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      });
    });
  }

  /**
   * Ends the meters of a call in which `missingId` had no judged frame; returns the credits (rules BEANS-500,
   * BEANS-501).
   */
  endUnchecked(
    callId: string,
    { missingId, cause }: { missingId: bigint; cause: UncheckedCause },
  ): ReadonlyMap<bigint, bigint> {
    const back = new Map<bigint, bigint>();
    // One time for both steps, because a second later the call would have cost more.
    const nowMs = Math.floor(this.#options.clock.monotonicMs());
    for (const meter of this.#calls.get(callId)?.meters ?? []) {
      const why = meter.userId === missingId && cause !== "ours" ? "unjudged" : "unchecked";
      this.#machine.dispatch(meter, { type: "tick", nowMs });
      back.set(meter.userId, returnedAtEnd(meter.state, why));
      this.#machine.dispatch(meter, { type: "ended", why, nowMs });
    }
    return back;
  }

  /**
   * What the user could spend if the running call ended now and the rest of its minute were released.
   * @throws DatabaseUnavailableError also if posting takes longer than `idleWaitMs`.
   */
  async spendable(userId: bigint): Promise<{ have: bigint; limit: "balance" | "cap" }> {
    const isPosted = this.#byUser.has(userId) || (await this.#queue.isSoonIdle(userId));
    // First, because an unreachable database throws an error of its own.
    const { have, limit } = await this.#options.ledger.spendable(userId);
    if (!isPosted) throw new DatabaseUnavailableError("slow");
    const meter = this.#byUser.get(userId);
    if (meter) this.#dispatch(meter, { type: "tick" });
    const state = meter?.state;
    const isHolding = state?.kind === "paying" && state.hold === "held";
    return { have: isHolding ? have + state.price - beansOf(state.price, usedMs(state)) : have, limit };
  }

  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Settles ended calls. Running calls should have ended before. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#fundsSubscription[Symbol.dispose]();
    for (const meter of this.#byUser.values()) this.#machine.stop(meter);
    await this.#queue[Symbol.asyncDispose]();
  }

  #fundsChanged(userId: bigint): void {
    const meter = this.#byUser.get(userId);
    if (!meter || meter.isStale || meter.state.kind === "waiting") return;
    meter.isStale = true;
    this.#add(meter, {
      isWanted: () => meter.state.kind === "free" || meter.state.kind === "paying",
      run: async () => {
        meter.isStale = false;
        this.#dispatch(meter, { type: "funds", funds: await this.#options.work.funds(userId) });
      },
    });
  }

  onRoomEvent(event: RoomEvent): void {
    if (event.kind === "matched") this.#matched(event);
    else if (event.kind === "ended") this.#ended(event);
    else if (event.kind !== "line") this.#changed(event);
  }

  #changed({ id, kind, side }: RoomChanged): void {
    const call = this.#calls.get(id);
    if (!call) return;
    if (side) call.picture = stepPicture(call.picture, kind, side);
    if (kind === "answered") call.isAnswered = true;
    for (const meter of call.meters) {
      if (kind === "looked" && side === meter.side) this.#dispatch(meter, { type: "looked" });
      this.#dispatch(meter, { type: "picture", pause: pauseFor(call.picture, meter.side) });
      if (kind === "live") this.#dispatch(meter, { type: "live" });
      if (call.isAnswered && call.picture[otherSide(meter.side)].plays) this.#dispatch(meter, { type: "seen" });
    }
  }

  #matched({ id: callId, people, claim, isAdopted = false }: RoomMatched): void {
    const meters = (["offerer", "answerer"] as const).flatMap((side): RunningMeter[] => {
      const { userId, price } = people[side];
      if (price === 0) return [];
      const state = openMeter(BigInt(price), this.#options.ownPauseMs, isAdopted);
      const about = { callId, userId, claim, isAdopted, side, price: state.price };
      return [{ ...about, state, timer: null, dueMs: null, isStale: false }];
    });
    if (meters.length === 0) return;
    this.#calls.set(callId, { picture: isAdopted ? awaitedPicture : clearPicture, isAnswered: false, meters });
    for (const meter of meters) {
      this.#byUser.set(meter.userId, meter);
      this.#dispatch(meter, { type: "matched" });
    }
  }

  #ended({ id, reason, side }: RoomEnded): void {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    for (const meter of call?.meters ?? []) {
      this.#byUser.delete(meter.userId);
      this.#dispatch(meter, { type: "ended", why: endFor(reason, side === meter.side) });
    }
  }

  /** Charges the time until now and stops the meters, because another server takes the call over. */
  async settle(callId: string): Promise<void> {
    const meters = this.#calls.get(callId)?.meters ?? [];
    this.#calls.delete(callId);
    for (const meter of meters) {
      this.#byUser.delete(meter.userId);
      this.#dispatch(meter, { type: "ended", why: "left" });
    }
    await Promise.all(meters.map(({ userId }) => this.#queue.isSoonIdle(userId)));
  }

  /** Ends the call here and writes nothing more. The server that owns the call settles its open holds. */
  #takenOver({ callId, userId }: RunningMeter): void {
    const call = this.#calls.get(callId);
    if (!call) return;
    this.#calls.delete(callId);
    for (const meter of call.meters) {
      this.#byUser.delete(meter.userId);
      this.#dispatch(meter, { type: "taken-over" });
    }
    this.#options.logger.warn({ callId }, "call has another owner or is over, ending it");
    this.#options.calls.takenOver(userId, callId);
  }

  #dispatch(meter: RunningMeter, event: Untimed<MeterEvent>): void {
    const nowMs = Math.floor(this.#options.clock.monotonicMs());
    this.#machine.dispatch(meter, { ...event, nowMs } as MeterEvent);
  }

  #run(meter: RunningMeter, effect: MeterEffect): void {
    const { bus, calls, work } = this.#options;
    switch (effect.type) {
      case "open":
        return this.#add(meter, {
          // Also for an ended call: each match uses one of the day's free beginnings.
          isWanted: () => true,
          run: async () => this.#dispatch(meter, { type: "opened", ...(await work.open(meter)) }),
        });
      case "take-minute":
        return this.#add(meter, {
          isWanted: () => meter.state.kind === "paying" && meter.state.hold !== "held",
          goesTogether: true,
          run: async () => {
            const { kind, funds } = await work.takeMinute(meter, effect);
            this.#dispatch(meter, { type: kind, funds });
          },
          failed: () => this.#dispatch(meter, { type: "failing" }),
        });
      case "finish":
        return this.#add(meter, { isWanted: () => true, run: () => work.finish(meter, effect) });
      case "tell": {
        const { isEnough, meter: reading } = effect.reading;
        const about = { code: pushCodes.callMessage, roomId: meter.callId, type: effect.pushType } as const;
        bus.push(meter.userId, { ...about, is_enough: isEnough, meter: reading });
        return;
      }
      case "close-call":
        calls.leave(meter.userId, "stop");
        return;
      case "measured": {
        const { countedMs, pausedMs } = this.#figures;
        this.#figures = { countedMs: countedMs + effect.countedMs, pausedMs: pausedMs + effect.pausedMs };
      }
    }
  }

  /**
   * Runs an operation in the user's queue. A conflict is our defect, which no retry corrects, so the user does not pay.
   * Without a stored room the user does not pay either.
   */
  #add(
    meter: RunningMeter,
    task: Pick<MeterTask, "isWanted" | "run" | "goesTogether"> & { failed?: () => void },
  ): void {
    const { logger } = this.#options;
    let isHopeless = false;
    this.#queue.add(meter.userId, {
      ...task,
      isWanted: () => !isHopeless && task.isWanted(),
      failed: (error, tries) => {
        const isDefect = error instanceof TransferConflictError || error instanceof RoomNotStoredError;
        isHopeless = isDefect || error instanceof CallTakenOverError;
        if (error instanceof CallTakenOverError) return this.#takenOver(meter);
        if (isDefect) logger.error({ err: error, callId: meter.callId }, "meter contradicts the ledger");
        else if (tries % triesBetweenLogs === 1)
          logger.warn({ err: error, callId: meter.callId, tries }, "ledger does not answer a meter, retrying");
        task.failed?.();
      },
    });
  }
}

/** Together with the minutes, which use up to six connections, three quarters of the default pool. */
const ledgerTasksAtOnce = 6;
/** In milliseconds. No user waits for it, because pushes count on the minute before it is held. */
const minuteWaitMsDefault = 100;

type MetersParts = Pick<MeterServiceOptions, "bus" | "calls" | "clock" | "logger" | "ownPauseMs"> & {
  db: Kysely<Database>;
  ledger: Ledger;
  minuteWaitMs?: number;
};

export function openMeters(parts: MetersParts): MeterService {
  const work = new MeterWork(parts);
  return new MeterService({ minuteWaitMs: minuteWaitMsDefault, ...parts, work, tasksAtOnce: ledgerTasksAtOnce });
}

interface SideFacts {
  /** The side reported that it plays the partner's video. */
  readonly plays: boolean;
  /** The side reports that it gets no video from the partner. */
  readonly stalled: boolean;
  /** This server owns the call, and the side has not reported to it that it plays the partner's video. */
  readonly awaited: boolean;
  readonly lost: boolean;
  readonly cameraOff: boolean;
  /** The side's camera or microphone ended or was replaced, and another one is opening. */
  readonly cameraSwitching: boolean;
  readonly microphoneSwitching: boolean;
  /** The side's network is too weak for its video. */
  readonly paused: boolean;
  readonly away: boolean;
  /**
   * Whether the side's video is hidden from the partner. `in doubt`: only the partner's frames speak against it. `still`:
   * it is shown, but does not move.
   */
  readonly hidden: "no" | "in doubt" | "still" | "yes";
}

type CallPicture = { readonly [Which in Side]: SideFacts };

const clear: SideFacts = {
  plays: false,
  stalled: false,
  awaited: false,
  lost: false,
  cameraOff: false,
  cameraSwitching: false,
  microphoneSwitching: false,
  paused: false,
  away: false,
  hidden: "no",
};

const clearPicture: CallPicture = { offerer: clear, answerer: clear };
const awaited: SideFacts = { ...clear, awaited: true };
const awaitedPicture: CallPicture = { offerer: awaited, answerer: awaited };

const changes: Partial<Record<RoomChanged["kind"], Partial<SideFacts>>> = {
  playing: { plays: true, stalled: false, awaited: false },
  resumed: { stalled: false, awaited: false },
  stalled: { stalled: true },
  lost: { lost: true },
  returned: { lost: false },
  camera_off: { cameraOff: true, cameraSwitching: false },
  camera_on: { cameraOff: false, cameraSwitching: false },
  camera_switching: { cameraSwitching: true },
  mic_off: { microphoneSwitching: false },
  mic_on: { microphoneSwitching: false },
  mic_switching: { microphoneSwitching: true },
  picture_paused: { paused: true },
  picture_back: { paused: false },
  away: { away: true },
  back: { away: false },
  hidden: { hidden: "yes" },
  doubted: { hidden: "in doubt" },
  still: { hidden: "still" },
  shown: { hidden: "no" },
};

function stepPicture(picture: CallPicture, kind: RoomChanged["kind"], side: Side): CallPicture {
  const change = changes[kind];
  return change ? { ...picture, [side]: { ...picture[side], ...change } } : picture;
}

/**
 * Why the meter of a payer pauses, or null. Problems with the payer's own video do not stop it. Problems with the
 * partner's video do, even while our checks hide that video (rules BEANS-263, BEANS-273, BEANS-400, BEANS-403,
 * BEANS-404, BEANS-502).
 */
function pauseFor(picture: CallPicture, payer: Side): MeterPause | null {
  const self = picture[payer];
  const other = picture[payer === "offerer" ? "answerer" : "offerer"];
  if (self.awaited || other.awaited || other.lost) return { why: "reconnecting", budget: null };
  if (isSwitching(other)) return { why: "reconnecting", budget: null };
  if (other.cameraOff || other.away) return { why: "camera_off", budget: null };
  if (other.paused) return { why: "network", budget: null };
  if (other.hidden === "yes") return { why: "blurred", budget: null };
  if (other.hidden === "still") return { why: "still", budget: null };
  if (other.stalled) return { why: "reconnecting", budget: "own-picture" };
  if (self.stalled || self.lost || isSwitching(self)) return { why: "reconnecting", budget: "own-word" };
  return other.hidden === "in doubt" ? { why: "blurred", budget: "own-word" } : null;
}

function isSwitching({ cameraSwitching, microphoneSwitching }: SideFacts): boolean {
  return cameraSwitching || microphoneSwitching;
}

interface MeterTask {
  /** Must be idempotent, since it runs again after an error. */
  readonly run: () => Promise<void>;
  /** Called before each try. False drops the task. */
  readonly isWanted: () => boolean;
  /** The ledger batches these tasks. They wait a moment for each other, but not for a free slot. */
  readonly goesTogether?: boolean;
  readonly failed: (error: unknown, tries: number) => void;
}

interface MeterQueueOptions {
  clock: Clock;
  /** Limit of concurrent tasks. More would only wait for a database connection and time out. */
  tasksAtOnce: number;
  minuteWaitMs: number;
}

const retryDelaysMs = [200, 500, 1_000, 2_000, 5_000] as const;
/** Limits how long a stopping server waits for the database. The server that takes its calls over does the rest. */
const triesWhileStoppingMax = 3;
/** How long a user waits until their spending is posted, in milliseconds. After it the database counts as failed. */
const idleWaitMs = 1_000;

/**
 * Runs one user's operations one after the other, because a user has at most one open hold. Operations of several users
 * run concurrently. A failing task is retried, and the user's later tasks wait.
 */
class MeterQueue implements AsyncDisposable {
  /** By user: at most the tasks of the running call and of the one before it. */
  readonly #people = new KeyedMutex<bigint>();
  readonly #turns: PQueue;
  readonly #clock: Clock;
  readonly #pauses: RetryPauses;
  readonly #minuteWaitMs: number;
  #wait: Promise<void> | null = null;
  #stopping = false;

  constructor({ clock, tasksAtOnce, minuteWaitMs }: MeterQueueOptions) {
    this.#turns = new PQueue({ concurrency: tasksAtOnce });
    this.#clock = clock;
    this.#pauses = new RetryPauses(clock);
    this.#minuteWaitMs = minuteWaitMs;
  }

  add(userId: bigint, task: MeterTask): void {
    void this.#people.run(userId, () => this.#finish(task));
  }

  async isSoonIdle(userId: bigint): Promise<boolean> {
    let timer: Disposable | undefined;
    const late = new Promise<false>((resolve) => {
      timer = this.#clock.after(idleWaitMs, () => resolve(false));
    });
    try {
      return await Promise.race([this.#people.idleOf(userId).then(() => true), late]);
    } finally {
      timer?.[Symbol.dispose]();
    }
  }

  idle(): Promise<void> {
    return this.#people.idle();
  }

  /** Runs the remaining tasks, with few tries and without pauses. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    this.#pauses[Symbol.dispose]();
    await this.idle();
  }

  async #finish(task: MeterTask): Promise<void> {
    let tries = 0;
    const delayMs = (error: unknown) => {
      tries += 1;
      task.failed(error, tries);
      if (!task.isWanted() || (this.#stopping && tries >= triesWhileStoppingMax)) return null;
      return retryDelaysMs[Math.min(tries, retryDelaysMs.length) - 1] ?? null;
    };
    const run = async () => {
      if (task.isWanted()) await task.run();
    };
    const attempt = () => (task.goesTogether ? this.#together().then(run) : this.#turns.add(run));
    // `failed` has received each error, so the last one is not thrown.
    await retry(attempt, { pauses: this.#pauses, delayMs }).catch(() => undefined);
  }

  #together(): Promise<void> {
    if (this.#minuteWaitMs === 0) return Promise.resolve();
    this.#wait ??= this.#pauses.wait(this.#minuteWaitMs).then(() => void (this.#wait = null));
    return this.#wait;
  }
}
