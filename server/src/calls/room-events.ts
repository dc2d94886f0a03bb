import type { Epoch } from "#ports/room-claims.ts";
import type { Matched, RoomChatMessage } from "./live-room.ts";
import type { CallEventKind, EndReason, Side } from "./room-machine.ts";

/**
 * Whether the partner sees this side's video. `doubted`: it is hidden only because of frames that the partner's page
 * sent as received.
 */
export type ShownKind = "shown" | "hidden" | "doubted";

type People = { readonly [Which in Side]: Matched };

export interface RoomMatched {
  readonly id: string;
  readonly kind: "matched";
  readonly side: null;
  readonly people: People;
  /** Resolves when the database has the room as this server's. Nothing may be charged before that. */
  readonly claim: Promise<Epoch>;
  /**
   * The call was live at a dead server. Only its state in the database is known, and neither user has connected to this
   * server yet.
   */
  readonly isAdopted?: boolean;
}

export interface RoomChanged {
  readonly id: string;
  /**
   * Not stored, for consumers only: the kinds of `ShownKind`; the browsers have negotiated (`answered`), a page is back
   * (`page_back`), a frame was judged (`looked`).
   */
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
  /** The side that left; null if neither did. */
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

/**
 * One stream of the events of all rooms. Every consumer receives every event in order. An event that a consumer causes
 * follows, for all consumers, after the event that it is handling.
 */
export class RoomEvents {
  readonly #options: RoomEventsOptions;
  /** Events that wait while an earlier one is delivered. */
  readonly #waiting: RoomEvent[] = [];
  #consumers: readonly RoomEventConsumer[] | null = null;
  #isDelivering = false;

  constructor(options: RoomEventsOptions) {
    this.#options = options;
  }

  /**
   * Sets the consumers in the order of delivery. Must be called once, before the first event. It is not part of the
   * constructor because consumers act on the rooms whose events they receive.
   */
  deliverTo(consumers: readonly RoomEventConsumer[]): void {
    if (this.#consumers) throw new Error("the consumers of room events are named already");
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
    if (!this.#consumers) throw new Error("something happened in a room before its consumers were named");
    for (const consumer of this.#consumers) {
      try {
        consumer.onRoomEvent(event);
      } catch (error) {
        this.#options.logger.error({ err: error, callId: event.id, event: event.kind }, "a room event was not taken");
      }
    }
  }
}
