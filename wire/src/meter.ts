import * as v from "valibot";

/**
 * Cost of a paid filter in this call, computed by the server. While the clock is `free` or `running` the browser counts
 * on from `counted_ms`; each new meter of the server replaces the browser's count.
 */
export const meterSchema = v.object({
  /** Beans a minute, fixed at the match. */
  price: v.number(),
  /** `free`: the free seconds at the start; `stopped`: no time is counted. */
  clock: v.picklist(["free", "running", "stopped"]),
  /**
   * Why the clock is stopped; null while it runs. All but the first two concern the partner's video; `network`: it is
   * paused because the partner's network is weak.
   */
  stopped: v.nullable(v.picklist(["connecting", "reconnecting", "network", "camera_off", "blurred", "still"])),
  /** Counted milliseconds of this call, including free ones. */
  counted_ms: v.number(),
  /** Counted time up to this many milliseconds is free: the free seconds, and time without a held minute. */
  free_ms: v.number(),
  /** Beans that the call would cost if it ended now. */
  spent: v.number(),
  /** The user's beans after paying `spent`. */
  balance: v.number(),
  /** Counted milliseconds until `limit` ends the call. */
  left_ms: v.number(),
  /** What ends the call first: the balance or the spending cap. */
  limit: v.picklist(["balance", "cap"]),
});
export type Meter = v.InferOutput<typeof meterSchema>;
