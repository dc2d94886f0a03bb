import type { Clock } from "#ports/clock.ts";
import { NobodyThereError, PeerSilentError } from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import { Pauses } from "./tasks.ts";

const retryMs = 100;

interface PeerRetriesOptions {
  /** The servers that are not declared dead. */
  processes: { living(): Promise<ReadonlySet<ProcessId>> };
  clock: Clock;
}

/** Retries requests to other servers until they are answered; disposing ends all retries. */
export class PeerRetries implements Disposable {
  readonly #options: PeerRetriesOptions;
  readonly #pauses: Pauses;

  constructor(options: PeerRetriesOptions) {
    this.#options = options;
    this.#pauses = new Pauses(options.clock);
  }

  get isOver(): boolean {
    return this.#pauses.isOver;
  }

  /** Resolves before the next attempt. */
  pause(): Promise<void> {
    return this.#pauses.wait(retryMs);
  }

  /** Retries until the server answers; null if it is dead, or if this server stops. */
  async whileAlive<Out>(process: ProcessId, ask: () => Promise<Out>): Promise<Out | null> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        const isNowhere = error instanceof NobodyThereError;
        if (!isNowhere && !(error instanceof PeerSilentError)) throw error;
        // A living server may be reconnecting to the message bus.
        if (this.isOver || (isNowhere && !(await this.#options.processes.living()).has(process))) return null;
        await this.pause();
      }
    }
  }

  /** Retries for `forMs` milliseconds; null without an answer by then, or if no server listens. */
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
