import type { Clock } from "#ports/clock.ts";
import { NobodyThereError, PeerSilentError } from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import { Pauses } from "./tasks.ts";

const retryMs = 100;

interface PatientAsksOptions {
  /** The processes of the site that are not known to be dead. */
  processes: { living(): Promise<ReadonlySet<ProcessId>> };
  clock: Clock;
}

/** Questions to other processes that are asked again and again, each as often as it takes; disposing ends all of them. */
export class PatientAsks implements Disposable {
  readonly #options: PatientAsksOptions;
  readonly #pauses: Pauses;

  constructor(options: PatientAsksOptions) {
    this.#options = options;
    this.#pauses = new Pauses(options.clock);
  }

  get isOver(): boolean {
    return this.#pauses.isOver;
  }

  /** Resolves when it is time for the next try. */
  pause(): Promise<void> {
    return this.#pauses.wait(retryMs);
  }

  /** Asks a process until it answers; null where it is dead, or this one ends. */
  async whileAlive<Out>(process: ProcessId, ask: () => Promise<Out>): Promise<Out | null> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        const isNowhere = error instanceof NobodyThereError;
        if (!isNowhere && !(error instanceof PeerSilentError)) throw error;
        // It may only listen anew.
        if (this.isOver || (isNowhere && !(await this.#options.processes.living()).has(process))) return null;
        await this.pause();
      }
    }
  }

  /** Asks until it is answered, for as long as somebody waits for it; null where it is not, or nobody is there. */
  async within<Out>(forMs: number, ask: () => Promise<Out>): Promise<Out | null> {
    const { clock } = this.#options;
    const untilMs = clock.monotonicMs() + forMs;
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (error instanceof NobodyThereError) return null;
        if (!(error instanceof PeerSilentError)) throw error;
        if (this.isOver || clock.monotonicMs() >= untilMs) return null;
        await this.pause();
      }
    }
  }

  [Symbol.dispose](): void {
    this.#pauses[Symbol.dispose]();
  }
}
