import { quietHours } from "@fava/wire/notifications.ts";
import { formatClock } from "#lib/format.ts";

/** The quiet hours as clock times, for the texts that name them. */
export function quietTimes(): { from: string; to: string } {
  // Minutes of a day relate to hours as seconds to minutes.
  return { from: formatClock(quietHours.fromMin), to: formatClock(quietHours.toMin) };
}
