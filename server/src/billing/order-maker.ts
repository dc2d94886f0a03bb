import { type Kysely, type Selectable, sql } from "kysely";
import type { Logger } from "pino";
import type { GatewayError } from "@fava/wire/gateway.ts";
import { orderReuseMs } from "@fava/wire/limits.ts";
import type { Database } from "#db/schema.ts";
import type { Clock } from "#ports/clock.ts";
import { type PaymentProvider, PaymentProviderError, type PayMethod } from "#ports/payments.ts";
import type { Random } from "#ports/random.ts";
import type { LimitName, Limits } from "#ports/rate-limits.ts";
import type { OrderService } from "./order-service.ts";
import { insertOrder, orderByNo, snapshotOf, type StoredOrder } from "./order-store.ts";
import { webhookAddress } from "./webhook-route.ts";

export interface Buyer {
  userId: bigint;
  userNo: string;
  countryId: number;
  language: string;
}

export interface Goods {
  /** Null if the user chose a number of beans instead of a pack. */
  packId: number | null;
  golds: bigint;
  priceMinor: bigint;
  currencyCode: string;
}

interface NewOrder {
  buyer: Buyer;
  goods: Goods;
  channelType: number;
  provider: PaymentProvider;
  method: PayMethod;
  countryCode: string;
  /** This site's origin in the browser's address bar. */
  origin: string;
  ip: string;
}

interface OrderMakerOptions {
  db: Kysely<Database>;
  orders: OrderService;
  limits: Limits;
  clock: Clock;
  random: Random;
  logger: Logger;
}

const orderNoLength = 16;
/** 32 letters, so that each byte picks one with equal probability. Without letters that look alike. */
const orderNoAlphabet = "abcdefghijkmnpqrstuvwxyz23456789";

export class OrderMaker {
  readonly #options: OrderMakerOptions;
  /** Orders for which a request to the provider runs, by order number. Each entry lasts as long as that request. */
  readonly #opening = new Map<string, Promise<string>>();

  constructor(options: OrderMakerOptions) {
    this.#options = options;
  }

  /**
   * Creates an order. The same user, goods and method within a minute return the open order, so that a double click
   * pays once.
   * @throws GatewayRefusal `slow_down`, `provider_failed`.
   */
  async make(wanted: NewOrder): Promise<{ url: string; orderNo: string }> {
    const { orderNo, url } = await this.#options.db.transaction().execute(async (trx) => {
      // The lock serializes the two requests of a double click.
      const { buyer } = wanted;
      await trx.selectFrom("users").select("id").where("id", "=", buyer.userId).forNoKeyUpdate().execute();
      const live = await this.#live(trx, wanted);
      if (live) return { orderNo: live.order_no, url: live.pay_url };
      await this.#limit(wanted);
      return { orderNo: await this.#insert(trx, wanted), url: "" };
    });
    if (url !== "") return { url, orderNo };
    const opening =
      this.#opening.get(orderNo) ?? this.#open(orderNo, wanted).finally(() => this.#opening.delete(orderNo));
    this.#opening.set(orderNo, opening);
    return { url: await opening, orderNo };
  }

  async #live(trx: Kysely<Database>, wanted: NewOrder): Promise<Selectable<Database["payment_orders"]> | undefined> {
    const { buyer, goods, method, channelType } = wanted;
    const nowMs = this.#options.clock.nowMs();
    const found = trx
      .selectFrom("payment_orders")
      .selectAll()
      .where("user_id", "=", buyer.userId)
      .where("created_at", ">", new Date(nowMs - orderReuseMs))
      .where("state", "in", ["created", "pending"])
      .where("beans", "=", goods.golds)
      .where("amount_minor", "=", goods.priceMinor)
      .where("currency_code", "=", goods.currencyCode)
      .where("pack_id", goods.packId === null ? "is" : "=", goods.packId === null ? null : BigInt(goods.packId))
      .where("channel_type", "=", channelType)
      .where("pay_type", "=", method.id)
      .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", new Date(nowMs))]));
    return found.orderBy("id", "desc").limit(1).executeTakeFirst();
  }

  /** Limits orders and declined payments, because thieves test stolen cards with small purchases. */
  async #limit({ buyer, ip }: NewOrder): Promise<void> {
    const { limits } = this.#options;
    const userKey = String(buyer.userId);
    if ((await limits.waitSeconds("declineByUser", userKey)) !== null) throw new GatewayRefusal(429, "slow_down");
    const counted: [LimitName, string][] = [
      ["orderByUser", userKey],
      ["orderByAddress", ip],
    ];
    for (const [limit, key] of counted) {
      if ((await limits.take(limit, key)) !== null) throw new GatewayRefusal(429, "slow_down");
    }
  }

  async #insert(trx: Kysely<Database>, wanted: NewOrder): Promise<string> {
    const { buyer, goods, provider, method } = wanted;
    const nowMs = this.#options.clock.nowMs();
    const orderNo = this.#newOrderNo();
    await insertOrder(trx, {
      order_no: orderNo,
      user_id: buyer.userId,
      provider: provider.id,
      channel_type: wanted.channelType,
      pay_type: method.id,
      pay_name: method.name,
      pack_id: goods.packId === null ? null : BigInt(goods.packId),
      beans: goods.golds,
      amount_minor: goods.priceMinor,
      currency_code: goods.currencyCode,
      country_code: wanted.countryCode,
      language: buyer.language,
      state: "created",
      review_reason: null,
      review_transaction_id: null,
      provider_ref: null,
      expires_at: null,
      transaction_id: null,
      paid_at: null,
      created_at: new Date(nowMs),
      changed_at: new Date(nowMs),
      next_check_at: new Date(nowMs + firstCheckMs),
    });
    return orderNo;
  }

  async #open(orderNo: string, { provider, origin }: NewOrder): Promise<string> {
    const { db, orders, logger } = this.#options;
    const order = await orderByNo(db, orderNo);
    if (!order) throw new Error("a created order is missing");
    // Another request has opened this order meanwhile.
    if (order.row.pay_url !== "") return order.row.pay_url;
    try {
      const created = await provider.create(snapshotOf(order), {
        returnUrl: `${origin}/chargeReturn?order_no=${orderNo}`,
        notifyUrl: webhookAddress(origin, provider.id),
      });
      await db.transaction().execute(async (trx) => {
        // If a webhook arrived before this response, the order is past `pending`.
        const step = await orders.act(orderNo, { kind: "opened" }, trx);
        const isOpen = step?.state.name === "pending";
        await trx
          .updateTable("payment_orders")
          .set({
            provider_ref: created.providerRef,
            expires_at: created.expiresAt,
            ...(isOpen ? { pay_url: created.redirectUrl } : {}),
          })
          .where("order_no", "=", orderNo)
          .execute();
      });
      return created.redirectUrl;
    } catch (error) {
      logger.warn({ err: error, order: orderNo, provider: provider.id }, "failed to open a payment at its provider");
      await orders.act(orderNo, { kind: "open_failed" });
      throw new GatewayRefusal(502, "provider_failed");
    }
  }

  #newOrderNo(): string {
    const bytes = this.#options.random.bytes(orderNoLength);
    return Array.from(bytes, (byte) => orderNoAlphabet[byte % orderNoAlphabet.length]).join("");
  }
}

