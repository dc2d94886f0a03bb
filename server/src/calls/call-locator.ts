import { RetryPauses } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import { type PeerRequests, NoOwnerError, type Peers, PeerTimeoutError, processKey } from "#ports/peers.ts";
import type { ProcessId } from "#ports/room-claims.ts";
import type { CallTickets } from "./call-tickets.ts";
import type { MeterService } from "./meter-service.ts";
import type { CallLocation, CallRecovery, RunningCalls } from "./room-claims.ts";
import type { CallService } from "./room-service.ts";

const takenWithinMs = 1_000;
const lookAgainMs = 25;

interface CallLocatorOptions {
  self: ProcessId;
  peers: Pick<Peers, "ask" | "serve">;
  calls: Pick<CallService, "otherIn" | "stayed" | "takenOver" | "roomMessage">;
  meters: Pick<MeterService, "settle">;
  runningCalls: Pick<RunningCalls, "placeOf">;
  recovery: Pick<CallRecovery, "take">;
  tickets: Pick<CallTickets, "roomOf">;
  clock: Clock;
}

/** Finds the call of a connecting user. Adopts it from a server that is dead, or that stops and sent the page here. */
export class CallLocator implements Disposable {
  readonly #options: CallLocatorOptions;
  readonly #pauses: RetryPauses;
  readonly #serving: readonly Disposable[];

  constructor(options: CallLocatorOptions) {
    this.#options = options;
    this.#pauses = new RetryPauses(options.clock);
    const { peers, calls, meters } = options;
    this.#serving = [
      peers.serve("settleCall", async ({ roomId }) => {
        await meters.settle(roomId);
        return null;
      }),
      peers.serve("callTaken", async ({ server, roomId, userId, epoch }) => {
        calls.takenOver(userId, roomId, { server, epoch });
        return null;
      }),
      peers.serve("roomMessage", async ({ userId, message }) => {
        calls.roomMessage(userId, message);
        return null;
      }),
    ];
  }

  /** The server with the user's call; null if it is this one or there is none. Without valid ticket: any call. */
  findByTicket(userId: bigint, ticket: string | null): Promise<ProcessId | null> {
    return this.find(userId, ticket === null ? null : this.#options.tickets.roomOf(ticket, userId));
  }

  /** As `findByTicket`, for the call `roomId`; null: for any running call of the user. */
  async find(userId: bigint, roomId: string | null): Promise<ProcessId | null> {
    const { self, calls, runningCalls, clock } = this.#options;
    const untilMs = clock.monotonicMs() + takenWithinMs;
    while (calls.otherIn(userId) === null) {
      const place = await runningCalls.placeOf(userId, roomId);
      if (!place) return null;
      if (place.owner !== self) {
        if (place.isOwnerAlive && !place.isLeaving) return place.owner;
        // A call that is not live yet stays at its stopping server.
        if (place.isOwnerAlive && !place.isLive) return null;
        if (await this.#take(userId, place)) return null;
      }
      // A server, perhaps this one for the partner's page, is adopting the call, and has not made its room yet.
      if (this.#pauses.isOver || clock.monotonicMs() >= untilMs) return null;
      await this.#pauses.wait(lookAgainMs);
    }
    return null;
  }

  async #take(userId: bigint, { id: roomId, owner, isOwnerAlive }: CallLocation): Promise<boolean> {
    const { self: server, recovery } = this.#options;
    const leaving = isOwnerAlive ? owner : null;
    if (leaving !== null) await this.#ask("settleCall", leaving, { roomId });
    const epoch = await recovery.take(roomId, owner);
    if (epoch !== null && leaving !== null) await this.#ask("callTaken", leaving, { server, roomId, userId, epoch });
    return epoch !== null;
  }

  /** If the old owner does not answer, the running minute is free. The fence rejects later charges (rule CALL-131). */
  async #ask<Kind extends "settleCall" | "callTaken">(
    kind: Kind,
    of: ProcessId,
    input: PeerRequests[Kind]["in"],
  ): Promise<void> {
    await this.#options.peers.ask(kind, processKey(of), input).catch((error: unknown) => {
      if (!(error instanceof NoOwnerError) && !(error instanceof PeerTimeoutError)) throw error;
    });
  }

  /** Call when the user's page reports that it shows the call of this ticket. */
  returned(userId: bigint, ticket: string): void {
    const roomId = this.#options.tickets.roomOf(ticket, userId);
    if (roomId !== null) this.#options.calls.stayed(userId, roomId);
  }

  [Symbol.dispose](): void {
    for (const serving of this.#serving) serving[Symbol.dispose]();
    this.#pauses[Symbol.dispose]();
  }
}
