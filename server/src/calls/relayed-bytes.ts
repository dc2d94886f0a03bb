import { boundedCache } from "#lib/cache.ts";
import type { Clock } from "#ports/clock.ts";
import type { HubListener } from "#ports/hub-listener.ts";
import type { DayTotals } from "#ports/live-counts.ts";
import type { RoomEvent, RoomEventConsumer } from "./room-events.ts";

/** Users of this server's latest calls, whose pages may report. */
const sidesMax = 100_000;
/** A page cannot receive more: three times what another page sends at most. */
const bytesPerSecondMax = 500_000;

interface Side {
  readonly roomId: string;
  readonly sinceMs: number;
  /** Null while the call runs. */
  endedMs: number | null;
  bytes: number;
  hasReported: boolean;
}

/**
 * Adds up what pages received through the relay in calls with both videos. No relay tells it: coturn's counters of a
 * session lag by up to 2,048 packets and vanish with it. A modified page can report a wrong number, within a limit.
 */
export class RelayedBytes implements RoomEventConsumer, Pick<HubListener, "relayed"> {
  readonly #clock: Clock;
  /** By user: the latest call. */
  readonly #sides = boundedCache<bigint, Side>({ entriesMax: sidesMax });
  #bytes = 0;
  #sidesReported = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Since the server started. */
  get totals(): DayTotals["relayed"] {
    return { bytes: this.#bytes, sides: this.#sidesReported };
  }

  onRoomEvent(event: RoomEvent): void {
    if (event.kind !== "live" && event.kind !== "ended") return;
    const nowMs = this.#clock.monotonicMs();
    for (const { userId } of [event.people.offerer, event.people.answerer]) {
      if (event.kind === "live")
        this.#sides.set(userId, { roomId: event.id, sinceMs: nowMs, endedMs: null, bytes: 0, hasReported: false });
      else {
        const side = this.#sides.get(userId);
        if (side?.roomId === event.id) side.endedMs = nowMs;
      }
    }
  }

  /** A page reports once for each connection of the room, of which the last one ends with the call. */
  relayed(userId: bigint, roomId: string, bytes: number): void {
    const side = this.#sides.get(userId);
    if (side?.roomId !== roomId) return;
    const untilMs = side.endedMs ?? this.#clock.monotonicMs();
    const bytesMax = Math.ceil(((untilMs - side.sinceMs) / 1_000) * bytesPerSecondMax);
    const counted = Math.min(bytes, bytesMax - side.bytes);
    if (counted <= 0) return;
    if (!side.hasReported) this.#sidesReported += 1;
    side.hasReported = true;
    side.bytes += counted;
    this.#bytes += counted;
  }
}
