import { Timers } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import type { RoomMessage } from "#ports/hub-listener.ts";
import { type Peers, processKey } from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";

/** Longer than a stopping server runs, and than a page needs to move. */
const forwardedMs = 60_000;

interface MovedCallsOptions {
  peers: Pick<Peers, "ask">;
  clock: Clock;
}

/** Forwards messages to the server that took a call, since the two pages move one after the other (decision 055). */
export class MovedCalls implements Disposable {
  readonly #options: MovedCallsOptions;
  readonly #servers = new Map<string, ProcessId>();
  readonly #timers: Timers;

  constructor(options: MovedCallsOptions) {
    this.#options = options;
    this.#timers = new Timers(options.clock);
  }

  taken(roomId: string, server: ProcessId): void {
    this.#servers.set(roomId, server);
    this.#timers.after(forwardedMs, () => this.#servers.delete(roomId));
  }

  /**
   * Calls `refused` if the other server does not answer.
   * @returns false if no other server has taken the room.
   */
  forward(userId: bigint, message: RoomMessage, refused: () => void): boolean {
    const server = this.#servers.get(message.roomId);
    if (server === undefined) return false;
    this.#options.peers.ask("roomMessage", processKey(server), { userId, message }).catch(refused);
    return true;
  }

  [Symbol.dispose](): void {
    this.#timers[Symbol.dispose]();
  }
}
