import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Kysely } from "kysely";
import * as v from "valibot";
import { countryByCode, countryById } from "@fava/wire/countries.ts";
import {
  channelTypes,
  gatewayApiName,
  type GatewayRequest,
  gatewayRequestSchema,
  type PayType,
  type PriceList,
} from "@fava/wire/gateway.ts";
import { exactBeansMax, exactBeansMin } from "@fava/wire/limits.ts";
import { exactPriceMinor } from "@fava/wire/exact-price.ts";
import { majorText, minorFromText } from "@fava/wire/money.ts";
import type { Database } from "#db/schema.ts";
import { wireInteger } from "#lib/wire-integer.ts";
import type { PaymentProvider } from "#ports/payments.ts";
import type { Limits } from "#ports/rate-limits.ts";
import { type Buyer, GatewayRefusal, type Goods, type OrderMaker } from "./order-maker.ts";
import { payImagePath, payName } from "./pay-methods.ts";
import { type ShopPriceBook, smallestOf } from "./price-book.ts";
import type { RechargeTokens } from "./recharge-tokens.ts";

type PriceListRequest = Extract<GatewayRequest, { op: "price_list" }>;
type RechargeRequest = Exclude<GatewayRequest, PriceListRequest>;

type Named = Pick<GatewayRequest, "user_id" | "language">;

interface Asker {
  /** This site's origin in the browser's address bar. */
  origin: string;
  ip: string;
}

interface GatewayOptions {
  db: Kysely<Database>;
  tokens: RechargeTokens;
  prices: ShopPriceBook;
  orderMaker: OrderMaker;
  channels: ReadonlyMap<number, PaymentProvider>;
}

const channelOf = {
  recharge_payermax: channelTypes.payermax,
  recharge_coda: channelTypes.coda,
  recharge_stripe: channelTypes.stripe,
} as const satisfies Record<RechargeRequest["op"], number>;

/** The payment entry of the specification: price list, and address of the payment page. */
export class Gateway {
  readonly #options: GatewayOptions;

  constructor(options: GatewayOptions) {
    this.#options = options;
  }

  /** @throws GatewayRefusal `bad_token`, also for another user's token. */
  async priceList(request: PriceListRequest, from: Asker): Promise<PriceList> {
    const { prices, channels, tokens } = this.#options;
    const { language, sessionId, userId } = await this.#buyerByToken(request);
    await tokens.visited({ userId, sessionId }, from.ip);
    const packs = prices.packs(request.country_id);
    const currencyCode = packs[0]?.currencyCode ?? prices.smallestPack().currencyCode;
    const countryCode = countryById(request.country_id)?.code ?? "US";
    return {
      list: packs.map(({ id, golds, priceMinor }) => ({
        id,
        golds: wireInteger(golds),
        money: majorText(priceMinor, currencyCode),
        price_minor: wireInteger(priceMinor),
      })),
      paypal_list: [],
      // A provider with two channels offers its methods only on the first one, so that none appears twice.
      paytype_list: [...new Map([...channels].toReversed().map(([type, provider]) => [provider, type]))]
        .toReversed()
        .flatMap(([provider, channelType]) =>
          provider.methods({ countryCode, currencyCode }).map(({ id, name }): PayType => ({
            id,
            channel_type: channelType,
            country_code: countryCode,
            pay_name: payName(name, language),
            image_url: from.origin + payImagePath(name),
          })),
        ),
      currency_code: currencyCode,
    };
  }

  /**
   * Creates an order and returns the address of its payment page.
   * @throws GatewayRefusal
   */
  async recharge(request: RechargeRequest, from: Asker): Promise<{ url: string; orderNo: string }> {
    const { token } = request;
    const buyer = await (token === undefined
      ? this.#buyerByVisit(request, from.ip)
      : this.#buyerByToken({ ...request, token }));
    if (!isReturnPage(request.jump_url, from.origin)) throw new GatewayRefusal(400, "bad_return");
    const goods = this.#goods(request, buyer);
    if (minorFromText(request.amount, goods.currencyCode) !== goods.priceMinor) {
      throw new GatewayRefusal(400, "wrong_amount");
    }
    const country = countryByCode(request.country_code.toUpperCase());
    const channelType = channelOf[request.op];
    const provider = this.#options.channels.get(channelType);
    const place = { countryCode: country?.code ?? "", currencyCode: goods.currencyCode };
    const method = country && provider?.methods(place).find(({ id }) => id === request.pay_type);
    if (!provider || !method) throw new GatewayRefusal(400, "unknown_method");
    return this.#options.orderMaker.make({ buyer, goods, channelType, provider, method, ...place, ...from });
  }

  /** The purchased pack at this site's price. The client's price must equal it. */
  #goods({ recharge_id: packId, golds }: RechargeRequest, buyer: Buyer): Goods {
    const offer = this.#options.prices.offerFor(buyer.countryId);
    if (packId !== 0) {
      const pack = offer.find(({ id }) => id === packId);
      if (!pack) throw new GatewayRefusal(400, "unknown_pack");
      return { packId, golds: pack.golds, priceMinor: pack.priceMinor, currencyCode: pack.currencyCode };
    }
    if (golds === undefined || golds < exactBeansMin || golds > exactBeansMax) {
      throw new GatewayRefusal(400, "unknown_pack");
    }
    const rate = smallestOf(offer);
    const beans = BigInt(golds);
    return { packId: null, golds: beans, priceMinor: exactPriceMinor(beans, rate), currencyCode: rate.currencyCode };
  }

