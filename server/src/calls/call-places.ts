import { Pauses } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import type { CallTickets } from "./call-tickets.ts";
import type { CallRecovery, RunningCalls } from "./room-claims.ts";
import type { CallService } from "./room-service.ts";

/** Another server is just taking the call: it has it within this time, or has failed. */
const takenWithinMs = 1_000;
const lookAgainMs = 25;

interface CallPlacesOptions {
  /** This server. */
  self: ProcessId;
  calls: Pick<CallService, "otherIn" | "stayed">;
  runningCalls: Pick<RunningCalls, "placeOf">;
  recovery: Pick<CallRecovery, "take">;
  tickets: Pick<CallTickets, "roomOf">;
  clock: Clock;
}

/**
 * Where the call of somebody is who says hello here. A call whose server is gone is this server's from then on: the page
 * that has lost its server is a witness, so that nobody waits for the judgement of others (rule CALL-161).
 */
export class CallPlaces implements Disposable {
  readonly #options: CallPlacesOptions;
  readonly #pauses: Pauses;

  constructor(options: CallPlacesOptions) {
    this.#options = options;
    this.#pauses = new Pauses(options.clock);
  }

  /**
   * The server with the person's call; null where it is this one, or there is no call.
   *
   * @param ticket of the page; null: the database is asked for a call of the person.
   */
  async find(userId: bigint, ticket: string | null): Promise<ProcessId | null> {
    const { self, calls, runningCalls, recovery, tickets, clock } = this.#options;
    const roomId = ticket === null ? null : tickets.roomOf(ticket, userId);
    const untilMs = clock.monotonicMs() + takenWithinMs;
    while (calls.otherIn(userId) === null) {
      const place = await runningCalls.placeOf(userId, roomId);
      if (!place || place.owner === self || place.isLeaving) return null;
      if (place.isOwnerAlive) return place.owner;
      if (await recovery.take(place.id, place.owner)) return null;
      if (this.#pauses.isOver || clock.monotonicMs() >= untilMs) return null;
      await this.#pauses.wait(lookAgainMs);
    }
    return null;
  }

  /** The person's page is in this call: it need not ask for it. */
  returned(userId: bigint, ticket: string): void {
    const roomId = this.#options.tickets.roomOf(ticket, userId);
    if (roomId !== null) this.#options.calls.stayed(userId, roomId);
  }

  /** Waits for no other server any more. */
  [Symbol.dispose](): void {
    this.#pauses[Symbol.dispose]();
  }
}
