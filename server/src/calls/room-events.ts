import type { Epoch } from "#ports/room-claims.ts";
import type { Matched, RoomChatMessage } from "./live-room.ts";
import type { CallEventKind, EndReason, Side } from "./room-machine.ts";

/** Whether the partner sees this side's video; `doubted`: hidden only because of frames from the partner's page. */
export type ShownKind = "shown" | "hidden" | "doubted";

type People = { readonly [Which in Side]: Matched };

export interface RoomMatched {
  readonly id: string;
  readonly kind: "matched";
  readonly side: null;
  readonly people: People;
  /** Nothing may be charged before this resolves. */
  readonly claim: Promise<Epoch>;
  /** Continues from a dead server; neither user has connected to this one yet. */
  readonly isAdopted?: boolean;
}

export interface RoomChanged {
  readonly id: string;
  /** Only consumers get `ShownKind`, `answered` (browsers have negotiated), `page_back` and `looked`: not stored. */
  readonly kind: Exclude<CallEventKind, "matched" | "ended"> | ShownKind | "answered" | "page_back" | "looked";
  /** The side that caused the event; null if it concerns both. */
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
  /** Per side, whether the browser has shown that it received the match. */
  readonly joined: { readonly [Which in Side]: boolean };
}

export type RoomEvent = RoomMatched | RoomChanged | LineTaken | RoomEnded;

export interface RoomEventConsumer {
  onRoomEvent(event: RoomEvent): void;
}

interface RoomEventsOptions {
  logger: { error(details: object, message: string): void };
}

/** Every consumer receives every event in order, also the events that consumers cause. */
export class RoomEvents {
  readonly #options: RoomEventsOptions;
  /** Events that wait while an earlier one is delivered. */
  readonly #waiting: RoomEvent[] = [];
  #consumers: readonly RoomEventConsumer[] | null = null;
  #isDelivering = false;

  constructor(options: RoomEventsOptions) {
    this.#options = options;
  }

  /** Sets the consumers in the order of delivery, once and before the first event. They act on the rooms themselves. */
  deliverTo(consumers: readonly RoomEventConsumer[]): void {
    if (this.#consumers) throw new Error("the consumers of room events are already set");
    this.#consumers = consumers;
  }

  /** Returns when every consumer has handled the event. During a delivery it only queues the event. */
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

  /** If a consumer throws, the other consumers still receive the event. */
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
