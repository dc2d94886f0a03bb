import type { Stripe } from "stripe";
import * as v from "valibot";
import type { Clock } from "#ports/clock.ts";
import { PaymentProviderError, WebhookRefusedError } from "#ports/payments.ts";

const toleranceSeconds = 300;
const answerTimeoutMs = 10_000;
const refundsMax = 100;

export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  /** Address of a fake; by default Stripe's. */
  address?: { protocol: "http"; host: string; port: number };
}

/** Stripe's library, imported on first use. */
export class StripeApi {
  readonly #settings: StripeSettings;
  readonly #clock: Clock;
  #loading: Promise<Stripe> | null = null;

  constructor({ clock, ...settings }: StripeSettings & { clock: Clock }) {
    this.#settings = settings;
    this.#clock = clock;
  }

  async ask<Schema extends v.GenericSchema>(
    schema: Schema,
    question: (stripe: Stripe) => Promise<unknown>,
  ): Promise<v.InferOutput<Schema>> {
    const stripe = await this.#stripe();
    const answer = await question(stripe).catch((error: unknown) => {
      throw failure(error);
    });
    return readObject(schema, answer);
  }

  session(id: string): Promise<StripeSession> {
    return this.ask(sessionSchema, (stripe) => stripe.checkout.sessions.retrieve(id));
  }

  async refunds(paymentIntent: string): Promise<StripeRefund[]> {
    const query = { payment_intent: paymentIntent, limit: refundsMax };
    const { data } = await this.ask(refundListSchema, (stripe) => stripe.refunds.list(query));
    return data;
  }

  /** @throws WebhookRefusedError for a wrong signature, or one that is older than five minutes. */
  async event(body: Buffer, signature: string): Promise<StripeEvent> {
    const stripe = await this.#stripe();
    const parsed = v.safeParse(eventSchema, this.#verified(stripe, body, signature));
    if (!parsed.success) throw new WebhookRefusedError("the body is not an event");
    return parsed.output;
  }

  #verified({ webhooks }: Stripe, body: Buffer, signature: string): unknown {
    const { webhookSecret } = this.#settings;
    const nowMs = this.#clock.nowMs();
    try {
      return webhooks.constructEvent(body, signature, webhookSecret, toleranceSeconds, undefined, nowMs);
    } catch (cause) {
      throw new WebhookRefusedError("the signature does not match or is too old", { cause });
    }
  }

  #stripe(): Promise<Stripe> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<Stripe> {
    const { Stripe: StripeClient } = await import("stripe");
    const { secretKey, address } = this.#settings;
    return new StripeClient(secretKey, {
      ...address,
      timeout: answerTimeoutMs,
      maxNetworkRetries: 1,
      telemetry: false,
    });
  }
}

const errorSchema = v.object({
  type: v.string(),
  code: v.optional(v.string(), ""),
  statusCode: v.optional(v.number(), 0),
  requestId: v.optional(v.string(), ""),
});

/** Logs only the kind of an error: Stripe's messages may quote a part of the key. */
function failure(error: unknown): unknown {
  const parsed = v.safeParse(errorSchema, error);
  if (!parsed.success) return error;
  const { type, code, statusCode, requestId } = parsed.output;
  // Status 0: no response; 409: the same request is still running.
  const isTemporary = statusCode === 0 || statusCode === 409 || statusCode === 429 || statusCode >= 500;
  const message = ["Stripe refused:", type, code, requestId].filter((part) => part !== "").join(" ");
  return new PaymentProviderError(message, { isTemporary });
}

/** Validated, since a webhook has the API version configured at Stripe, not that of the library. */
const text = v.pipe(v.string(), v.minLength(1), v.maxLength(255));
const currency = v.pipe(v.string(), v.length(3));
const amount = v.pipe(
  v.number(),
  v.safeInteger(),
  v.transform((value) => BigInt(value)),
);
const seconds = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000_000_000));
const metadata = v.nullish(v.record(v.string(), v.string()), {});
/** An id, or the whole object where the request expanded it. */
const reference = v.pipe(
  v.nullish(v.union([text, v.object({ id: text })]), null),
  v.transform((value) => (typeof value === "object" ? (value?.id ?? null) : value)),
);

const eventSchema = v.object({ type: text, created: seconds, data: v.object({ object: v.unknown() }) });
export type StripeEvent = v.InferOutput<typeof eventSchema>;

export const sessionSchema = v.object({
  id: text,
  url: v.nullish(v.string(), null),
  status: v.nullish(v.string(), null),
  payment_status: v.string(),
  payment_intent: reference,
  amount_total: v.nullish(amount, 0),
  currency: v.nullish(currency, "xxx"),
  expires_at: seconds,
  metadata,
});
export type StripeSession = v.InferOutput<typeof sessionSchema>;

export const refundSchema = v.object({
  id: text,
  amount,
  currency,
  status: v.nullish(v.string(), null),
  payment_intent: reference,
  metadata,
});
export type StripeRefund = v.InferOutput<typeof refundSchema>;

export const disputeSchema = v.object({ id: text, amount, currency, status: v.string(), payment_intent: reference });
export type StripeDispute = v.InferOutput<typeof disputeSchema>;

const refundListSchema = v.object({ data: v.array(refundSchema) });
export const paymentIntentSchema = v.object({ id: text, metadata });
export const chargeSchema = v.object({ payment_intent: reference });
export const fraudWarningSchema = v.object({ id: text, payment_intent: reference });

/** @throws PaymentProviderError, as temporary: the library takes a proxy's error for a response. */
export function readObject<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  const path = v.getDotPath(parsed.issues[0]) ?? "it";
  throw new PaymentProviderError(`unexpected object from Stripe: ${path}`, { isTemporary: true });
}
