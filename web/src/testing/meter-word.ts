import type { Meter } from "@fava/wire/meter.ts";
import { type Push, pushCodes } from "@fava/wire/pushes.ts";

/** A word of the server on the meter: the second paid minute runs, ten seconds were free. */
export function meterWord(change: Partial<Meter> = {}): Meter {
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

/** The push that brings such a word: the call goes on, and `isEnough` says whether its next minute is covered. */
export function meterPush(roomId: string, meter: Meter, { isEnough = true } = {}): Push {
  return { code: pushCodes.callMessage, roomId, type: 1, is_enough: isEnough ? 1 : 0, meter };
}

/** Beans or cap have ended the call. */
export function ranOutPush(roomId: string, meter: Meter): Push {
  return { code: pushCodes.callMessage, roomId, type: 2, is_enough: 0, meter };
}
