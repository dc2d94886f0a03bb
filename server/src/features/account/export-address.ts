import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "#ports/clock.ts";

/** What stands in an address behind the file. */
export interface ExportQuery {
  by?: unknown;
  until?: unknown;
  sign?: unknown;
}

const signShape = /^[0-9a-f]{64}$/;

/** Addresses of exports: each names the session that asked for it, and opens as long as that goes on (rule DATA-36). */
export class ExportAddresses {
  readonly #secret: string;
  readonly #clock: Clock;

  constructor(options: { serverSecret: string; clock: Clock }) {
    this.#secret = options.serverSecret;
    this.#clock = options.clock;
  }

  signed(key: string, { sessionId, untilMs }: { sessionId: string; untilMs: number }): string {
    const until = String(untilMs);
    const sign = this.#sign({ key, by: sessionId, until }).toString("hex");
    return `/media/exports/${key}?${new URLSearchParams({ by: sessionId, until, sign }).toString()}`;
  }

  /** The session that an address of ours was made for, unless its time is over. */
  sessionOf(key: string, { by, until, sign }: ExportQuery): string | null {
    if (typeof by !== "string" || typeof until !== "string" || typeof sign !== "string") return null;
    if (!/^\d{1,15}$/.test(until) || !signShape.test(sign)) return null;
    if (!timingSafeEqual(this.#sign({ key, by, until }), Buffer.from(sign, "hex"))) return null;
    return Number(until) > this.#clock.nowMs() ? by : null;
  }

  #sign({ key, by, until }: { key: string; by: string; until: string }): Buffer {
    return createHmac("sha256", this.#secret).update(`export/v2\0${key}\0${by}\0${until}`).digest();
  }
}
