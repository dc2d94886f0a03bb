import type { Meter } from "@fava/wire/meter.ts";
import { type Push, pushCodes } from "@fava/wire/pushes.ts";

/** A meter of the server: the second paid minute runs, after ten free seconds. */
export function testMeter(change: Partial<Meter> = {}): Meter {
  return {
    price: 1_600,
    clock: "running",
    stopped: null,
    counted_ms: 80_000,
    free_ms: 10_000,
    spent: 1_867,
    balance: 48_133,
    left_ms: 1_790_000,
    limit: "balance",
    ...change,
  };
}

/** The push with such a meter: the call continues, and `isEnough` says whether its next minute is covered. */
export function meterPush(roomId: string, meter: Meter, { isEnough = true } = {}): Push {
  return { code: pushCodes.callMessage, roomId, type: 1, is_enough: isEnough ? 1 : 0, meter };
}

/** Beans or cap have ended the call. */
export function ranOutPush(roomId: string, meter: Meter): Push {
  return { code: pushCodes.callMessage, roomId, type: 2, is_enough: 0, meter };
}
