import type { Order } from "@fava/wire/endpoints/shop.ts";
import type { GatewayRequest, PayType, PriceList } from "@fava/wire/gateway.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import type { Answers } from "#testing/fixture-world.ts";
import { settings } from "#testing/fixtures.ts";
import { bank, card, listOf, orderOf } from "#testing/shop-world.ts";

/** The packs of a new installation, which can only be paid by card. */
export const sixPacks: PriceList = listOf([
  [1, 1_030_000, 99_999],
  [2, 770_000, 74_999],
  [3, 510_000, 49_999],
  [4, 203_000, 19_999],
  [5, 101_000, 9_999],
  [6, 10_000, 999],
]);
export const noPacks: PriceList = listOf([]);
/** Several methods, one with a name that is in no catalog. */
export const payMethods: readonly PayType[] = [
  card,
  bank,
  { ...card, id: "wallet", pay_name: "Mobile wallet" },
  { ...card, id: "brand", pay_name: "PayMondo" },
];

type Recharge = Exclude<GatewayRequest, { op: "price_list" }>;

/** An order number in the format of the server. */
export const orderNumber = "fv26112m9t4c7x3k";
const dayMs = 86_400_000;

/** A shop with one buyer, whose payments end as the test decides. */
export interface Till {
  readonly answers: Answers;
  /** The requests to the payment gateway, oldest first. */
  readonly asked: readonly GatewayRequest[];
  /** The last order. */
  readonly order: Order;
  /** The provider has decided: paid beans arrive at once. */
  settle(state: Exclude<Order["state"], "refunded">): void;
}

/** A shop for this buyer; its payment page is an empty page of the product's own origin. */
export function tillOf(buyer: OwnUser, nowMs: () => number = Date.now): Till {
  const asked: GatewayRequest[] = [];
  let balance = buyer.credit5;
  let order = orderOf({ order_no: orderNumber, created_at: nowMs() });
  function ordered({ amount, recharge_id: packId, golds, jump_url: returnUrl }: Recharge): void {
    const pack = sixPacks.list.find(({ id }) => id === packId);
    order = orderOf({
      order_no: orderNumber,
      beans: pack?.golds ?? golds ?? 0,
      price_minor: pack?.price_minor ?? Math.round(Number(amount) * 100),
      pay_url: new URL("/empty-page", returnUrl).href,
      created_at: nowMs(),
    });
  }
  return {
    asked,
    get order() {
      return order;
    },
    settle(state) {
      if (state === "paid") balance += order.beans;
      const paid = state === "paid" && { paid_at: nowMs(), withdraw_until: nowMs() + 14 * dayMs };
      order = { ...order, state, pay_url: "", ...paid };
    },
    answers: {
      myInfo: () => ({ ...buyer, credit5: balance }),
      beanWallet: () => ({
        balance,
        debt: 0,
        held: 0,
        cap: { beans: null, pending: null, spent_today: 0 },
        rate: settings.smallest_pack,
      }),
      rechargeToken: () => ({ token: "recharge", expires_at: nowMs() + 600_000, entry: "/gateway/entry" }),
      priceList: (request) => {
        asked.push(request);
        return sixPacks;
      },
      recharge: (request) => {
        asked.push(request);
        ordered(request);
        return { url: order.pay_url, orderNo: order.order_no };
      },
      orderStatus: () => ({ ...order, balance }),
    },
  };
}
