import { createHmac, timingSafeEqual } from "node:crypto";
import type { LRUCache } from "lru-cache";
import * as v from "valibot";
import { boundedCache } from "#lib/cache.ts";
import { Tasks, Timers } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import {
  type CreatedPayment,
  type OrderSnapshot,
  type ProviderPaymentEvent,
  type PaymentProvider,
  PaymentProviderError,
  type PaymentUrls,
  type PayMethod,
  type ReadWebhook,
  type RefundAnswer,
  WebhookRefusedError,
  type WebhookRequest,
} from "#ports/payments.ts";

const pageLifetimeMs = 30 * 60_000;
const ordersMaxDefault = 10_000;

export type SandboxOrder = {
  ref: string;
  snapshot: OrderSnapshot;
  urls: PaymentUrls;
  expiresAtMs: number;
} & (
  | { state: "open" | "challenged" }
  /** The first event decides the state of the order; the others follow later. */
  | { state: "decided"; events: readonly SandboxWebhookEvent[] }
);

interface SandboxPaymentsOptions {
  /** Signs webhooks and derives the orders' references; only this server knows it. */
  secret: string;
  clock: Clock;
  log: WebhookLog;
  ordersMax?: number;
}

/**
 * Test cards only, and no money moves; signed webhooks report results over HTTP as with a real provider. The oldest
 * orders are dropped: an unknown one is pending, and later expired.
 */
export class SandboxPayments implements PaymentProvider, AsyncDisposable {
  readonly id = "sandbox";
  readonly mode = "sandbox";
  readonly #secret: string;
  readonly #clock: Clock;
  readonly #sender: WebhookSender;
  readonly #orders: LRUCache<string, SandboxOrder>;
  #isClosed = false;

  constructor(options: SandboxPaymentsOptions) {
    this.#secret = options.secret;
    this.#clock = options.clock;
    this.#sender = new WebhookSender(options);
    this.#orders = boundedCache({ entriesMax: options.ordersMax ?? ordersMaxDefault });
  }

  methods(): readonly PayMethod[] {
    return [{ id: "card", name: "pay.card" }];
  }

  async create(order: OrderSnapshot, urls: PaymentUrls): Promise<CreatedPayment> {
    this.#checkOpen();
    const ref = this.#refOf(order.orderNo);
    const known = this.#orders.get(ref);
    const expiresAtMs = known?.expiresAtMs ?? expiryOf(order);
    if (!known) this.#orders.set(ref, { ref, snapshot: order, urls, expiresAtMs, state: "open" });
    return {
      redirectUrl: new URL(`/sandbox/pay/${ref}`, urls.notifyUrl).href,
      providerRef: ref,
      expiresAt: new Date(expiresAtMs),
    };
  }

  async readWebhook({ body, headers }: WebhookRequest): Promise<ReadWebhook> {
    checkSandboxWebhook(body, headers[sandboxSignatureHeader], { secret: this.#secret, nowMs: this.#clock.nowMs() });
    const event = eventOfWebhook(body);
    if (!event) throw new WebhookRefusedError("the body is not a sandbox event");
    return { events: [event], reply: { status: 200, contentType: "application/json", body: `{"received":true}` } };
  }

  async query(order: OrderSnapshot): Promise<ProviderPaymentEvent | null> {
    this.#checkOpen();
    const nowMs = this.#clock.nowMs();
    const known = this.#orders.get(this.#refOf(order.orderNo));
    if (known?.state === "decided") {
      const first = known.events[0];
      return first && first.dueMs <= nowMs ? first.event : null;
    }
    const expiresAtMs = known?.expiresAtMs ?? expiryOf(order);
    return nowMs < expiresAtMs || order.transactionId !== null ? null : expiredEvent(order, expiresAtMs);
  }

  async refund(
    order: OrderSnapshot,
    refund: { refundNo: string; amountMinor: bigint; reason: string },
  ): Promise<RefundAnswer> {
    this.#checkOpen();
    const known = this.#orders.get(this.#refOf(order.orderNo));
    // Without a known webhook address the response must suffice.
    if (known) this.#tell(known, [refundWebhookEvent(order, refund, this.#clock.nowMs())]);
    return { providerRefundId: `rfd_${refund.refundNo}`, state: "done" };
  }

  orderByRef(ref: string): SandboxOrder | null {
    return this.#orders.get(ref) ?? null;
  }

  isExpired(order: SandboxOrder): boolean {
    return this.#clock.nowMs() >= order.expiresAtMs;
  }

  /** A challenge waits for `confirm`. */
  useCard(order: SandboxOrder, outcome: TestCardOutcome): SandboxOrder {
    if (outcome === "challenge") return this.#keep({ ...order, state: "challenged" });
    return this.#decide(order, outcome);
  }

  confirm(order: SandboxOrder, isConfirmed: boolean): SandboxOrder {
    return this.#decide(order, isConfirmed ? "success" : "refused");
  }

  cancel(order: SandboxOrder): SandboxOrder {
    return this.#decide(order, "cancelled");
  }

  #decide(order: SandboxOrder, outcome: Parameters<typeof webhookEventsOf>[1]): SandboxOrder {
    const events = webhookEventsOf(order.snapshot, outcome, this.#clock.nowMs());
    this.#tell(order, events);
    return this.#keep({ ...order, state: "decided", events });
  }

  #keep(order: SandboxOrder): SandboxOrder {
    this.#orders.set(order.ref, order);
    return order;
  }

  #tell(order: SandboxOrder, events: readonly SandboxWebhookEvent[]): void {
    const nowMs = this.#clock.nowMs();
    for (const { event, dueMs, isSent } of events) {
      if (isSent) this.#sender.send(event, order.urls.notifyUrl, dueMs - nowMs);
    }
  }

