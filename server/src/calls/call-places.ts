import { Pauses } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import { type Asked, NobodyThereError, type Peers, PeerSilentError, processKey } from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import type { CallTickets } from "./call-tickets.ts";
import type { MeterService } from "./meter-service.ts";
import type { CallRecovery, RunningCalls } from "./room-claims.ts";
import type { CallService } from "./room-service.ts";

/** Another server is just taking the call: it has it within this time, or has failed. */
const takenWithinMs = 1_000;
const lookAgainMs = 25;

interface CallPlacesOptions {
  /** This server. */
  self: ProcessId;
  peers: Pick<Peers, "ask" | "serve">;
  calls: Pick<CallService, "otherIn" | "stayed" | "takenOver">;
  meters: Pick<MeterService, "settle">;
  runningCalls: Pick<RunningCalls, "placeOf">;
  recovery: Pick<CallRecovery, "take">;
  tickets: Pick<CallTickets, "roomOf">;
  clock: Clock;
}

/**
 * Where the call of somebody is who says hello here. A call whose server is gone is this server's from then on: the page
 * that has lost its server is a witness, so that nobody waits for the judgement of others (rule CALL-161). So is a call
 * whose server is about to stop, which has told the page to come here (rule START-125).
 */
export class CallPlaces implements Disposable {
  readonly #options: CallPlacesOptions;
  readonly #pauses: Pauses;
  readonly #serving: readonly Disposable[];

  constructor(options: CallPlacesOptions) {
    this.#options = options;
    this.#pauses = new Pauses(options.clock);
    const { peers, calls, meters } = options;
    this.#serving = [
      peers.serve("settleCall", async ({ roomId }) => {
        await meters.settle(roomId);
        return null;
      }),
      peers.serve("callTaken", async ({ roomId, userId }) => {
        calls.takenOver(userId, roomId);
        return null;
      }),
    ];
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
      if (!place || place.owner === self) return null;
      if (place.isOwnerAlive && !place.isLeaving) return place.owner;
      // Two who are just being connected are, or are not, at the server that stops.
      if (place.isOwnerAlive && !place.isLive) return null;
      const leaving = place.isOwnerAlive ? place.owner : null;
      if (leaving !== null) await this.#ask("settleCall", leaving, { roomId: place.id });
      if (await recovery.take(place.id, place.owner)) {
        if (leaving !== null) await this.#ask("callTaken", leaving, { roomId: place.id, userId });
        return null;
      }
      if (this.#pauses.isOver || clock.monotonicMs() >= untilMs) return null;
      await this.#pauses.wait(lookAgainMs);
    }
    return null;
  }

  /** One that does not answer gives away the minute that runs, and reads of it when it charges the call (rule CALL-131). */
  async #ask<Kind extends "settleCall" | "callTaken">(
    kind: Kind,
    of: ProcessId,
    input: Asked[Kind]["in"],
  ): Promise<void> {
    await this.#options.peers.ask(kind, processKey(of), input).catch((error: unknown) => {
      if (!(error instanceof NobodyThereError) && !(error instanceof PeerSilentError)) throw error;
    });
  }

  /** The person's page is in this call: it need not ask for it. */
  returned(userId: bigint, ticket: string): void {
    const roomId = this.#options.tickets.roomOf(ticket, userId);
    if (roomId !== null) this.#options.calls.stayed(userId, roomId);
  }

  /** Waits for no other server any more. */
  [Symbol.dispose](): void {
    for (const serving of this.#serving) serving[Symbol.dispose]();
    this.#pauses[Symbol.dispose]();
  }
}
