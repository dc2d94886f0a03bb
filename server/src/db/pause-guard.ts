import { PauseTolerantTimeout } from "#lib/pause-tolerant-timeout.ts";
import type { Clock } from "#ports/clock.ts";
import { NoOwnerError, PeerTimeoutError } from "#ports/peers.ts";
import type { Processes } from "./processes.ts";

const lookEveryMs = 250;
/** A shorter pause cannot have led to a declaration of death, which takes at least two seconds. */
const pauseMs = 1_500;
/** Counts only time in which this process runs. No server judges while the database is silent. */
const answerMs = 5_000;

interface PauseGuardOptions {
  readonly processes: Pick<Processes, "isLost" | "onTurn" | "beatNow">;
  readonly clock: Clock;
}

/**
 * After a pause of this process, others may have declared it dead and own its calls. It is in doubt until a heartbeat
 * that began afterwards succeeds.
 */
export class PauseGuard implements Disposable {
  readonly #options: PauseGuardOptions;
  readonly #listening: Disposable;
  #awakeAtMs: number;
  /** Null without doubt. */
  #doubt: { readonly sinceMs: number; readonly limit: Disposable } | null = null;
  #look: Disposable;

  constructor(options: PauseGuardOptions) {
    const { processes, clock } = options;
    this.#options = options;
    this.#awakeAtMs = clock.monotonicMs();
    this.#look = this.#lookLater();
    this.#listening = processes.onTurn((askedAtMs) => {
      if (this.#doubt && askedAtMs >= this.#doubt.sinceMs) this.#end();
    });
  }

  get isInDoubt(): boolean {
    const { processes, clock } = this.#options;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#awakeAtMs >= pauseMs) this.#begin(nowMs);
    this.#awakeAtMs = nowMs;
    return this.#doubt !== null || processes.isLost;
  }

  /**
   * Sends what `ask` sends.
   * @throws PeerTimeoutError while others may have declared this server dead; NoOwnerError once they have.
   */
  async say<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    if (this.#options.processes.isLost) throw new NoOwnerError("other servers have declared this server dead");
    if (this.isInDoubt) throw new PeerTimeoutError("other servers may have declared this server dead");
    return ask();
  }

  [Symbol.dispose](): void {
    this.#look[Symbol.dispose]();
    this.#doubt?.limit[Symbol.dispose]();
    this.#listening[Symbol.dispose]();
  }

  #lookLater(): Disposable {
    return this.#options.clock.after(lookEveryMs, () => {
      void this.isInDoubt;
      this.#look = this.#lookLater();
    });
  }

  #begin(sinceMs: number): void {
    const { processes, clock } = this.#options;
    this.#doubt?.limit[Symbol.dispose]();
    this.#doubt = { sinceMs, limit: new PauseTolerantTimeout(clock, answerMs, () => this.#end()) };
    processes.beatNow();
  }

  #end(): void {
    this.#doubt?.limit[Symbol.dispose]();
    this.#doubt = null;
  }
}
