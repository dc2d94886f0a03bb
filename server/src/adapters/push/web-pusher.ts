import type { Logger } from "pino";
import { fetchBounded } from "#adapters/identity/bounded-fetch.ts";
import type { Clock } from "#ports/clock.ts";
import type { Pusher, PushMessage, PushOutcome, PushTarget } from "#ports/pusher.ts";
import { encryptPush } from "./encrypted-push.ts";
import { wrongPartOf } from "./push-targets.ts";
import { vapidHeader, type VapidKeys } from "./vapid.ts";

const bounds = { timeoutMs: 5_000, bytesMax: 65_536 };
const goneStatuses: readonly number[] = [404, 410];

export interface WebPusherOptions {
  keys: VapidKeys;
  /** `*.` before a name allows every host under it. */
  hosts: readonly string[];
  clock: Clock;
  logger: Pick<Logger, "warn">;
  post?: typeof fetchBounded;
}

/** Sends by RFC 8030: push services learn the time of a message, but neither content nor sender. */
export class WebPusher implements Pusher {
  readonly #options: WebPusherOptions;

  constructor(options: WebPusherOptions) {
    this.#options = options;
  }

  get publicKey(): string {
    return this.#options.keys.publicKey;
  }

  wrongPart(target: PushTarget): keyof PushTarget | null {
    return wrongPartOf(target, this.#options.hosts);
  }

  async send(target: PushTarget, { payload, ttlSeconds, topic, isUrgent }: PushMessage): Promise<PushOutcome> {
    const { keys, clock, logger, post = fetchBounded } = this.#options;
    if (this.wrongPart(target) !== null) return "gone";
    const address = new URL(target.endpoint);
    try {
      const headers = {
        authorization: await vapidHeader(keys, { origin: address.origin, nowMs: clock.nowMs() }),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        ttl: String(ttlSeconds),
        topic,
        urgency: isUrgent ? "high" : "normal",
      };
      const { status } = await post(address, bounds, { body: encryptPush(payload, target), headers });
      if (goneStatuses.includes(status)) return "gone";
      if (status >= 200 && status < 300) return "sent";
      logger.warn({ status, host: address.host }, "push service rejected a message");
    } catch (error) {
      // The error may contain the URL, which is the user's secret.
      logger.warn({ host: address.host, why: nameOf(error) }, "push service is unreachable");
    }
    return "failed";
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "unknown";
}
