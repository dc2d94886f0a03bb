import { holdPageKeyMax, holdPageKeyMin } from "@fava/wire/limits.ts";
import { writeStored } from "#lib/storage.ts";

const lockName = "fava-page";

/**
 * Which tab holds the chat socket, the camera and the call (docs/decisions/001-one-tab-holds-the-call.md). The browser
 * frees the lock by itself when a tab dies, so nobody waits for a tab that is gone.
 */
export class PageHold {
  readonly #locks: LockManager;
  readonly #onLost: () => void;
  #release: (() => void) | null = null;
  /** One request after the other: a tab that asks twice at once would steal from itself. */
  #turn: Promise<unknown> = Promise.resolve();
  /** The browser knows that this tab has no lock; before that it would refuse the next request. */
  #gone: Promise<unknown> = Promise.resolve();

  constructor(onLost: () => void, locks: LockManager = navigator.locks) {
    this.#onLost = onLost;
    this.#locks = locks;
  }

  get isHeld(): boolean {
    return this.#release !== null;
  }

  /** Takes the hold if no other tab has it. */
  tryTake(): Promise<boolean> {
    return this.#request({ ifAvailable: true });
  }

  /** Takes the hold from whichever tab has it; that tab ends its call and says so (rule CALL-12). */
  async take(): Promise<void> {
    await this.#request({ steal: true });
  }

  release(): void {
    this.#release?.();
    this.#release = null;
  }

  #request(options: LockOptions): Promise<boolean> {
    const answer = this.#turn.then(async () => {
      if (this.isHeld) return true;
      await this.#gone;
      return this.#ask(options);
    });
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  #ask(options: LockOptions): Promise<boolean> {
    return new Promise((answer, fail) => {
      const held = this.#locks.request(lockName, options, (lock) => {
        if (!lock) return answer(false);
        writeStored("holdPageKey", randomKey());
        const until = new Promise<void>((release) => {
          this.#release = release;
        });
        answer(true);
        return until;
      });
      this.#gone = held.catch((error: unknown) => {
        if (!(error instanceof DOMException && error.name === "AbortError")) return fail(error);
        this.#release = null;
        this.#onLost();
      });
    });
  }
}

function randomKey(): number {
  return holdPageKeyMin + Math.floor(Math.random() * (holdPageKeyMax - holdPageKeyMin + 1));
}
