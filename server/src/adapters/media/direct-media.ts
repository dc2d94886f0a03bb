import type { IceServer } from "@fava/wire/pushes.ts";
import type { Clock } from "#ports/clock.ts";
import type { MediaRelay } from "#ports/media.ts";

const dayMs = 86_400_000;

/** Each user learns the other's IP address, so production rejects this adapter. */
export class DirectMedia implements MediaRelay {
  readonly policy = "all";
  readonly #stunUrls: readonly string[];
  readonly #clock: Clock;

  constructor(options: { stunUrls: readonly string[]; clock: Clock }) {
    this.#stunUrls = options.stunUrls;
    this.#clock = options.clock;
  }

  credentialsFor(): { iceServers: IceServer[]; expiresAtMs: number } {
    const iceServers = this.#stunUrls.length === 0 ? [] : [{ urls: [...this.#stunUrls] }];
    return { iceServers, expiresAtMs: this.#clock.nowMs() + dayMs };
  }

  cut(): void {
    // Media flow between the two browsers.
  }
}
