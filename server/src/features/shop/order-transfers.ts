import type { TransferOrder } from "#features/beans/transfer.ts";
import type { OrderEffect } from "./order-state.ts";
import type { OrderRow } from "./order-store.ts";

/** The transfer that an effect of the machine means; its key says which news moved the beans (research notes 1.7). */
export function transferOf(order: OrderRow, effect: OrderEffect, options: { overdraft: boolean }): TransferOrder {
  const { provider, order_no: reference } = order;
  const house = { house: `sales:${provider}` } as const;
  const person = { userId: order.user_id };
  const common = { amount: effect.beans, reference };
  switch (effect.kind) {
    case "credit":
      return { ...common, key: `pay:${provider}:${effect.transactionId}`, kind: "purchase", from: house, to: person };
    case "take": {
      const taken = { ...common, from: person, to: house, overdraft: options.overdraft };
      return effect.cause === "refund"
        ? { ...taken, key: `refund:${provider}:${effect.id}`, kind: "refund" }
        : { ...taken, key: `dispute:${provider}:${effect.id}:open`, kind: "dispute_opened" };
    }
    case "give_back": {
      const given = { ...common, from: house, to: person };
      // Also a refund, the other way: so that the purchase counts as untouched again.
      return effect.cause === "refund"
        ? { ...given, key: `refund:${provider}:${effect.id}:back`, kind: "refund" }
        : { ...given, key: `dispute:${provider}:${effect.id}:won`, kind: "dispute_won", reason: "dispute_won" };
    }
  }
}
