import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { filterPricesDefault } from "@fava/wire/beans.ts";
import { orderStatus, rechargeToken } from "@fava/wire/endpoints/shop.ts";
import type { GatewayRequest } from "@fava/wire/gateway.ts";
import { systemRandom } from "#adapters/local/random.ts";
import { LocalLimits } from "#adapters/local/rate-limits.ts";
import { Ledger } from "#billing/ledger.ts";
import { ShopPriceBook } from "#billing/price-book.ts";
import { buildShop, type Shop } from "#build-shop.ts";
import type { LiveSession } from "#ports/handlers.ts";
import type { Limits } from "#ports/limits.ts";
import type { PaymentEvent } from "#ports/payments.ts";
import { TestClock } from "./clock.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { type Edge, openEdge } from "./edge.ts";
import { leftovers } from "./leftovers.ts";
import { eventAbout, type News, ScriptedPayments, webhookBody } from "./scripted-payments.ts";
import { type Caller, signedCall } from "./signed-call.ts";

export interface Person {
  userId: bigint;
  userNo: string;
  caller: Caller;
}

/** Fields of a recharge that a test sets to something else. */
type RechargeChange = Partial<Record<keyof Exclude<GatewayRequest, { op: "price_list" }>, unknown>>;

interface ShopWorldOptions {
  limitFactor?: number;
  limits?: Limits;
  timers?: boolean;
  trustedProxies?: readonly string[];
}

/** How a webhook comes; the address counts where this machine is a trusted proxy. */
interface WebhookSent {
  provider?: string;
  signature?: string;
  ip?: string;
}

interface ShopParts {
  database: TestDatabase;
  clock: TestClock;
  ledger: Ledger;
  prices: ShopPriceBook;
  payments: ScriptedPayments;
  coda: ScriptedPayments;
  shop: Shop;
  edge: Edge;
}

const startMs = Date.UTC(2026, 0, 1, 12);

/** The shop over HTTP and a database of its own, with two scripted providers: channel 2 and 9. */
export class ShopWorld {
  readonly database: TestDatabase;
  readonly clock: TestClock;
  readonly ledger: Ledger;
  readonly prices: ShopPriceBook;
  readonly payments: ScriptedPayments;
  readonly coda: ScriptedPayments;
  readonly shop: Shop;
  readonly edge: Edge;
  /** Whose balance the ledger announced. */
  readonly announced: bigint[] = [];

  private constructor(parts: ShopParts) {
    this.database = parts.database;
    this.clock = parts.clock;
    this.ledger = parts.ledger;
    this.prices = parts.prices;
    this.payments = parts.payments;
    this.coda = parts.coda;
    this.shop = parts.shop;
    this.edge = parts.edge;
    this.ledger.onChanged((userId) => this.announced.push(userId));
  }

  /** Without timers, what runs beside the shop runs when the test says so. */
  static async open(options: ShopWorldOptions = {}): Promise<ShopWorld> {
    const { limitFactor = 1_000, limits = new LocalLimits({ factor: limitFactor }), timers = false } = options;
    const { trustedProxies = [] } = options;
    const database = await createTestDatabase();
    const { db } = database;
    const clock = new TestClock(startMs);
    const nowMs = () => clock.nowMs();
    const ledger = new Ledger({ db, clock });
    const prices = await ShopPriceBook.open(db, { prices: filterPricesDefault, at: new Date(nowMs()) });
    const payments = new ScriptedPayments("sandbox", nowMs);
    const coda = new ScriptedPayments("coda", nowMs);
    const shop = buildShop({
      db,
      ledger,
      prices,
      channels: new Map([
        [2, payments],
        [9, coda],
      ]),
      providerById: (id) => [payments, coda].find((provider) => provider.id === id) ?? null,
      limits,
      clock,
      random: systemRandom,
      logger: pino({ level: "silent" }),
      entry: "/gateway/entry",
      publicOrigin: null,
    });
    leftovers.push(shop);
    if (!timers) await shop[Symbol.asyncDispose]();
    const edge = await openEdge(shop.handlers, { clock, plugins: shop.routes, trustedProxies });
    return new ShopWorld({ database, clock, ledger, prices, payments, coda, shop, edge });
  }

