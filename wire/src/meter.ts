import * as v from "valibot";

/**
 * What a paid filter costs in this call, as the server says it. The browser counts on from `counted_ms` by itself
 * while the clock is `free` or `running`, and takes every new word of the server over its own count.
 */
export const meterSchema = v.object({
  /** Beans a minute, fixed when the match was made. */
  price: v.number(),
  /** `free`: the first seconds, which cost nothing; `stopped`: nothing is counted at the moment. */
  clock: v.picklist(["free", "running", "stopped"]),
  /** Why the clock stands; null while it runs. `network`: the other's picture is paused, because their network is weak. */
  stopped: v.nullable(v.picklist(["connecting", "reconnecting", "network", "camera_off", "blurred"])),
  /** Counted time of this call so far, free seconds among it, in milliseconds. */
  counted_ms: v.number(),
  /** How much of it costs nothing, in milliseconds. */
  free_ms: v.number(),
  /** Beans that the call has cost if it ended now. */
  spent: v.number(),
  /** Beans of this person once these are paid. */
  balance: v.number(),
  /** Counted milliseconds from now until beans or spending cap end the call. */
  left_ms: v.number(),
  /** Which of the two it is. */
  limit: v.picklist(["balance", "cap"]),
});
export type Meter = v.InferOutput<typeof meterSchema>;
