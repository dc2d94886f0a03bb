import { AwakeLimit } from "#lib/awake-limit.ts";
import type { Clock } from "#ports/clock.ts";
import { NobodyThereError, PeerSilentError } from "#ports/peers.ts";
import type { Processes } from "./processes.ts";

const lookEveryMs = 250;
/** Whoever stood still for less cannot have been taken for dead: that takes a silence of two seconds at least. */
const standstillMs = 1_500;
/** Of time in which this process runs: a database that says nothing for so long is away, and nobody judges meanwhile. */
const answerMs = 5_000;

interface StandstillOptions {
  readonly processes: Pick<Processes, "isLost" | "onTurn" | "beatNow">;
  readonly clock: Clock;
}

/**
 * Knows of the time in which this process did not run, as one that is paused or has far too much to do. Others may have
 * taken it for dead meanwhile, and have its calls: it is in doubt until a beat that it began afterwards says that it lives.
 */
export class Standstill implements Disposable {
  readonly #options: StandstillOptions;
  readonly #listening: Disposable;
  #awakeAtMs: number;
  /** Null while there is no doubt. */
  #doubt: { readonly sinceMs: number; readonly limit: Disposable } | null = null;
  #look: Disposable;

  constructor(options: StandstillOptions) {
    const { processes, clock } = options;
    this.#options = options;
    this.#awakeAtMs = clock.monotonicMs();
    this.#look = this.#lookLater();
    this.#listening = processes.onTurn((askedAtMs) => {
      if (this.#doubt && askedAtMs >= this.#doubt.sinceMs) this.#end();
    });
  }

  /** Whether others may have this process's calls without its knowing; whatever it says of them may be wrong. */
  get isInDoubt(): boolean {
    const { processes, clock } = this.#options;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#awakeAtMs >= standstillMs) this.#begin(nowMs);
    this.#awakeAtMs = nowMs;
    return this.#doubt !== null || processes.isLost;
  }

  /**
   * Says something that is said again until it is answered.
   *
   * @throws PeerSilentError while there is doubt; NobodyThereError where there is none any more, and it was taken for dead.
   */
  async say<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    if (this.#options.processes.isLost) throw new NobodyThereError("others have taken this process for dead");
    if (this.isInDoubt) throw new PeerSilentError("others may have taken this process for dead");
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
    this.#doubt = { sinceMs, limit: new AwakeLimit(clock, answerMs, () => this.#end()) };
    processes.beatNow();
  }

  #end(): void {
    this.#doubt?.limit[Symbol.dispose]();
    this.#doubt = null;
  }
}
