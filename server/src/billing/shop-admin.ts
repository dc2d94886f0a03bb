import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { countryById } from "@fava/wire/countries.ts";
import type { OutputOf, ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { priceStepMinor } from "@fava/wire/exact-price.ts";
import { listPageRows, packBeansShownMax, priceListCountryDefault } from "@fava/wire/limits.ts";
import { majorText } from "@fava/wire/money.ts";
import type { Database } from "#db/schema.ts";
import { badInput } from "#lib/errors.ts";
import { wireInteger } from "#lib/wire-integer.ts";
import type { Pack } from "#ports/billing.ts";
import type { Clock } from "#ports/clock.ts";
import type { Handlers } from "#ports/handlers.ts";
import type { Ledger } from "./ledger.ts";
import type { OrderService } from "./order-service.ts";
import { isUsedByOtherOrder, lockedOrder } from "./order-store.ts";
import type { ShopPriceBook } from "./price-book.ts";
import * as store from "./price-store.ts";

type Db = Kysely<Database>;

export interface ShopAdminParts {
  db: Db;
  prices: ShopPriceBook;
  orders: OrderService;
  ledger: Ledger;
  clock: Clock;
  logger: Logger;
}

const packsMax = 500;
const reviewsMax = 200;

type AdminCalls = "adminShopInfo" | "adminPricesUpdate" | "adminPackAdd" | "adminPackRemove" | "adminOrderResolve";

/** Handlers for administrators. Each price change is recorded with its author. */
export function shopAdminHandlers(parts: ShopAdminParts): Pick<Handlers, AdminCalls> {
  return {
    adminShopInfo: async () => shopInfo(parts),
    adminPricesUpdate: async ({ session }, input) => {
      await updatePrices(parts, session.userId, input);
      return pricesOf(parts.prices);
    },
    adminPackAdd: async ({ session }, input) => wirePack(await addPack(parts, session.userId, input)),
    adminPackRemove: async ({ session }, input) => {
      await removePack(parts, session.userId, input.id);
      return {};
    },
    adminOrderResolve: async ({ session }, input) => resolveOrder(parts, session.userId, input),
  };
}

async function shopInfo({ db, prices }: ShopAdminParts): Promise<OutputOf<Endpoints["adminShopInfo"]>> {
  const [history, reviews] = await Promise.all([
    store.changes(db, listPageRows),
    db
      .selectFrom("payment_orders")
      .innerJoin("users", "users.id", "payment_orders.user_id")
      .selectAll("payment_orders")
      .select("user_no")
      .where("state", "=", "review")
      .orderBy("changed_at")
      .limit(reviewsMax)
      .execute(),
  ]);
  return {
    prices: pricesOf(prices),
    packs: prices.allPacks().map(wirePack),
    history: history.map(({ id, at, change, ...row }) => ({
      ...row,
      id: String(id),
      at: at.getTime(),
      change: change as store.ShopChange,
    })),
    reviews: reviews.map((row) => ({
      order_no: row.order_no,
      user_no: row.user_no,
      provider: row.provider,
      beans: wireInteger(row.beans),
      price_minor: wireInteger(row.amount_minor),
      currency_code: row.currency_code,
      reason: row.review_reason ?? "",
      at: row.changed_at.getTime(),
    })),
  };
}

async function updatePrices(
  { db, prices, clock }: ShopAdminParts,
  actorId: bigint,
  { gender, country, both }: ParsedInputOf<Endpoints["adminPricesUpdate"]>,
): Promise<void> {
  if (both > gender + country) throw badInput("both filters cost more than the two", "both");
  await db.transaction().execute(async (trx) => {
    await store.lockPrices(trx);
    const { prices: before } = await store.readPrices(trx);
    const after = { gender, country, both };
    await store.setPrices(trx, after);
    const at = new Date(clock.nowMs());
    await store.recordPriceChange(trx, {
      actorId,
      change: "prices",
      before: pricesText(before),
      after: pricesText(after),
      at,
    });
  });
  await prices.refresh();
}

async function addPack(
  { db, prices, clock }: ShopAdminParts,
  actorId: bigint,
  input: ParsedInputOf<Endpoints["adminPackAdd"]>,
): Promise<Pack> {
  if (!countryById(input.country_id)) throw badInput("unknown country", "country_id");
  const pack = {
    countryId: input.country_id,
    golds: BigInt(input.golds),
    priceMinor: BigInt(input.price_minor),
    currencyCode: input.currency_code,
  };
  if (pack.priceMinor % priceStepMinor(pack.currencyCode) !== 0n)
    throw badInput("not a price that every provider accepts", "price_minor");
  const added = await db.transaction().execute(async (trx) => {
    await store.lockPrices(trx);
    const { packs } = await store.readPrices(trx);
    if (packs.length >= packsMax) throw badInput("there are too many packs");
    const neighbours = packs.filter(({ countryId }) => countryId === pack.countryId);
    if (neighbours.some(({ currencyCode }) => currencyCode !== pack.currencyCode)) {
      throw badInput("the packs of a country have one currency", "currency_code");
    }
    if (neighbours.some(({ golds }) => golds === pack.golds)) throw badInput("such a pack exists", "golds");
    const at = new Date(clock.nowMs());
    const id = await store.insertPack(trx, pack, at);
    await store.recordPriceChange(trx, { actorId, change: "pack_added", before: null, after: packText(pack), at });
    return { ...pack, id };
  });
  await prices.refresh();
  return added;
}

async function removePack({ db, prices, clock }: ShopAdminParts, actorId: bigint, id: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await store.lockPrices(trx);
    const { packs } = await store.readPrices(trx);
    const pack = packs.find((one) => one.id === id);
    if (!pack) throw badInput("no such pack", "id");
    const isLast =
      pack.countryId === priceListCountryDefault &&
      !packs.some((one) => one !== pack && one.countryId === pack.countryId && one.golds < packBeansShownMax);
    if (isLast) throw badInput("the default list needs a pack", "id");
    const at = new Date(clock.nowMs());
    await store.removePack(trx, id, at);
    await store.recordPriceChange(trx, { actorId, change: "pack_removed", before: packText(pack), after: null, at });
  });
  await prices.refresh();
}

