import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "#ports/clock.ts";

const hourMs = 3_600_000;
const untilShape = /^\d{13}$/;
const signShape = /^[0-9a-f]{64}$/;

/**
 * Addresses of stored pictures. Approved ones are open to everybody; the address of any other carries a signature over
 * its key and the time until which it opens, and is handed to its owner and to moderators only (rule IMG-20).
 */
export class ImageAddresses {
  readonly #secret: string;
  readonly #clock: Clock;

  constructor(options: { serverSecret: string; clock: Clock }) {
    this.#secret = options.serverSecret;
    this.#clock = options.clock;
  }

  open(key: string): string {
    return `/media/images/${key}`;
  }

  /** Opens for one to two hours; the same within an hour, so that a page does not fetch the picture twice. */
  signed(key: string): string {
    const until = String((Math.floor(this.#clock.nowMs() / hourMs) + 2) * hourMs);
    return `${this.open(key)}?until=${until}&sign=${this.#sign(key, until).toString("hex")}`;
  }

  /** Whether this is a signature of ours for this key that has not expired. */
  opens(key: string, query: { until?: unknown; sign?: unknown }): boolean {
    const { until, sign } = query;
    if (typeof until !== "string" || typeof sign !== "string") return false;
    if (!untilShape.test(until) || !signShape.test(sign)) return false;
    return Number(until) > this.#clock.nowMs() && timingSafeEqual(this.#sign(key, until), Buffer.from(sign, "hex"));
  }

  #sign(key: string, until: string): Buffer {
    return createHmac("sha256", this.#secret).update(`image/v1\0${key}\0${until}`).digest();
  }
}