  /** The owner of the token. The request may name the owner by id or by account number. */
  async #buyerByToken({
    token,
    user_id: named,
    language,
  }: Named & { token: string }): Promise<Buyer & { sessionId: string }> {
    const owner = await this.#options.tokens.ownerOf(token);
    const user =
      owner && (await this.#inSession(owner.sessionId).where("users.id", "=", owner.userId).executeTakeFirst());
    if (!user || (named !== user.user_no && named !== String(user.id))) throw new GatewayRefusal(403, "bad_token");
    return { ...buyerOf(user, language), sessionId: owner.sessionId };
  }

  /** The user who fetched the price list from this address with a token. For clients that then send no token. */
  async #buyerByVisit({ user_id: named, language }: Named, ip: string): Promise<Buyer> {
    const { db, tokens } = this.#options;
    const one = await db.selectFrom("users").select("id").where("user_no", "=", named).executeTakeFirst();
    const sessionId = one && (await tokens.visitSession(one.id, ip));
    const user = sessionId && (await this.#inSession(sessionId).where("users.id", "=", one.id).executeTakeFirst());
    if (!user) throw new GatewayRefusal(403, "bad_token");
    return buyerOf(user, language);
  }

  #inSession(sessionId: string) {
    return this.#options.db
      .selectFrom("users")
      .innerJoin("sessions", "sessions.user_id", "users.id")
      .select(["users.id", "user_no", "country_id", "users.language"])
      .where("sessions.id", "=", sessionId)
      .where("ended_at", "is", null);
  }
}

function buyerOf(
  user: { id: bigint; user_no: string; country_id: number; language: string },
  language: string | undefined,
): Buyer {
  return { userId: user.id, userNo: user.user_no, countryId: user.country_id, language: language ?? user.language };
}

/** Only this site's return page, because otherwise the entry would redirect to any address in a link. */
function isReturnPage(address: string, origin: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.origin === origin && url.pathname === "/chargeReturn" && url.username === "" && url.password === "";
}

interface GatewayRouteOptions {
  gateway: Gateway;
  limits: Limits;
  entry: string;
  /** This site's origin; null: the origin of each request. */
  publicOrigin: string | null;
}

const bodyBytesMax = 8_192;
const parametersSchema = v.object({
  Api_name: v.literal(gatewayApiName),
  Api_data: v.pipe(v.string(), v.maxLength(bodyBytesMax), v.parseJson(), gatewayRequestSchema),
});

/** Serves GET as specified, and POST. The address contains a token, so it is not cached, logged or sent as referrer. */
export async function gatewayRoute(app: FastifyInstance, options: GatewayRouteOptions): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: bodyBytesMax }, (_request, body, done) =>
      done(null, body),
    );
    scope.route({
      method: ["GET", "POST"],
      url: options.entry,
      handler: async (request, reply) => {
        reply.headers({
          "cache-control": "no-store",
          "referrer-policy": "no-referrer",
          "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        });
        return send(reply, await answer(request, options));
      },
    });
  });
}

type Answer = { status: 200; data: unknown; order_no?: string } | { status: number; msg: string };

async function answer(request: FastifyRequest, options: GatewayRouteOptions): Promise<Answer> {
  try {
    if ((await options.limits.take("callByAddress", request.ip)) !== null) throw new GatewayRefusal(429, "slow_down");
    const asked = readRequest(request);
    const from = { origin: options.publicOrigin ?? `${request.protocol}://${request.host}`, ip: request.ip };
    if (asked.op === "price_list") return { status: 200, data: await options.gateway.priceList(asked, from) };
    const { url, orderNo } = await options.gateway.recharge(asked, from);
    return { status: 200, data: url, order_no: orderNo };
  } catch (error) {
    if (error instanceof GatewayRefusal) return { status: error.status, msg: error.word };
    throw error;
  }
}

function readRequest(request: FastifyRequest): GatewayRequest {
  const fields =
    request.method === "POST" && typeof request.body === "string"
      ? Object.fromEntries(new URLSearchParams(request.body))
      : {};
  const parsed = v.safeParse(parametersSchema, { ...(request.query as Record<string, unknown>), ...fields });
  if (!parsed.success) throw new GatewayRefusal(400, "bad_request");
  return parsed.output.Api_data;
}

/** Sends HTTP status 200, except for statuses on which caches, proxies and clients act. */
function send(reply: FastifyReply, answered: Answer): FastifyReply {
  const { status } = answered;
  return reply.code(status === 429 || status >= 500 ? status : 200).send(answered);
}
