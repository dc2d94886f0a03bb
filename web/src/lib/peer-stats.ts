import { mediaStallMs } from "@fava/wire/limits.ts";

/** Totals of everything received on a connection. */
export interface Received {
  bytes: number;
  framesDecoded: number;
}

export async function readReceived(connection: RTCPeerConnection): Promise<Received> {
  const total: Received = { bytes: 0, framesDecoded: 0 };
  const report = await connection.getStats();
  report.forEach((entry: { type: string; bytesReceived?: number; framesDecoded?: number }) => {
    if (entry.type !== "inbound-rtp") return;
    total.bytes += entry.bytesReceived ?? 0;
    total.framesDecoded += entry.framesDecoded ?? 0;
  });
  return total;
}

export type FlowChange = "first-frame" | "stalled" | "flowing" | null;

/**
 * Watches the totals of one connection: no new bytes for 1.5 s is a stall, which `failed` of ICE would tell only after
 * half a minute (research/webrtc.md section 5; rule CALL-9).
 */
export class FlowWatch {
  #last: Received = { bytes: 0, framesDecoded: 0 };
  #movedAtMs: number | null = null;
  #stalled = false;

  /** Takes a reading; answers what has changed since the last one. Nothing stalls before media has flowed once. */
  step(now: Received, nowMs: number): FlowChange {
    const first = this.#last.framesDecoded === 0 && now.framesDecoded > 0;
    const moved = now.bytes > this.#last.bytes;
    this.#last = now;
    if (moved) this.#movedAtMs = nowMs;
    if (first) return "first-frame";
    if (moved && this.#stalled) {
      this.#stalled = false;
      return "flowing";
    }
    if (this.#stalled || this.#movedAtMs === null || nowMs - this.#movedAtMs < mediaStallMs) return null;
    this.#stalled = true;
    return "stalled";
  }
}
