import { PayerMaxPayments } from "#adapters/payments/payermax/payermax-payments.ts";
import { PayerMaxStandIn } from "#adapters/payments/payermax/payermax-stand-in.ts";
import type { OrderSnapshot } from "#ports/payments.ts";
import { TestClock } from "./clock.ts";
import { leftovers } from "./leftovers.ts";
import { contractUrls, orderFixture } from "./payment-contract.ts";

/** Our side of PayerMax with a stand-in for theirs; `paid` orders, pays, and gives the notification of it. */
export async function startPayermax() {
  const clock = new TestClock(Date.UTC(2026, 10, 21, 10, 0, 0, 5));
  const standIn = await PayerMaxStandIn.start(() => clock.nowMs());
  leftovers.push(standIn);
  const payments = new PayerMaxPayments({ ...standIn.settings, clock });
  async function paid(change: Partial<OrderSnapshot> = {}) {
    const order = orderFixture({ orderNo: "o7k2m9", ...change });
    const { providerRef } = await payments.create(order, contractUrls);
    return { order: { ...order, providerRef }, request: standIn.finish(order.orderNo, "SUCCESS") };
  }
  return { clock, standIn, payments, paid };
}
