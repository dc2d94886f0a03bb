import type { Epoch } from "#ports/room-claims.ts";
import type { Matched, RoomChatMessage } from "./live-room.ts";
import type { CallEventKind, EndReason, Side } from "./room-machine.ts";

/**
 * This side's picture is shown to the other, kept from them, or kept from them for nothing but what the other says to
 * have received.
 */
export type ShownKind = "shown" | "hidden" | "doubted";

type People = { readonly [Which in Side]: Matched };

/** A room was made, and both were told. */
export interface RoomMatched {
  /** Id of the room. */
  readonly id: string;
  readonly kind: "matched";
  readonly side: null;
  readonly people: People;
  /** Resolves when the room is written down as this process's: before that nothing may be charged for it. */
  readonly claim: Promise<Epoch>;
  /**
   * The call was live at a process that has died: what that one knew of it besides the database is not known, and neither
   * of the two is there yet.
   */
  readonly isAdopted?: boolean;
}

/** Something that happened in a room that runs. */
export interface RoomChanged {
  /** Id of the room. */
  readonly id: string;
  /**
   * That the browsers have agreed, what is shown, that a frame was judged, and that a page is back, is known to consumers
   * only, and not written down.
   */
  readonly kind: Exclude<CallEventKind, "matched" | "ended"> | ShownKind | "answered" | "page_back" | "looked";
  /** Whose doing it was; null for what concerns both. */
  readonly side: Side | null;
  readonly people: People;
}

/** A chat line was delivered, or refused by the text rules. */
interface LineTaken extends RoomChatMessage {
  readonly kind: "line";
}

/** A room is over, and both were told. */
export interface RoomEnded {
  /** Id of the room. */
  readonly id: string;
  readonly kind: "ended";
  readonly reason: EndReason;
  readonly wasLive: boolean;
  /** Who left; null where it was nobody's doing. */
  readonly side: Side | null;
  readonly people: People;
  /** Whose browser has shown that it knew of the match. */
  readonly joined: { readonly [Which in Side]: boolean };
}

export type RoomEvent = RoomMatched | RoomChanged | LineTaken | RoomEnded;

/** Hears of everything that happens in rooms. */
export interface RoomEventConsumer {
  onRoomEvent(event: RoomEvent): void;
}

interface RoomEventsOptions {
  logger: { error(details: object, message: string): void };
}

/**
 * What happens in rooms, as one stream: every consumer hears of every event, in the order in which they happened. An
 * event that a consumer brings about comes after the one that it is hearing of, for all of them.
 */
export class RoomEvents {
  readonly #options: RoomEventsOptions;
  /** Events that happened while another is being told of. */
  readonly #waiting: RoomEvent[] = [];
  #consumers: readonly RoomEventConsumer[] | null = null;
  #isDelivering = false;

  constructor(options: RoomEventsOptions) {
    this.#options = options;
  }

  /**
   * Names the consumers, each of which hears of an event before those after it. To be called once, before anything
   * happens in rooms; apart from the constructor, since consumers act on the rooms that they hear of.
   */
  deliverTo(consumers: readonly RoomEventConsumer[]): void {
    if (this.#consumers) throw new Error("the consumers of room events are named already");
    this.#consumers = consumers;
  }

  /** Returns when every consumer has heard of the event, unless one of them is just hearing of another. */
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

  /** A consumer that throws keeps no other from hearing of the event. */
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
