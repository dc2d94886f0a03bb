import { createHmac } from "node:crypto";
import type { IceServer } from "@fava/wire/pushes.ts";
import type { Clock } from "#ports/clock.ts";
import type { MediaRelay } from "#ports/media.ts";

/** coturn with `use-auth-secret`. Relayed candidates only, since users must not learn each other's IP address. */
export class CoturnRelay implements MediaRelay {
  readonly policy = "relay";
  readonly #urls: readonly string[];
  readonly #secret: string;
  readonly #credentialSeconds: number;
  readonly #clock: Clock;

  constructor(options: { urls: readonly string[]; secret: string; credentialSeconds: number; clock: Clock }) {
    this.#urls = options.urls;
    this.#secret = options.secret;
    this.#credentialSeconds = options.credentialSeconds;
    this.#clock = options.clock;
  }

  credentialsFor(externalId: string): { iceServers: IceServer[]; expiresAtMs: number } {
    const expiresAtSeconds = Math.floor(this.#clock.nowMs() / 1_000) + this.#credentialSeconds;
    const username = `${expiresAtSeconds}:${externalId}`;
    // coturn's scheme requires SHA-1 (draft-uberti-behave-turn-rest).
    const credential = createHmac("sha1", this.#secret).update(username).digest("base64");
    return {
      iceServers: [{ urls: [...this.#urls], username, credential }],
      expiresAtMs: expiresAtSeconds * 1_000,
    };
  }
}