  /** Constant for an order, also after a restart, and not guessable from its number. */
  #refOf(orderNo: string): string {
    return createHmac("sha256", this.#secret).update(`order ${orderNo}`).digest("base64url").slice(0, 24);
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new PaymentProviderError("the sandbox is closed", { isTemporary: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#sender[Symbol.asyncDispose]();
  }
}

function expiryOf(order: OrderSnapshot): number {
  return order.createdAt.getTime() + pageLifetimeMs;
}

/** A slow bank answers after the user has returned to the product. */
const lateMs = 5_000;
const disputeOpensMs = 3_000;
const disputeEndsMs = 6_000;

interface SandboxWebhookEvent {
  event: ProviderPaymentEvent;
  dueMs: number;
  /** False: sent by no webhook, found by a query only. */
  isSent: boolean;
}

/** `refused`: the user denied the bank's confirmation. */
function webhookEventsOf(
  order: OrderSnapshot,
  outcome: Exclude<TestCardOutcome, "challenge"> | "refused" | "cancelled",
  nowMs: number,
): SandboxWebhookEvent[] {
  const said = (name: string, kind: EventKind, delayMs = 0): SandboxWebhookEvent => ({
    event: { ...eventBase(order, name, nowMs + delayMs), ...kind },
    dueMs: nowMs + delayMs,
    isSent: true,
  });
  const amounts = { amountMinor: order.amountMinor, currencyCode: order.currencyCode };
  const paid = { kind: "paid", ...amounts } as const;
  const dispute = { caseId: `case_${order.orderNo}`, amountMinor: order.amountMinor };
  switch (outcome) {
    case "success":
      return [said("paid", paid)];
    case "decline":
    case "refused":
    case "cancelled":
      return [said(outcome, { kind: "failed" })];
    case "late":
      return [said("paid", paid, lateMs)];
    case "duplicate":
      return [said("paid", paid), said("paid", paid), said("paid-again", paid)];
    case "dispute":
      return [
        said("paid", paid),
        said("dispute-opened", { kind: "dispute_opened", ...dispute }, disputeOpensMs),
        said("dispute-won", { kind: "dispute_won", ...dispute }, disputeEndsMs),
      ];
    case "silent":
      return [{ ...said("paid", paid), isSent: false }];
    case "wrong_amount":
      return [said("paid", { ...paid, amountMinor: order.amountMinor + 1n })];
  }
}

function refundWebhookEvent(
  order: OrderSnapshot,
  refund: { refundNo: string; amountMinor: bigint },
  nowMs: number,
): SandboxWebhookEvent {
  const base = eventBase(order, `refunded-${refund.refundNo}`, nowMs);
  const { refundNo, amountMinor } = refund;
  return { event: { ...base, kind: "refunded", refundNo, amountMinor }, dueMs: nowMs, isSent: true };
}

/** Found by a query only: the user did not open the page in time. */
function expiredEvent(order: OrderSnapshot, atMs: number): ProviderPaymentEvent {
  return { ...eventBase(order, "expired", atMs), kind: "expired" };
}

type EventKind = ProviderPaymentEvent extends infer Event
  ? Event extends ProviderPaymentEvent
    ? Omit<Event, keyof ReturnType<typeof eventBase>>
    : never
  : never;

function eventBase(order: OrderSnapshot, name: string, atMs: number) {
  return {
    eventId: `evt_${order.orderNo}_${name}`,
    orderNo: order.orderNo,
    transactionId: `txn_${order.orderNo}`,
    at: new Date(atMs),
  };
}

const answerTimeoutMs = 5_000;
/** Pauses before retries of a webhook without a 2xx response; then only a query finds the event. */
const pausesMs = [1_000, 5_000, 30_000, 120_000];
/** Waiting and running webhooks; a further one is dropped, as real providers may do. */
const waitingMax = 10_000;

interface WebhookLog {
  warn(details: object, message: string): void;
}

interface Delivery {
  event: ProviderPaymentEvent;
  url: string;
  attempt: number;
}

class WebhookSender implements AsyncDisposable {
  readonly #options: { secret: string; clock: Clock; log: WebhookLog };
  readonly #waiting: Timers;
  readonly #sending: Tasks;
  readonly #ending = new AbortController();

  constructor(options: { secret: string; clock: Clock; log: WebhookLog }) {
    this.#options = options;
    this.#waiting = new Timers(options.clock);
    const logger = { error: (details: object, failed: string) => options.log.warn(details, failed) };
    this.#sending = new Tasks({ logger });
  }

  send(event: ProviderPaymentEvent, url: string, delayMs: number): void {
    this.#later({ event, url, attempt: 0 }, delayMs);
  }

  #later(delivery: Delivery, delayMs: number): void {
    if (this.#ending.signal.aborted) return;
    if (this.#waiting.size + this.#sending.size >= waitingMax) {
      this.#options.log.warn({ event: delivery.event.eventId }, "dropped sandbox webhook, too many are waiting");
      return;
    }
    this.#waiting.after(delayMs, () => {
      this.#sending.add("failed to send a sandbox webhook", () => this.#attempt(delivery));
    });
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const problem = await this.#post(delivery);
    if (problem === null || this.#ending.signal.aborted) return;
    const pauseMs = pausesMs[delivery.attempt];
    const details = { event: delivery.event.eventId, attempt: delivery.attempt + 1, problem };
    this.#options.log.warn(
      details,
      pauseMs === undefined ? "sandbox webhook failed, giving up" : "sandbox webhook failed, retrying",
    );
    if (pauseMs !== undefined) this.#later({ ...delivery, attempt: delivery.attempt + 1 }, pauseMs);
  }