const minuteMs = 60_000;
/** Ages of an order at which the provider is queried, if it has not reported. */
const checkTimesMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, 60 * minuteMs, 24 * 60 * minuteMs] as const;
const firstCheckMs = checkTimesMs[0];
/** How long until an unanswered query is retried, and until the claim of a crashed server ends. */
const againMs = 5 * minuteMs;
const batchMax = 50;
const atOnceMax = 5;
/** States of orders about which the provider may know more than this server. */
const checkedStates = ["created", "pending", "expired"] as const;

interface OrderChecksOptions {
  db: Kysely<Database>;
  orders: OrderService;
  providerById: (id: string) => PaymentProvider | null;
  clock: Clock;
  logger: Logger;
}

/** Queries providers about orders whose webhook may be lost. Expires old orders. */
export class OrderChecks {
  readonly #options: OrderChecksOptions;

  constructor(options: OrderChecksOptions) {
    this.#options = options;
  }

  async runDue(): Promise<void> {
    const due = await this.#claim();
    for (let start = 0; start < due.length; start += atOnceMax) {
      await Promise.all(due.slice(start, start + atOnceMax).map((orderNo) => this.#checkDue(orderNo)));
    }
  }

  /** @throws PaymentProviderError */
  async query(order: StoredOrder): Promise<void> {
    const provider = this.#options.providerById(order.row.provider);
    if (!provider) throw new PaymentProviderError("the provider is not configured", { isTemporary: false });
    const event = await provider.query(snapshotOf(order));
    if (event) await this.#options.orders.process(provider.id, event, { source: "query" });
  }

  /** Claims due orders for this server. If the server crashes, its claims end by time. */
  async #claim(): Promise<string[]> {
    const now = this.#now();
    const { rows } = await sql<{ order_no: string }>`
      update payment_orders set next_check_at = ${new Date(now.getTime() + againMs)}
      where id in (
        select id from payment_orders where next_check_at <= ${now}
        order by next_check_at limit ${batchMax} for update skip locked
      )
      returning order_no`.execute(this.#options.db);
    return rows.map((row) => row.order_no);
  }

  async #checkDue(orderNo: string): Promise<void> {
    const { db, logger } = this.#options;
    const order = await orderByNo(db, orderNo);
    if (!order || !isChecked(order)) return;
    try {
      await this.query(order);
    } catch (error) {
      if (!(error instanceof PaymentProviderError)) throw error;
      logger.warn({ err: error, order: orderNo }, "failed to query a provider about an order");
      // A temporary error is no answer, so the query is retried.
      if (error.isTemporary) return;
    }
    await this.#checked(orderNo);
  }

  async #checked(orderNo: string): Promise<void> {
    const { db, orders } = this.#options;
    const order = await orderByNo(db, orderNo);
    if (!order || !isChecked(order)) return;
    const nowMs = this.#now().getTime();
    const sinceMs = order.row.created_at.getTime();
    const nextMs = checkTimesMs.find((afterMs) => sinceMs + afterMs > nowMs);
    const isOver = nextMs === undefined || (order.row.expires_at !== null && order.row.expires_at.getTime() <= nowMs);
    await db
      .updateTable("payment_orders")
      .set({
        checks: order.row.checks + 1,
        next_check_at: nextMs === undefined ? null : new Date(sinceMs + nextMs),
      })
      .where("id", "=", order.row.id)
      .where("state", "in", checkedStates)
      .execute();
    if (isOver) await orders.act(orderNo, { kind: "timed_out" });
  }

  #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }
}

export function isChecked({ state }: Pick<StoredOrder, "state">): boolean {
  return checkedStates.some((name) => name === state.name);
}

/** `status` as in the response envelope of the specification. */
export class GatewayRefusal extends Error {
  override readonly name = "GatewayRefusal";
  readonly status: number;
  readonly word: GatewayError;
  constructor(status: number, word: GatewayError) {
    super(word);
    this.status = status;
    this.word = word;
  }
}
