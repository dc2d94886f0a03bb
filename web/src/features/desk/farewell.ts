import type { PreparedCall } from "#lib/api/prepared-call.ts";

/**
 * The calls of the decision that can still be undone, signed ahead, for the moment when the page goes away (rule
 * DESK-104).
 */
export class Farewell {
  #wanted = "";
  #ready: { key: string; calls: readonly PreparedCall[] } | null = null;

  /** Makes the calls of the decision named `key` ready, in place of those before. Never rejects. */
  async prepare(key: string, making: readonly Promise<PreparedCall>[]): Promise<void> {
    this.#wanted = key;
    this.#ready = null;
    try {
      const calls = await Promise.all(making);
      if (this.#wanted === key) this.#ready = { key, calls };
    } catch (error) {
      console.info("not signed ahead", error);
    }
  }

  /** Sends them in this very turn; null where they are not ready, and the usual way has to do. */
  send(key: string): Promise<void> | null {
    if (this.#ready?.key !== key) return null;
    const { calls } = this.#ready;
    this.#ready = null;
    return Promise.all(calls.map((call) => call())).then(
      () => undefined,
      (error: unknown) => console.info("not sent while leaving", error),
    );
  }
}
