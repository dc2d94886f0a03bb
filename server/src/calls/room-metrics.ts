import { Counter, Histogram, type Registry } from "prom-client";
import type { Clock } from "#ports/clock.ts";
import type { RoomEvent, RoomEventConsumer } from "./room-events.ts";

/** Counts how calls begin and end at this server. A relay that fails shows here: pairs match and never connect. */
export class RoomMetrics implements RoomEventConsumer {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #connectSeconds: Histogram;
  readonly #ended: Counter<"reason" | "connected">;
  /** By room that is not connected yet, when it was made. */
  readonly #madeAtMs = new Map<string, number>();

  constructor(metrics: Registry, clock: Pick<Clock, "monotonicMs">) {
    const registers = [metrics];
    this.#clock = clock;
    this.#connectSeconds = new Histogram({
      name: "fava_call_connect_seconds",
      help: "Time from a match until both users had video",
      buckets: [0.5, 1, 1.5, 2, 3, 4, 6, 8, 10, 15, 20, 30],
      registers,
    });
    this.#ended = new Counter({
      name: "fava_calls_ended_total",
      help: "Ended calls, by the reason and by whether both users ever had video",
      labelNames: ["reason", "connected"],
      registers,
    });
  }

  onRoomEvent(event: RoomEvent): void {
    if (event.kind === "matched" && !event.isAdopted) this.#madeAtMs.set(event.id, this.#clock.monotonicMs());
    if (event.kind === "live") {
      const madeAtMs = this.#madeAtMs.get(event.id);
      if (madeAtMs !== undefined) this.#connectSeconds.observe((this.#clock.monotonicMs() - madeAtMs) / 1_000);
      this.#madeAtMs.delete(event.id);
    }
    if (event.kind !== "ended") return;
    this.#madeAtMs.delete(event.id);
    this.#ended.inc({ reason: event.reason, connected: event.wasLive ? "yes" : "no" });
  }
}
