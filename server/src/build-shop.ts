import type { FastifyInstance } from "fastify";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { Gateway, gatewayRoute } from "#billing/gateway.ts";
import type { Ledger } from "#billing/ledger.ts";
import { OrderDesk } from "#billing/order-desk.ts";
import { OrderChecks, OrderMaker } from "#billing/order-maker.ts";
import { payImageRoutes } from "#billing/pay-methods.ts";
import { Periodic } from "#lib/tasks.ts";
import type { ShopPriceBook } from "#billing/price-book.ts";
import { RechargeTokens } from "#billing/recharge-tokens.ts";
import { Reconciliation, untilNight } from "#billing/reconciliation.ts";
import { shopAdminHandlers } from "#billing/shop-admin.ts";
import { shopHandlers } from "#billing/shop-routes.ts";
import { webhookRoute } from "#billing/webhook-route.ts";
import { Withdrawals } from "#billing/withdrawals.ts";
import type { Database } from "#db/schema.ts";
import type { Clock } from "#ports/clock.ts";
import type { Limits } from "#ports/limits.ts";
import type { PaymentProvider } from "#ports/payments.ts";
import type { Random } from "#ports/random.ts";

export interface ShopOptions {
  db: Kysely<Database>;
  ledger: Ledger;
  prices: ShopPriceBook;
  /** Which provider serves a channel of the payment entry. */
  channels: ReadonlyMap<number, PaymentProvider>;
  /** Any provider that has orders, also one that serves no channel any more. */
  providerById: (id: string) => PaymentProvider | null;
  limits: Limits;
  clock: Clock;
  random: Random;
  logger: Logger;
  /** Path of the payment entry. */
  entry: string;
  /** Our own origin; null: the one that each request names. */
  publicOrigin: string | null;
}

export type Shop = ReturnType<typeof buildShop>;

const pollEveryMs = 15_000;

/** Orders, the payment entry, webhooks, and what runs beside them until it is disposed. */
export function buildShop(options: ShopOptions) {
  const { clock, logger, prices, channels } = options;
  const desk = new OrderDesk(options);
  const checks = new OrderChecks({ ...options, desk });
  const withdrawals = new Withdrawals({ ...options, desk });
  const tokens = new RechargeTokens(options);
  const orders = new OrderMaker({ ...options, desk });
  const gateway = new Gateway({ ...options, tokens, orders, prices, channels });
  const reconciliation = new Reconciliation({ ...options, desk });
  const timers = [
    new Periodic({ clock, logger, name: "order checks", pauseMs: () => pollEveryMs, work: () => checks.runDue() }),
    new Periodic({ clock, logger, name: "refunds", pauseMs: () => pollEveryMs, work: () => withdrawals.runDue() }),
    new Periodic({ clock, logger, name: "prices", pauseMs: () => pollEveryMs, work: () => prices.refresh() }),
    new Periodic({
      clock,
      logger,
      name: "reconciliation",
      pauseMs: untilNight,
      work: async () => void (await reconciliation.run()),
    }),
  ];
  return {
    desk,
    checks,
    withdrawals,
    reconciliation,
    handlers: {
      ...shopHandlers({ ...options, tokens, checks, withdrawals }),
      ...shopAdminHandlers({ ...options, desk }),
    },
    routes: async (app: FastifyInstance): Promise<void> => {
      await gatewayRoute(app, { ...options, gateway });
      payImageRoutes(app);
      await webhookRoute(app, { ...options, desk });
    },
    /** The person's session is over, and with it the way to pay. */
    sessionEnded: (userId: bigint): void => tokens.end(userId),
    /** Nothing is asked of providers from here on. */
    async [Symbol.asyncDispose](): Promise<void> {
      for (const timer of timers) await timer[Symbol.asyncDispose]();
    },
  };
}
