import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "#ports/clock.ts";

const signShape = /^[0-9a-f]{64}$/;

/** Addresses of exports: whoever has one may fetch the file until it is deleted (rule DATA-32). */
export class ExportAddresses {
  readonly #secret: string;
  readonly #clock: Clock;

  constructor(options: { serverSecret: string; clock: Clock }) {
    this.#secret = options.serverSecret;
    this.#clock = options.clock;
  }

  signed(key: string, untilMs: number): string {
    const until = String(untilMs);
    return `/media/exports/${key}?until=${until}&sign=${this.#sign(key, until).toString("hex")}`;
  }

  /** Whether this is a signature of ours for this key that has not expired. */
  opens(key: string, { until, sign }: { until?: unknown; sign?: unknown }): boolean {
    if (typeof until !== "string" || typeof sign !== "string") return false;
    if (!/^\d{1,15}$/.test(until) || !signShape.test(sign)) return false;
    return Number(until) > this.#clock.nowMs() && timingSafeEqual(this.#sign(key, until), Buffer.from(sign, "hex"));
  }

  #sign(key: string, until: string): Buffer {
    return createHmac("sha256", this.#secret).update(`export/v1\0${key}\0${until}`).digest();
  }
}
