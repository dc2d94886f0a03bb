import type { Meter } from "@fava/wire/meter.ts";
import type { InRoom } from "#features/call/machine/call-state.ts";
import { useConnection } from "#lib/socket/connection.ts";
import { halfSecondMs, useNow } from "#lib/use-now.ts";
import { type MeterReading, readMeter } from "./meter-clock.ts";

/**
 * Why nothing is counted; null while time counts. Whether it counts the server decides, which does not
 * believe what this side alone says for ever (rule BEANS-273); why not is said as this page sees it.
 */
export function stopOf(room: InRoom): Meter["stopped"] {
  if (room.status === "connecting") return "connecting";
  const word = room.meter?.meter;
  if (word && word.clock !== "stopped") return null;
  if (room.media === "reconnecting") return "reconnecting";
  // A camera that is off is looked at anew once it is on: until then the person reads what they can see.
  if (word?.stopped === "camera_off" || word?.stopped === "network") return word.stopped;
  if (room.shield.other !== "clear") return "blurred";
  return word?.stopped ?? "connecting";
}

/**
 * The meter now, or as it was when Fava was last heard of; null until the server has said something. The component
 * renders twice a second.
 */
export function useReading(room: InRoom): MeterReading | null {
  const now = useNow(halfSecondMs);
  const { reach, sinceMs } = useConnection();
  return room.meter && readMeter(room.meter, reach === "fine" ? now : sinceMs);
}

/** Seconds that are left, as a countdown shows them: 1 stands until the end. */
export function secondsLeft({ leftMs }: MeterReading): number {
  return Math.ceil(leftMs / 1_000);
}

const lastCallSeconds = 10;

/** What a reader is told of the countdown: where it began, and then that ten seconds are left. */
export function spokenSeconds(first: number, now: number): number {
  return now <= lastCallSeconds ? Math.min(first, lastCallSeconds) : first;
}
