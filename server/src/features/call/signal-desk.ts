import type { Signal } from "@fava/wire/signals.ts";
import { signalBatchesMax, signalBytesMax, signalDescriptionsMax, signalWindowMs } from "@fava/wire/limits.ts";

/** The signals of one person in one room: what two browsers need to agree, and no stream of data (rule SOCKET-80). */
export class SignalDesk {
  #sinceMs: number;
  #descriptions = 0;
  #batches = 0;
  #bytes = 0;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  /** Whether this one may go on; counted from a moment on for `signalWindowMs`. */
  take(signal: Signal, nowMs: number): boolean {
    if (nowMs - this.#sinceMs >= signalWindowMs) {
      this.#sinceMs = nowMs;
      this.#descriptions = this.#batches = this.#bytes = 0;
    }
    if (signal.type === "candidates") this.#batches += 1;
    else this.#descriptions += 1;
    this.#bytes += bytesOf(signal);
    return (
      this.#descriptions <= signalDescriptionsMax && this.#batches <= signalBatchesMax && this.#bytes <= signalBytesMax
    );
  }
}

/** Without the frame around it. */
function bytesOf(signal: Signal): number {
  switch (signal.type) {
    case "offer":
    case "answer":
      return signal.sdp.length;
    case "candidates":
      return signal.candidates.reduce((sum, { candidate }) => sum + candidate.length, 0);
    case "restart":
      return 0;
  }
}
