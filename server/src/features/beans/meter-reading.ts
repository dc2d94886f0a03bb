import type { Meter } from "@fava/wire/meter.ts";
import { wireInteger } from "#wire-integer.ts";
import {
  beansOf,
  boundaryMs,
  type FreeMeter,
  isCounting,
  isPaused,
  minuteMs,
  type PayingMeter,
  usedMs,
} from "./meter-state.ts";

/** What a push 100_006 says of the meter. */
export interface MeterReading {
  /** 0: the next minute that begins is not covered. */
  readonly isEnough: 0 | 1;
  readonly meter: Meter;
}

/** The meter as the browser reads it, at the moment up to which it has counted (rule PUSH-62). */
export function readMeter(state: FreeMeter | PayingMeter): MeterReading {
  const { price, funds, countedMs, pause } = state;
  const paying = state.kind === "paying" ? state : null;
  const used = paying ? beansOf(price, usedMs(paying)) : 0n;
  const posted = paying ? price * BigInt(paying.minute - 1) : 0n;
  const balance = funds.balance - used;
  const minutesAhead = wireInteger(funds.have / price);
  return {
    // Before the first minute begins, the one after it is the next that may not be covered.
    isEnough: minutesAhead >= (paying ? 1 : 2) ? 1 : 0,
    meter: {
      price: wireInteger(price),
      clock: !isCounting(state) ? "stopped" : paying ? "running" : "free",
      stopped: pause && isPaused(state) ? pause.why : isCounting(state) ? null : "connecting",
      counted_ms: Math.round(countedMs),
      free_ms: Math.round(state.freeMs),
      spent: wireInteger(posted + used),
      balance: balance > 0n ? wireInteger(balance) : 0,
      left_ms: Math.round(boundaryMs(state) - countedMs) + minutesAhead * minuteMs,
      limit: funds.limit,
    },
  };
}
