import { ClassifierBusyError, type FrameQuestion } from "#ports/frame-classifier.ts";
import type { Clock } from "#ports/clock.ts";
import type { FrameOrder, FrameReport } from "./frame-messages.ts";

export type Judged = Extract<FrameReport, { kind: "judged" }>;

/** A picture on its way through a worker. */
export interface FrameTask {
  readonly order: FrameOrder;
  readonly resolve: (judged: Judged) => void;
  readonly reject: (error: Error) => void;
}

interface Waiting extends FrameTask {
  readonly sinceMs: number;
  readonly expiry: Disposable;
}

/** Follow-ups, which another worker has worked on already, go first; they need the worker with the large model. */
type Lane = "followUp" | FrameQuestion["priority"];
const ordinaryLanes = [0, 1, 2] as const;

/** Pictures that wait, the urgent ones first, so many and so long at most (rule SAFE-105). */
export class FrameQueue {
  readonly #clock: Clock;
  readonly #limits: { waitingMax: number; waitMaxMs: number };
  readonly #lanes: Record<Lane, Waiting[]> = { followUp: [], 0: [], 1: [], 2: [] };

  constructor(clock: Clock, limits: { waitingMax: number; waitMaxMs: number }) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** @throws ClassifierBusyError where it is full; what waits too long is rejected with it. */
  add(lane: Lane, task: FrameTask): void {
    if (this.backlog().waiting >= this.#limits.waitingMax) throw new ClassifierBusyError("too many pictures wait");
    const waiting: Waiting = {
      ...task,
      sinceMs: this.#clock.monotonicMs(),
      expiry: this.#clock.after(this.#limits.waitMaxMs, () => {
        this.#lanes[lane].splice(this.#lanes[lane].indexOf(waiting), 1);
        task.reject(new ClassifierBusyError("the picture waited too long"));
      }),
    };
    this.#lanes[lane].push(waiting);
  }

  /** The next picture for a worker, if any waits that it can judge. */
  take(holdsInception: boolean): FrameTask | null {
    const lanes = holdsInception ? (["followUp", ...ordinaryLanes] as const) : ordinaryLanes;
    for (const lane of lanes) {
      const task = this.#lanes[lane].shift();
      if (!task) continue;
      task.expiry[Symbol.dispose]();
      return task;
    }
    return null;
  }

  backlog(): { waiting: number; oldestMs: number } {
    const all = Object.values(this.#lanes);
    const nowMs = this.#clock.monotonicMs();
    const ages = all.flatMap(([oldest]) => (oldest ? [nowMs - oldest.sinceMs] : []));
    return { waiting: all.reduce((sum, lane) => sum + lane.length, 0), oldestMs: Math.max(0, ...ages) };
  }

  /** Rejects everything that waits. */
  clear(): void {
    for (const lane of Object.values(this.#lanes)) {
      for (const task of lane.splice(0)) {
        task.expiry[Symbol.dispose]();
        task.reject(new ClassifierBusyError("nobody is there to judge pictures any more"));
      }
    }
  }
}