async function resolveOrder(
  { db, orders, ledger, clock, logger }: ShopAdminParts,
  actorId: bigint,
  input: ParsedInputOf<Endpoints["adminOrderResolve"]>,
): Promise<OutputOf<Endpoints["adminOrderResolve"]>> {
  const { order_no: orderNo, note } = input;
  const decision = input.decision === 1 ? "credit" : "close";
  const { userId, state } = await db.transaction().execute(async (trx) => {
    const order = await lockedOrder(trx, orderNo);
    if (order?.state.name !== "review") throw badInput("no such order in review", "order_no");
    const { reason, transactionId } = order.state;
    const isTaken = transactionId !== null && (await isUsedByOtherOrder(trx, order.row, transactionId));
    if (decision === "credit" && isTaken) throw badInput("the payment was credited for another order", "decision");
    await orders.act(orderNo, { kind: "resolved", decision, refundNo: `${orderNo}close` }, trx);
    const at = new Date(clock.nowMs());
    await trx
      .insertInto("order_decisions")
      .values({ order_id: order.row.id, actor_id: actorId, decision, reason, note, at })
      .execute();
    const after = await lockedOrder(trx, orderNo);
    return { userId: order.row.user_id, state: after?.state.name ?? order.state.name };
  });
  ledger.announce(userId);
  logger.info({ order: orderNo, decision, state }, "order in review decided");
  return { state };
}

function pricesOf(prices: ShopPriceBook): { gender: number; country: number; both: number } {
  const { gender, country, both } = prices.filterPrices();
  return { gender, country, both };
}

function pricesText({ gender, country, both }: { gender: number; country: number; both: number }): string {
  return `${gender} / ${country} / ${both}`;
}

function packText({ countryId, golds, priceMinor, currencyCode }: Omit<Pack, "id">): string {
  return `${countryById(countryId)?.code ?? countryId}: ${golds} = ${majorText(priceMinor, currencyCode)} ${currencyCode}`;
}

function wirePack(pack: Pack): OutputOf<Endpoints["adminPackAdd"]> {
  return {
    id: pack.id,
    country_id: pack.countryId,
    golds: wireInteger(pack.golds),
    price_minor: wireInteger(pack.priceMinor),
    currency_code: pack.currencyCode,
  };
}