  /** Somebody signed in. */
  async person({ countryId = 18, role = 0 } = {}): Promise<Person> {
    const name = randomBytes(6).toString("hex");
    const user = await this.database.db
      .insertInto("users")
      .values({
        user_no: String(10_000_000 + (randomBytes(4).readUInt32BE() % 89_999_999)),
        external_id: name,
        nickname: name,
        sex: 1,
        birthday: null,
        country_id: countryId,
        role,
        language: "tr",
        last_login_ip: "",
        device_id: "",
        avatar_key: "",
      })
      .returning(["id", "user_no"])
      .executeTakeFirstOrThrow();
    const session: LiveSession = { id: name, userId: user.id, externalId: name, role, profileComplete: true };
    const signKey = randomBytes(32);
    this.edge.tokens.set(name, { kind: "live", session, signKey, language: "tr" });
    const caller = { target: this.edge.visitor.target, nowMs: () => this.clock.nowMs(), token: name, signKey };
    return { userId: user.id, userNo: user.user_no, caller };
  }

  async token(person: Person): Promise<string> {
    const { data } = await signedCall(person.caller, rechargeToken, { user_id: Number(person.userId) });
    return data.token;
  }

  /** The payment entry, as the browser asks it. */
  async entry(data: Record<string, unknown>, headers: Record<string, string> = {}) {
    const query = { Api_name: "third_recharge", Api_data: JSON.stringify(data) };
    const answer = await this.edge.app.inject({
      method: "GET",
      url: "/gateway/entry",
      query,
      headers: { host: "fava.test", ...headers },
    });
    return { http: answer, ...answer.json<{ status: number; msg?: string; data?: unknown; order_no?: string }>() };
  }

  async priceList(person: Person, change: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
    const asked = {
      op: "price_list",
      country_id: 18,
      user_id: person.userNo,
      token: await this.token(person),
      recharge_type: 4,
      back_type: 2,
      platform: "web",
    };
    return this.entry({ ...asked, ...change }, headers);
  }

  /** Asks for the smallest pack by card unless said otherwise. */
  async recharge(person: Person, change: RechargeChange = {}, headers: Record<string, string> = {}) {
    const asked = {
      op: "recharge_payermax",
      user_id: person.userNo,
      token: await this.token(person),
      country_type: 0,
      amount: "9.99",
      recharge_id: this.prices.smallestPack().id,
      country_code: "US",
      pay_type: "sandbox-card",
      back_type: 2,
      jump_url: "http://fava.test/chargeReturn",
      origin_type: 1,
    };
    return this.entry({ ...asked, ...change }, headers);
  }

  /** An order that waits for its payment. */
  async order(person: Person, change: RechargeChange = {}): Promise<string> {
    const answer = await this.recharge(person, change);
    if (answer.order_no === undefined) throw new Error(`no order: ${answer.msg}`);
    return answer.order_no;
  }

  async paidOrder(person: Person, change: RechargeChange = {}): Promise<string> {
    const orderNo = await this.order(person, change);
    await this.report(orderNo, { kind: "paid" });
    return orderNo;
  }

  /** The provider reports, genuine unless said otherwise; answers the HTTP status. */
  async report(orderNo: string, news: News, sent: WebhookSent = {}): Promise<number> {
    return this.webhook([eventAbout(orderNo, news, new Date(this.clock.nowMs()))], sent);
  }

  async webhook(
    events: readonly PaymentEvent[],
    { provider = "sandbox", signature = "genuine", ip = "127.0.0.1" }: WebhookSent = {},
  ): Promise<number> {
    const answer = await this.edge.app.inject({
      method: "POST",
      url: `/pay/webhook/${provider}`,
      headers: { "content-type": "application/json", "x-signature": signature, "x-forwarded-for": ip },
      payload: webhookBody(events),
    });
    return answer.statusCode;
  }

  async stateOf(orderNo: string): Promise<string> {
    const row = await this.database.db
      .selectFrom("payment_orders")
      .select(["state", "review_reason"])
      .where("order_no", "=", orderNo)
      .executeTakeFirstOrThrow();
    return row.review_reason === null ? row.state : `${row.state}: ${row.review_reason}`;
  }

  async balance({ userId }: Person): Promise<bigint> {
    return (await this.ledger.account(userId)).balance;
  }

  /** What became of the events about an order, in the order in which it did. */
  async results(orderNo: string): Promise<string[]> {
    const rows = await this.database.db
      .selectFrom("payment_event_results")
      .innerJoin("payment_events", "payment_events.id", "payment_event_results.event_id")
      .select(["kind", "result"])
      .where("order_no", "=", orderNo)
      .orderBy("payment_event_results.id")
      .execute();
    return rows.map(({ kind, result }) => `${kind} ${result}`);
  }

  async status(person: Person, orderNo: string, check: 0 | 1 = 0) {
    return signedCall(person.caller, orderStatus, { user_id: Number(person.userId), order_no: orderNo, check });
  }
}
