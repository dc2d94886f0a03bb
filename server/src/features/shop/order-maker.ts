import type { Kysely, Selectable } from "kysely";
import type { Logger } from "pino";
import type { PaymentOrdersTable } from "#db/payment-tables.ts";
import type { Database } from "#db/schema.ts";
import { orderReuseMs } from "@fava/wire/limits.ts";
import type { Clock } from "#ports/clock.ts";
import type { LimitName, Limits } from "#ports/limits.ts";
import type { PaymentProvider, PayMethod } from "#ports/payments.ts";
import type { Random } from "#ports/random.ts";
import { GatewayRefusal } from "./gateway-refusal.ts";
import { firstCheckMs } from "./order-checks.ts";
import type { OrderDesk } from "./order-desk.ts";
import { insertOrder, orderByNo, snapshotOf } from "./order-store.ts";

export interface Buyer {
  userId: bigint;
  userNo: string;
  countryId: number;
  language: string;
}

export interface Goods {
  /** Null: an exact number of beans. */
  packId: number | null;
  golds: bigint;
  priceMinor: bigint;
  currencyCode: string;
}

export interface WantedOrder {
  buyer: Buyer;
  goods: Goods;
  channelType: number;
  provider: PaymentProvider;
  method: PayMethod;
  countryCode: string;
  /** Our own, as the browser knows it. */
  origin: string;
  ip: string;
}

export interface OrderMakerOptions {
  db: Kysely<Database>;
  desk: OrderDesk;
  limits: Limits;
  clock: Clock;
  random: Random;
  logger: Logger;
}

const orderNoLength = 16;
/** 32 of them, so that a byte picks each equally often; without those that are mistaken for another. */
const orderNoAlphabet = "abcdefghijkmnpqrstuvwxyz23456789";

/** Makes orders and opens them at their provider. */
export class OrderMaker {
  readonly #options: OrderMakerOptions;
  /** Orders whose provider is being asked; as many as requests wait for it. */
  readonly #opening = new Map<string, Promise<string>>();

  constructor(options: OrderMakerOptions) {
    this.#options = options;
  }

  /**
   * The same person, goods and method within a minute get the order that is open already: a double click pays once
   * (rule BEANS-155).
   *
   * @throws GatewayRefusal `slow_down`, `provider_failed`.
   */
  async make(wanted: WantedOrder): Promise<{ url: string; orderNo: string }> {
    const { orderNo, url } = await this.#options.db.transaction().execute(async (trx) => {
      // Two clicks wait here for each other.
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

  async #live(trx: Kysely<Database>, wanted: WantedOrder): Promise<Selectable<PaymentOrdersTable> | undefined> {
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

  /** Against the testing of stolen cards: many small orders, and many that are declined (rule BEANS-157). */
  async #limit({ buyer, ip }: WantedOrder): Promise<void> {
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

  async #insert(trx: Kysely<Database>, wanted: WantedOrder): Promise<string> {
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

  async #open(orderNo: string, { provider, origin }: WantedOrder): Promise<string> {
    const { db, desk, logger } = this.#options;
    const order = await orderByNo(db, orderNo);
    if (!order) throw new Error("an order vanished");
    // Another click had it opened while this one came here.
    if (order.row.pay_url !== "") return order.row.pay_url;
    try {
      const created = await provider.create(snapshotOf(order), {
        returnUrl: `${origin}/chargeReturn?order_no=${orderNo}`,
        notifyUrl: `${origin}/pay/webhook/${provider.id}`,
      });
      await db.transaction().execute(async (trx) => {
        // A webhook may have been faster than this answer; then there is nothing left to open.
        const step = await desk.act(orderNo, { kind: "opened" }, trx);
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
      logger.warn({ err: error, order: orderNo, provider: provider.id }, "a payment could not be opened");
      await desk.act(orderNo, { kind: "open_failed" });
      throw new GatewayRefusal(502, "provider_failed");
    }
  }

  #newOrderNo(): string {
    const bytes = this.#options.random.bytes(orderNoLength);
    return Array.from(bytes, (byte) => orderNoAlphabet[byte % orderNoAlphabet.length]).join("");
  }
}
