import { expect, test } from "vitest";
import { signalBatchesMax, signalBytesMax, signalDescriptionsMax, signalWindowMs } from "@fava/wire/limits.ts";
import type { Signal } from "@fava/wire/signals.ts";
import { SignalLimiter } from "./live-room.ts";

const offer = (sdp: string): Signal => ({ type: "offer", generation: 0, sdp });
const batch = (candidate: string): Signal => ({
  type: "candidates",
  generation: 0,
  candidates: [{ candidate, sdpMid: "0", sdpMLineIndex: 0 }],
});

test.each([
  ["descriptions", offer("v=0"), signalDescriptionsMax],
  ["restarts, which ask for one", { type: "restart", generation: 0 } as const, signalDescriptionsMax],
  ["batches of candidates", batch("candidate:1"), signalBatchesMax],
  ["bytes in few", offer("a".repeat(16_384)), signalBytesMax / 16_384],
])("passes a limited number of %s in ten seconds, and as many in the next", (_, signal, most) => {
  const desk = new SignalLimiter(0);
  for (const fromMs of [0, signalWindowMs]) {
    for (let count = 0; count < most; count += 1) expect(desk.take(signal, fromMs + count)).toBe(true);
    expect(desk.take(signal, fromMs + most)).toBe(false);
    expect(desk.take(signal, fromMs + signalWindowMs - 1)).toBe(false);
  }
});
