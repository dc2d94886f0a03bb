import type { Meter } from "@fava/wire/meter.ts";
import type { InRoom } from "#features/call/machine/call-state.ts";
import { useConnection } from "#lib/socket/connection.ts";
import { halfSecondMs, useNow, useTimed } from "#lib/use-now.ts";
import { type MeterReading, readMeter } from "./meter-clock.ts";

/**
 * Why the meter is paused; null while it counts. The server decides whether it counts, and does not trust one page for
 * ever (rule BEANS-273). The page decides which reason it shows.
 */
export function meterStopReason(room: InRoom): Meter["stopped"] {
  if (room.status === "connecting") return "connecting";
  const meter = room.meter?.meter;
  if (meter && meter.clock !== "stopped") return null;
  if (room.media === "reconnecting") return "reconnecting";
  // A camera that is turned on is inspected again: until then the user reads what they can see.
  if (meter?.stopped === "camera_off" || meter?.stopped === "network") return meter.stopped;
  if (room.shield.other !== "clear") return "blurred";
  return meter?.stopped ?? "connecting";
}

/**
 * The meter now, or as of the last contact with the server; null before its first message. The component renders twice
 * a second.
 */
export function useReading(room: InRoom): MeterReading | null {
  const now = useNow(halfSecondMs);
  const { reach, sinceMs } = useConnection();
  return room.meter && readMeter(room.meter, reach === "fine" ? now : sinceMs);
}

/** The balance of that reading; the component renders only when it changes. */
export function useRunningBalance(room: InRoom): number {
  return useRunning(room, ({ balance }) => balance);
}

/** The seconds until the video ends; the component renders only when they change. */
export function useRunningSeconds(room: InRoom): number {
  return useRunning(room, secondsLeft);
}

function useRunning({ meter }: InRoom, pick: (reading: MeterReading) => number): number {
  const { reach, sinceMs } = useConnection();
  return useTimed(halfSecondMs, () => (meter ? pick(readMeter(meter, reach === "fine" ? Date.now() : sinceMs)) : 0));
}

/** The seconds of a countdown: 1 stays until the end. */
export function secondsLeft({ leftMs }: MeterReading): number {
  return Math.ceil(leftMs / 1_000);
}

const lastCallSeconds = 10;

/** The seconds that a screen reader announces: where the countdown started, then ten. */
export function spokenSeconds(first: number, now: number): number {
  return now <= lastCallSeconds ? Math.min(first, lastCallSeconds) : first;
}
