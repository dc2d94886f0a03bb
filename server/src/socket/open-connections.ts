import type { Clock } from "#ports/clock.ts";
import type { Connection } from "./chat-session.ts";

/** How long the other ends may take for their goodbye. */
const stopGraceMs = 2_000;

/** The sockets that are open, whoever they belong to. */
export class OpenConnections implements Iterable<Connection> {
  readonly #open = new Set<Connection>();
  #emptied: (() => void) | null = null;

  get size(): number {
    return this.#open.size;
  }

  [Symbol.iterator](): Iterator<Connection> {
    return this.#open.values();
  }

  add(connection: Connection): void {
    this.#open.add(connection);
  }

  delete(connection: Connection): void {
    this.#open.delete(connection);
    if (this.#open.size === 0) this.#emptied?.();
  }

  /** Waits until all are closed, and cuts those that are not in time. */
  async allClosed(clock: Clock): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      const grace = clock.after(stopGraceMs, () => {
        for (const { socket } of this.#open) socket.terminate();
      });
      this.#emptied = () => {
        grace[Symbol.dispose]();
        resolve();
      };
    });
  }
}
