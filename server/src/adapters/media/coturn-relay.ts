import { createHmac } from "node:crypto";
import type { IceServer } from "@fava/wire/pushes.ts";
import { RetryPauses, retry, Tasks } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import type { MediaRelay } from "#ports/media.ts";
import { type CommandPort, endSessions, withCommands } from "./coturn-commands.ts";

export interface CoturnRelayOptions {
  readonly urls: readonly string[];
  readonly secret: string;
  readonly credentialSeconds: number;
  /** Empty: a cut ends no session, because coturn checks credentials only when a session starts. */
  readonly commandPorts: readonly CommandPort[];
  readonly clock: Clock;
  readonly logger: { error(details: object, message: string): void };
}

/** How many cuts wait for coturn, at most. */
const cutsMax = 100;
const retryDelaysMs = [500, 1_500] as const;
const failed = "failed to end a user's sessions at the relay";

/** coturn with `use-auth-secret`. Relayed candidates only, since users must not learn each other's IP address. */
export class CoturnRelay implements MediaRelay, AsyncDisposable {
  readonly policy = "relay";
  readonly #options: CoturnRelayOptions;
  readonly #tasks: Tasks;
  readonly #pauses: RetryPauses;

  constructor(options: CoturnRelayOptions) {
    this.#options = options;
    this.#tasks = new Tasks(options);
    this.#pauses = new RetryPauses(options.clock);
  }

  credentialsFor(externalId: string): { iceServers: IceServer[]; expiresAtMs: number } {
    const { urls, secret, credentialSeconds, clock } = this.#options;
    const expiresAtSeconds = Math.floor(clock.nowMs() / 1_000) + credentialSeconds;
    const username = `${expiresAtSeconds}:${externalId}`;
    // coturn's scheme requires SHA-1 (draft-uberti-behave-turn-rest).
    const credential = createHmac("sha1", secret).update(username).digest("base64");
    return {
      iceServers: [{ urls: [...urls], username, credential }],
      expiresAtMs: expiresAtSeconds * 1_000,
    };
  }

  cut(externalId: string): void {
    const { commandPorts, clock, logger } = this.#options;
    const cutMs = clock.monotonicMs();
    for (const port of commandPorts) {
      const about = { relay: `${port.host}:${port.port}`, externalId };
      if (this.#tasks.size >= cutsMax) {
        logger.error(about, "dropped the end of a user's sessions at the relay, it is too slow");
        continue;
      }
      this.#tasks.add(failed, () => this.#endSessions(port, { externalId, cutMs }));
    }
  }

  /** Resolves when no cut waits for coturn. */
  settled(): Promise<void> {
    return this.#tasks.idle();
  }

  /** Tries each cut at most once more, so that a coturn that hangs delays the shutdown by one timeout. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#pauses[Symbol.dispose]();
    await this.#tasks[Symbol.asyncDispose]();
  }

  async #endSessions(port: CommandPort, { externalId, cutMs }: { externalId: string; cutMs: number }): Promise<void> {
    const elapsedMs = () => this.#options.clock.monotonicMs() - cutMs;
    let tries = 0;
    const delayMs = () => (this.#pauses.isOver ? null : (retryDelaysMs[tries++] ?? null));
    const work = () => withCommands(port, (run) => endSessions(run, externalId, elapsedMs));
    try {
      await retry(work, { pauses: this.#pauses, delayMs });
    } catch (error) {
      const about = { relay: `${port.host}:${port.port}`, externalId };
      this.#options.logger.error({ ...about, err: error }, failed);
    }
  }
}
