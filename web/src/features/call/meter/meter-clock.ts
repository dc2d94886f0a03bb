import type { Meter } from "@fava/wire/meter.ts";

/** The last meter that the server sent, and when it arrived, in milliseconds since the epoch. */
export interface TimedMeter {
  readonly meter: Meter;
  readonly atMs: number;
}

export interface MeterReading extends Pick<Meter, "price" | "clock" | "stopped" | "spent" | "balance" | "limit"> {
  /** Counted time of the call, and the free time and what is left of it, in milliseconds. */
  readonly countedMs: number;
  readonly freeMs: number;
  readonly freeLeftMs: number;
  /** Counted time until beans or cap end the call, in milliseconds. */
  readonly leftMs: number;
}

const minuteMs = 60_000;
const secondMs = 1_000;

/**
 * Extrapolates the server's last meter to `nowMs`: only while the clock runs, never past the end, and never below zero.
 */
export function readMeter({ meter, atMs }: TimedMeter, nowMs: number): MeterReading {
  const sinceMs = meter.clock === "stopped" ? 0 : Math.min(Math.max(0, nowMs - atMs), meter.left_ms);
  const countedMs = meter.counted_ms + sinceMs;
  const freeLeftMs = Math.max(0, meter.free_ms - countedMs);
  const more = Math.max(0, costOf(meter, countedMs) - costOf(meter, meter.counted_ms));
  const { price, stopped, limit } = meter;
  return {
    price,
    stopped,
    limit,
    clock: meter.clock === "free" && freeLeftMs === 0 ? "running" : meter.clock,
    spent: meter.spent + more,
    balance: Math.max(0, meter.balance - more),
    countedMs,
    freeMs: meter.free_ms,
    freeLeftMs,
    leftMs: Math.max(0, meter.left_ms - sinceMs),
  };
}

/** The meter when media stop on this page. The server sends this a moment later, or never on a lost socket. */
export function stopMeter(timed: TimedMeter, nowMs: number): TimedMeter {
  const { spent, balance, countedMs, leftMs } = readMeter(timed, nowMs);
  const counted = { spent, balance, counted_ms: countedMs, left_ms: leftMs };
  return { meter: { ...timed.meter, ...counted, clock: "stopped", stopped: "reconnecting" }, atMs: nowMs };
}

/** The cost of the counted time in beans: full minutes, and the last one by full seconds, rounded up once. */
function costOf({ price, free_ms }: Meter, countedMs: number): number {
  const paidMs = Math.max(0, countedMs - free_ms);
  const minutes = BigInt(Math.floor(paidMs / minuteMs));
  const seconds = BigInt(Math.floor((paidMs % minuteMs) / secondMs));
  return Number(BigInt(price) * minutes + (BigInt(price) * seconds + 59n) / 60n);
}
