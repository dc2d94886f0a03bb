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
    if (this.isHeld) return;
    await this.#request({ steal: true });
  }

  release(): void {
    this.#release?.();
    this.#release = null;
  }

  #request(options: LockOptions): Promise<boolean> {
    if (this.isHeld) return Promise.resolve(true);
    return new Promise((answer) => {
      const held = this.#locks.request(lockName, options, (lock) => {
        if (!lock) return answer(false);
        writeStored("holdPageKey", randomKey());
        const until = new Promise<void>((release) => {
          this.#release = release;
        });
        answer(true);
        return until;
      });
      held.catch((error: unknown) => {
        if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
        this.#release = null;
        this.#onLost();
      });
    });
  }
}

function randomKey(): number {
  return holdPageKeyMin + Math.floor(Math.random() * (holdPageKeyMax - holdPageKeyMin + 1));
}
