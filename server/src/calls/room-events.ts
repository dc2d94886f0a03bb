import type { Epoch } from "#ports/room-claims.ts";
import type { Matched, RoomChatMessage } from "./live-room.ts";
import type { CallEventKind, EndReason, Side } from "./room-machine.ts";

/**
 * Whether the partner sees this side's video. `doubted`: hidden only because of frames from the partner's page. `still`:
 * shown, but it does not move.
 */
export type ShownKind = "shown" | "hidden" | "doubted" | "still";

type People = { readonly [Which in Side]: Matched };

export interface RoomMatched {
  readonly id: string;
  readonly kind: "matched";
  readonly side: null;
  readonly people: People;
  /** Resolves when the room is stored. Nothing may be charged before. */
  readonly claim: Promise<Epoch>;
  /** The call was adopted from a dead server, and neither user has connected to this server yet. */
  readonly isAdopted?: boolean;
}

export interface RoomChanged {
  readonly id: string;
  /** Not stored: `ShownKind`, `answered` (offer and answer exchanged), `page_back`, `looked` (a frame was judged). */
  readonly kind: Exclude<CallEventKind, "matched" | "ended"> | ShownKind | "answered" | "page_back" | "looked";
  /** The side that the event is about; null for both. */
  readonly side: Side | null;
  readonly people: People;
}

interface LineTaken extends RoomChatMessage {
  readonly kind: "line";
}

export interface RoomEnded {
  readonly id: string;
  readonly kind: "ended";
  readonly reason: EndReason;
  readonly wasLive: boolean;
  readonly side: Side | null;
  readonly people: People;
  /** Per side, whether the page has shown that it received the match. */
  readonly joined: { readonly [Which in Side]: boolean };
}

export type RoomEvent = RoomMatched | RoomChanged | LineTaken | RoomEnded;

export interface RoomEventConsumer {
  onRoomEvent(event: RoomEvent): void;
}

interface RoomEventsOptions {
  logger: { error(details: object, message: string): void };
}

/** Delivers each event to every consumer in order, also events that consumers publish. */
export class RoomEvents {
  readonly #options: RoomEventsOptions;
  /** Events published during the delivery of an earlier one. */
  readonly #waiting: RoomEvent[] = [];
  #consumers: readonly RoomEventConsumer[] | null = null;
  #isDelivering = false;

  constructor(options: RoomEventsOptions) {
    this.#options = options;
  }

  /** Sets the consumers in the order of delivery. Call once, before the first event. */
  deliverTo(consumers: readonly RoomEventConsumer[]): void {
    if (this.#consumers) throw new Error("the consumers of room events are already set");
    this.#consumers = consumers;
  }

  /** Delivers the event to all consumers before it returns. During a delivery it only queues the event. */
  publish(event: RoomEvent): void {
    this.#waiting.push(event);
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    try {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) this.#deliver(next);
    } finally {
      this.#isDelivering = false;
    }
  }

  /** An error of one consumer is logged, and the others still receive the event. */
  #deliver(event: RoomEvent): void {
    if (!this.#consumers) throw new Error("a room event was published before its consumers were set");
    for (const consumer of this.#consumers) {
      try {
        consumer.onRoomEvent(event);
      } catch (error) {
        this.#options.logger.error(
          { err: error, callId: event.id, event: event.kind },
          "consumer failed to handle a room event",
        );
      }
    }
  }
}
