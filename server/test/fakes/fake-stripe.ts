import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Stripe } from "stripe";
import type { StripeSettings } from "#adapters/payments/stripe/stripe-api.ts";
import type { WebhookRequest } from "#ports/payments.ts";

interface Answer {
  status: number;
  body: object;
}
type Fields = Record<string, unknown>;

/** Stripe on a loopback port, with idempotency keys. Stripe's library signs its webhooks. */
export class FakeStripe implements AsyncDisposable {
  readonly settings: Required<StripeSettings>;
  /** The form of each request, with method and path. */
  readonly calls: { name: string; form: URLSearchParams; idempotencyKey: string }[] = [];
  readonly sessions = new Map<string, Fields>();
  readonly paymentIntents = new Map<string, Fields>();
  readonly refunds = new Map<string, Fields>();
  /** While set, the response to every request. */
  override: Answer | null = null;
  /** The state that a refund has at once. */
  refundStatus = "succeeded";
  readonly #answered = new Map<string, { form: string; answer: Answer }>();
  readonly #nowMs: () => number;
  readonly #close: () => Promise<void>;

  private constructor(options: { port: number; nowMs: () => number; close: () => Promise<void> }) {
    this.#nowMs = options.nowMs;
    this.#close = options.close;
    this.settings = {
      secretKey: "sk_test_stand_in",
      webhookSecret: "whsec_stand_in",
      address: { protocol: "http", host: "127.0.0.1", port: options.port },
    };
  }

  static async start(nowMs: () => number): Promise<FakeStripe> {
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const { status, body } = fake.#serve(request, Buffer.concat(parts).toString());
        response.writeHead(status, { "content-type": "application/json", "request-id": "req_1" });
        response.end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const close = async () => {
      server.closeAllConnections();
      if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
    };
    const fake = new FakeStripe({ port: (server.address() as AddressInfo).port, nowMs, close });
    return fake;
  }

  /** The user finishes on Stripe's page. `unpaid`: the payment method takes longer. */
  finish(sessionId: string, paymentStatus: "paid" | "unpaid" = "paid"): Fields {
    const session = this.sessions.get(sessionId);
    if (!session) throw new Error(`no session ${sessionId}`);
    const paymentIntent = { id: `pi_${sessionId}`, object: "payment_intent", metadata: session["metadata"] };
    this.paymentIntents.set(paymentIntent.id, paymentIntent);
    const finished = {
      ...session,
      status: "complete",
      payment_status: paymentStatus,
      payment_intent: paymentIntent.id,
    };
    this.sessions.set(sessionId, finished);
    return finished;
  }

  /** A webhook with a signature like Stripe's. */
  event(
    type: string,
    object: Fields,
    { secret = this.settings.webhookSecret, sentMs = this.#nowMs() } = {},
  ): WebhookRequest {
    const created = seconds(sentMs);
    const envelope = { id: `evt_${type}`, object: "event", api_version: Stripe.API_VERSION, created, livemode: false };
    return this.signed(JSON.stringify({ ...envelope, type, data: { object } }), { secret, sentMs });
  }

  signed(payload: string, { secret = this.settings.webhookSecret, sentMs = this.#nowMs() } = {}): WebhookRequest {
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: seconds(sentMs) });
    return { body: Buffer.from(payload), headers: { "stripe-signature": signature }, query: {} };
  }

  #serve(request: IncomingMessage, body: string): Answer {
    const url = new URL(request.url ?? "/", "http://stripe.example");
    const form = new URLSearchParams(request.method === "GET" ? url.search : body);
    const name = `${request.method} ${url.pathname}`;
    const idempotencyKey = String(request.headers["idempotency-key"] ?? "");
    this.calls.push({ name, form, idempotencyKey });
    if (this.override) return this.override;
    const { secretKey } = this.settings;
    if (request.headers.authorization !== `Bearer ${secretKey}`) {
      return refusal(401, { type: "invalid_request_error", message: "Invalid API Key provided: sk_test_another" });
    }
    const known = idempotencyKey === "" ? undefined : this.#answered.get(idempotencyKey);
    if (known && known.form !== body) return refusal(400, { type: "idempotency_error", message: "other parameters" });
    const answer = known?.answer ?? this.#answer(name, form);
    if (idempotencyKey !== "") this.#answered.set(idempotencyKey, { form: body, answer });
    return answer;
  }

  #answer(name: string, form: URLSearchParams): Answer {
    const id = name.split("/").at(-1) ?? "";
    if (name === "POST /v1/checkout/sessions") return this.#openSession(form);
    if (name === "POST /v1/refunds") return this.#refund(form);
    if (name === "GET /v1/refunds") {
      const data = Array.from(this.refunds.values()).filter(
        (refund) => refund["payment_intent"] === form.get("payment_intent"),
      );
      return { status: 200, body: { object: "list", data, has_more: false, url: "/v1/refunds" } };
    }
    const found = name.includes("/payment_intents/") ? this.paymentIntents.get(id) : this.sessions.get(id);
    return found
      ? { status: 200, body: found }
      : refusal(404, { type: "invalid_request_error", code: "resource_missing" });
  }

  #openSession(form: URLSearchParams): Answer {
    // not money: a time in seconds
    const lifetimeSeconds = Number(form.get("expires_at")) - seconds(this.#nowMs());
    if (form.get("mode") !== "payment" || lifetimeSeconds < 1_800 || lifetimeSeconds > 86_400) {
      return refusal(400, { type: "invalid_request_error", code: "parameter_invalid" });
    }
    const id = `cs_test_${this.sessions.size + 1}`;
    const session = {
      id,
      object: "checkout.session",
      url: `https://checkout.stripe.example/c/pay/${id}`,
      status: "open",
      payment_status: "unpaid",
      payment_intent: null,
      amount_total: Number(form.get("line_items[0][price_data][unit_amount]")), // not money: a fake's echo
      currency: form.get("line_items[0][price_data][currency]"),
      expires_at: Number(form.get("expires_at")), // not money: a time in seconds
      client_reference_id: form.get("client_reference_id"),
      metadata: { orderNo: form.get("payment_intent_data[metadata][orderNo]") },
    };
    this.sessions.set(id, session);
    return { status: 200, body: session };
  }

  #refund(form: URLSearchParams): Answer {
    const id = `re_${this.refunds.size + 1}`;
    const paymentIntent = form.get("payment_intent") ?? "";
    const session = Array.from(this.sessions.values()).find((one) => one["payment_intent"] === paymentIntent);
    if (!session) return refusal(400, { type: "invalid_request_error", code: "resource_missing" });
    const refund = {
      id,
      object: "refund",
      amount: Number(form.get("amount")), // not money: a fake's echo
      currency: session["currency"],
      status: this.refundStatus,
      payment_intent: paymentIntent,
      metadata: { orderNo: form.get("metadata[orderNo]"), refundNo: form.get("metadata[refundNo]") },
    };
    this.refunds.set(id, refund);
    return { status: 200, body: refund };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000); // not money: a time in seconds
}

function refusal(status: number, error: { type: string; code?: string; message?: string }): Answer {
  return { status, body: { error } };
}