  /** Signed for each attempt, so that a late one is not stale. */
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
    this.#waiting[Symbol.dispose]();
    await this.#sending[Symbol.asyncDispose]();
  }
}

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
/** Amounts are text: JSON numbers are floating point. */
const amount = v.pipe(
  v.string(),
  v.regex(/^\d{1,18}$/),
  v.transform((digits) => BigInt(digits)),
);
const common = {
  eventId: text,
  orderNo: text,
  transactionId: text,
  at: v.pipe(
    v.string(),
    v.isoTimestamp(),
    v.transform((at) => new Date(at)),
  ),
};
const bodySchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.variant("kind", [
    v.object({
      ...common,
      kind: v.literal("paid"),
      amountMinor: amount,
      currencyCode: v.pipe(v.string(), v.length(3)),
    }),
    v.object({ ...common, kind: v.picklist(["failed", "expired", "early_fraud"]) }),
    v.object({ ...common, kind: v.picklist(["refunded", "refund_failed"]), refundNo: text, amountMinor: amount }),
    v.object({
      ...common,
      kind: v.picklist(["dispute_opened", "dispute_won", "dispute_lost"]),
      caseId: text,
      amountMinor: amount,
    }),
  ]),
);

function webhookBody(event: ProviderPaymentEvent): string {
  return JSON.stringify(event, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}

function eventOfWebhook(body: Buffer): ProviderPaymentEvent | null {
  const parsed = v.safeParse(bodySchema, body.toString("utf8"));
  return parsed.success ? parsed.output : null;
}

export const sandboxSignatureHeader = "x-sandbox-signature";
const toleranceMs = 300_000;

/** `t=<seconds>,v1=<hex>`: HMAC-SHA256 over `t.body`, so that a body cannot be replayed with a new time. */
export function signSandboxWebhook(body: string | Buffer, secret: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1_000);
  return `t=${seconds},v1=${digest(body, secret, seconds).toString("hex")}`;
}

/** @throws WebhookRefusedError for a missing or wrong signature, or one that is more than 300 s off. */
function checkSandboxWebhook(
  body: Buffer,
  header: string | string[] | undefined,
  expected: { secret: string; nowMs: number },
): void {
  const match = typeof header === "string" ? /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) : null;
  if (!match) throw new WebhookRefusedError("the signature is missing or malformed");
  const seconds = Number(match[1]); // not money: a timestamp
  if (Math.abs(expected.nowMs - seconds * 1_000) > toleranceMs) throw new WebhookRefusedError("the signature is stale");
  if (!timingSafeEqual(Buffer.from(match[2] ?? "", "hex"), digest(body, expected.secret, seconds))) {
    throw new WebhookRefusedError("the signature does not match");
  }
}

function digest(body: string | Buffer, secret: string, seconds: number): Buffer {
  return createHmac("sha256", secret).update(`${seconds}.`).update(body).digest();
}

export const testCardOutcomes = [
  "success",
  "decline",
  "challenge",
  "late",
  "duplicate",
  "dispute",
  "silent",
  "wrong_amount",
] as const;
export type TestCardOutcome = (typeof testCardOutcomes)[number];

/** The only numbers that the page accepts. No bank issues them, so no user enters a real card. */
export const testCards: Readonly<Record<TestCardOutcome, string>> = {
  success: "4242424242424242",
  decline: "4000000000000002",
  challenge: "4000002500003155",
  late: "4000000000000077",
  duplicate: "4000000000000119",
  dispute: "4000000000000259",
  silent: "4000000000005126",
  wrong_amount: "4000000000000341",
};

export function outcomeOfCard(number: string): TestCardOutcome | null {
  const digits = number.replaceAll(" ", "");
  return testCardOutcomes.find((outcome) => testCards[outcome] === digits) ?? null;
}
