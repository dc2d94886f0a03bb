import * as v from "valibot";
import { rechargeToken } from "@fava/wire/endpoints/shop.ts";
import {
  channelTypes,
  gatewayApiName,
  gatewayErrors,
  type GatewayError,
  type GatewayRequest,
  type PayType,
  type PriceList,
  priceListSchema,
  rechargeAnswerSchema,
} from "@fava/wire/gateway.ts";
import { rechargeTokenMs, requestTimeoutMs } from "@fava/wire/limits.ts";
import { majorText } from "@fava/wire/money.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { request } from "#lib/api/request.ts";
import { currentLanguage } from "#lib/i18n.ts";
import { writeStored } from "#lib/storage.ts";

/** A purchase: a pack, or with `packId` 0 an exact number of beans. */
export interface Purchase {
  packId: number;
  beans: number;
  priceMinor: number;
  currencyCode: string;
}

export interface PaymentLink {
  url: string;
  orderNo: string;
}

/** The payment gateway rejected the request, or did not respond. */
export class GatewayFailure extends Error {
  override readonly name = "GatewayFailure";
  readonly reason: GatewayError | "silence";
  constructor(reason: GatewayError | "silence", cause?: unknown) {
    super(`payment entry: ${reason}`, { cause });
    this.reason = reason;
  }
}

const operations = {
  [channelTypes.payermax]: "recharge_payermax",
  [channelTypes.coda]: "recharge_coda",
  [channelTypes.stripe]: "recharge_stripe",
} as const;

/** Whether this page can pay through the method's channel. */
export function isPayable(method: PayType): boolean {
  return method.channel_type in operations;
}

/**
 * Packs and payment methods of one country.
 *
 * @throws GatewayFailure; RequestFailure if no token could be loaded
 */
export async function fetchPriceList(user: OwnUser, countryId: number): Promise<PriceList> {
  const answer = await ask(user, (token) => ({
    op: "price_list",
    country_id: countryId,
    user_id: user.user_no,
    token,
    language: currentLanguage(),
    recharge_type: 4,
    back_type: 2,
    platform: "web",
  }));
  return read(v.object({ data: priceListSchema }), answer).data;
}

/**
 * Requests the address of the payment page; two requests for the same purchase within a short time share one order.
 *
 * @throws GatewayFailure; RequestFailure if no token could be loaded
 */
export async function requestPayment(user: OwnUser, purchase: Purchase, method: PayType): Promise<PaymentLink> {
  const operation = operations[method.channel_type as keyof typeof operations];
  const answer = await ask(user, (token) => ({
    op: operation,
    user_id: user.user_no,
    token,
    language: currentLanguage(),
    country_type: 0,
    amount: majorText(BigInt(purchase.priceMinor), purchase.currencyCode),
    recharge_id: purchase.packId,
    ...(purchase.packId === 0 && { golds: purchase.beans }),
    country_code: method.country_code,
    pay_type: method.id,
    back_type: 2,
    jump_url: `${location.origin}/chargeReturn`,
    origin_type: 1,
  }));
  const { data, order_no } = read(rechargeAnswerSchema, answer);
  // The payment window still has our origin, so a script address would run with the page's rights.
  if (!/^https?:\/\//i.test(data)) throw new GatewayFailure("provider_failed");
  return { url: data, orderNo: order_no };
}

const refusalSchema = v.object({
  status: v.number(),
  msg: v.optional(v.fallback(v.picklist(gatewayErrors), "provider_failed")),
});

interface Token {
  userId: number;
  token: string;
  entry: string;
  untilMs: number;
}
let known: Token | null = null;
/** A token that expires within this time is not used. */
const tokenMarginMs = 30_000;

/** One attempt, and a second one with a new token if the old one is rejected. */
async function ask(user: OwnUser, request: (token: string) => GatewayRequest): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const token = await tokenOf(user);
    const answer = await send(token.entry, request(token.token));
    const { status, msg: reason = "provider_failed" } = read(refusalSchema, answer);
    if (status === 200) return answer;
    if (reason === "bad_token") known = null;
    if (reason !== "bad_token" || attempt > 1) throw new GatewayFailure(reason);
  }
}

async function tokenOf(user: OwnUser): Promise<Token> {
  if (known?.userId === user.user_id && Date.now() < known.untilMs) return known;
  const { token, entry } = await request(rechargeToken, { user_id: user.user_id }, { quiet: true });
  writeStored("rechargeToken", token);
  known = { userId: user.user_id, token, entry, untilMs: Date.now() + rechargeTokenMs - tokenMarginMs };
  return known;
}

async function send(entry: string, request: GatewayRequest): Promise<unknown> {
  const query = new URLSearchParams({ Api_name: gatewayApiName, Api_data: JSON.stringify(request) });
  try {
    const response = await fetch(`${entry}?${query.toString()}`, { signal: AbortSignal.timeout(requestTimeoutMs) });
    return await response.json();
  } catch (error) {
    throw new GatewayFailure("silence", error);
  }
}

function read<Schema extends v.GenericSchema>(schema: Schema, answer: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, answer);
  if (!result.success) throw new GatewayFailure("silence", new Error(result.issues[0].message));
  return result.output;
}
