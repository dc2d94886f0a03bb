import { holdPageKeyMax, holdPageKeyMin } from "@fava/wire/limits.ts";
import { writeStored } from "#lib/storage.ts";

const lockName = "fava-page";

/**
 * Which tab holds the chat socket, the camera and the call (docs/decisions/001-one-tab-holds-the-call.md). The browser
 * frees the lock by itself when a tab dies, so nobody waits for a tab that is gone.
 */
export class TabLeaderLock {
  readonly #locks: LockManager;
  readonly #onLost: () => void;
  #release: (() => void) | null = null;
  /** One request after the other: a tab that asks twice at once would steal from itself. */
  #turn: Promise<unknown> = Promise.resolve();
  /** The browser knows that this tab has no lock; before that it would refuse the next request. */
  #gone: Promise<unknown> = Promise.resolve();
  /** This tab's place behind the tab that has the hold; `over` when it came, or was given up. */
  #line: { owner: AbortController; over: Promise<void> } | null = null;

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

  /** Takes the hold from whichever tab has it; that tab ends its call and says so. */
  async take(): Promise<void> {
    await this.#request({ steal: true });
  }

  /**
   * Takes the hold as soon as no tab before this one has it, and tells so; until then the tab waits in line, once. Given
   * up by `release`, and by asking otherwise.
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

  /** Lets another tab have it; this one does not wait in line any more either. */
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

  /** The hold may have come just before: then the tab has it. */
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
