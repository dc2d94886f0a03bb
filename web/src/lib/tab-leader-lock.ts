import { holdPageKeyMax, holdPageKeyMin } from "@fava/wire/limits.ts";
import { writeStored } from "#lib/storage.ts";

const lockName = "fava-page";

/**
 * Decides which tab has the chat socket, the camera and the call (docs/decisions/001-one-tab-holds-the-call.md). The
 * browser frees the lock of a tab that closes or crashes, so that no tab waits for it.
 */
export class TabLeaderLock {
  readonly #locks: LockManager;
  readonly #onLost: () => void;
  #release: (() => void) | null = null;
  /** Runs one request at a time: two concurrent requests of a tab would steal the lock from each other. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Resolves when the browser has released this tab's lock; before that it would reject a new request. */
  #gone: Promise<unknown> = Promise.resolve();
  /** This tab's place in the queue for the lock; `over` resolves when the lock was granted or the place given up. */
  #line: { owner: AbortController; over: Promise<void> } | null = null;

  constructor(onLost: () => void, locks: LockManager = navigator.locks) {
    this.#onLost = onLost;
    this.#locks = locks;
  }

  get isHeld(): boolean {
    return this.#release !== null;
  }

  /** Takes the lock if no other tab has it. */
  tryTake(): Promise<boolean> {
    return this.#request({ ifAvailable: true });
  }

  /** Takes the lock from the tab that has it; that tab ends its call and says so. */
  async take(): Promise<void> {
    await this.#request({ steal: true });
  }

  /**
   * Queues this tab for the lock, once, and calls `onTaken` when it is granted. `release` and any other request give
   * the place up.
   */
  async waitInLine(onTaken: () => void): Promise<void> {
    await this.#inTurn(async () => {
      if (this.isHeld || this.#line) return;
      await this.#gone;
      const owner = new AbortController();
      const over = this.#ask({ signal: owner.signal }).then((taken) => {
        this.#line = null;
        if (taken) onTaken();
      });
      this.#line = { owner, over };
    });
  }

  /** Releases the lock and leaves the queue. */
  release(): void {
    this.#letGo();
    void this.#inTurn(async () => {
      await this.#leaveLine();
      this.#letGo();
    });
  }

  #letGo(): void {
    this.#release?.();
    this.#release = null;
  }

  #request(options: LockOptions): Promise<boolean> {
    return this.#inTurn(async () => {
      await this.#leaveLine();
      if (this.isHeld) return true;
      await this.#gone;
      return this.#ask(options);
    });
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** Leaves the queue. If the browser granted the lock just before, this tab has it afterwards. */
  async #leaveLine(): Promise<void> {
    const line = this.#line;
    line?.owner.abort();
    await line?.over;
  }

  #ask(options: LockOptions): Promise<boolean> {
    let wasHeld = false;
    return new Promise((answer, fail) => {
      const held = this.#locks.request(lockName, options, (lock) => {
        if (!lock) return answer(false);
        wasHeld = true;
        writeStored("holdPageKey", randomKey());
        const until = new Promise<void>((release) => {
          this.#release = release;
        });
        answer(true);
        return until;
      });
      this.#gone = held.catch((error: unknown) => {
        if (!(error instanceof DOMException && error.name === "AbortError")) return fail(error);
        if (!wasHeld) return answer(false);
        this.#release = null;
        this.#onLost();
      });
    });
  }
}

function randomKey(): number {
  return holdPageKeyMin + Math.floor(Math.random() * (holdPageKeyMax - holdPageKeyMin + 1));
}
