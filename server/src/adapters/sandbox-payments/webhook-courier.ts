import type { Clock } from "#ports/clock.ts";
import type { PaymentEvent } from "#ports/payments.ts";
import { webhookBody } from "./webhook-body.ts";
import { sandboxSignatureHeader, signSandboxWebhook } from "./webhook-signature.ts";

const answerTimeoutMs = 5_000;
/** Pauses before a webhook that was not answered with 2xx is sent again; then it is given up and a question finds it. */
const pausesMs = [1_000, 5_000, 30_000, 120_000];
/** Webhooks that wait or are on their way; a further one is dropped, as a provider's may be. */
const waitingMax = 10_000;

export interface CourierLog {
  warn(details: object, message: string): void;
}

interface Delivery {
  event: PaymentEvent;
  url: string;
  attempt: number;
}

/** Brings webhooks to their address over HTTP and tries again. Disposing ends what waits and what is on its way. */
export class WebhookCourier implements AsyncDisposable {
  readonly #options: { secret: string; clock: Clock; log: CourierLog };
  readonly #timers = new Set<Disposable>();
  readonly #sending = new Set<Promise<void>>();
  readonly #ending = new AbortController();

  constructor(options: { secret: string; clock: Clock; log: CourierLog }) {
    this.#options = options;
  }

  send(event: PaymentEvent, url: string, delayMs: number): void {
    this.#later({ event, url, attempt: 0 }, delayMs);
  }

  #later(delivery: Delivery, delayMs: number): void {
    if (this.#ending.signal.aborted) return;
    if (this.#timers.size + this.#sending.size >= waitingMax) {
      this.#options.log.warn({ event: delivery.event.eventId }, "too many sandbox webhooks wait: one is dropped");
      return;
    }
    const timer = this.#options.clock.after(delayMs, () => {
      this.#timers.delete(timer);
      const sending = this.#attempt(delivery).finally(() => this.#sending.delete(sending));
      this.#sending.add(sending);
    });
    this.#timers.add(timer);
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const problem = await this.#post(delivery);
    if (problem === null || this.#ending.signal.aborted) return;
    const pauseMs = pausesMs[delivery.attempt];
    const details = { event: delivery.event.eventId, attempt: delivery.attempt + 1, problem };
    this.#options.log.warn(details, pauseMs === undefined ? "sandbox webhook given up" : "sandbox webhook not taken");
    if (pauseMs !== undefined) this.#later({ ...delivery, attempt: delivery.attempt + 1 }, pauseMs);
  }

  /** Signed anew each time, so that a late attempt is not a stale one. */
  async #post({ event, url }: Delivery): Promise<string | null> {
    const { secret, clock } = this.#options;
    const body = webhookBody(event);
    try {
      const answer = await fetch(url, {
        method: "POST",
        redirect: "error",
        signal: AbortSignal.any([this.#ending.signal, AbortSignal.timeout(answerTimeoutMs)]),
        headers: {
          "content-type": "application/json",
          [sandboxSignatureHeader]: signSandboxWebhook(body, secret, clock.nowMs()),
        },
        body,
      });
      await answer.body?.cancel();
      return answer.ok ? null : `status ${answer.status}`;
    } catch (error) {
      return String(error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    for (const timer of this.#timers) timer[Symbol.dispose]();
    this.#timers.clear();
    await Promise.all(this.#sending);
  }
}
