import { quietHours } from "@fava/wire/notifications.ts";
import { formatClock } from "#lib/format.ts";

/** When nothing comes, as clocks show it: the values of the texts that name it. */
export function quietTimes(): { from: string; to: string } {
  // Minutes of a day are to hours as seconds are to minutes.
  return { from: formatClock(quietHours.fromMin), to: formatClock(quietHours.toMin) };
}
