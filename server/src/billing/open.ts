import type { FastifyInstance } from "fastify";
import type { FilterPrices } from "@fava/wire/beans.ts";
import type { Base } from "#lib/base.ts";
import { pushOwnDataOnChange } from "#lib/own-data-pushes.ts";
import { Periodic } from "#lib/tasks.ts";
import type { Bus } from "#ports/bus.ts";
import type { PaymentProvider } from "#ports/payments.ts";
import type { TemporaryStore } from "#ports/temporary-store.ts";
import { beanHandlers } from "./bean-routes.ts";
import { BillingMetrics } from "./billing-metrics.ts";
import { Gateway, gatewayRoute } from "./gateway.ts";
import { Ledger } from "./ledger.ts";
import { OrderChecks, OrderMaker } from "./order-maker.ts";
import { OrderService } from "./order-service.ts";
import { payImageRoutes } from "./pay-methods.ts";
import { ShopPriceBook } from "./price-book.ts";
import { RechargeTokens } from "./recharge-tokens.ts";
import { Reconciliation } from "./reconciliation.ts";
import { shopAdminHandlers } from "./shop-admin.ts";
import { shopHandlers } from "./shop-routes.ts";
import { grantPromo } from "./wallet.ts";
import { webhookRoute } from "./webhook-route.ts";
import type { IsStoppedByAge } from "./purchases.ts";
import { unusedPurchases, Withdrawals } from "./withdrawals.ts";

const pricesReadEveryMs = 15_000;

interface BillingParts {
  base: Pick<Base, "db" | "jobs" | "clock" | "random" | "limits" | "mails" | "metrics" | "logger" | "disposal">;
  adapters: {
    temporaryStore: TemporaryStore;
    payments: {
      channels: ReadonlyMap<number, PaymentProvider>;
      /** A provider by id, also one that no longer serves a channel but has orders. */
      providerById: (id: string) => PaymentProvider | null;
    };
  };
  bus: Pick<Bus, "push">;
  filterPrices: FilterPrices;
  isStoppedByAge: IsStoppedByAge;
  entry: string;
  /** The public origin; null: the origin of each request. */
  publicOrigin: string | null;
}

export type Billing = Awaited<ReturnType<typeof openBilling>>;

export async function openBilling(parts: BillingParts) {
  const { base, adapters, bus, filterPrices, isStoppedByAge, entry, publicOrigin } = parts;
  const { db, jobs, clock, random, limits, mails, logger, disposal } = base;
  const { temporaryStore, payments } = adapters;
  const { channels, providerById } = payments;
  const ledger = new Ledger({ db, clock });
  disposal.use(pushOwnDataOnChange(ledger, bus), { name: "pushes of balances" });
  const prices = await ShopPriceBook.open(db, { prices: filterPrices, at: new Date(clock.nowMs()) });
  const metrics = new BillingMetrics({ metrics: base.metrics, db, clock, logger });
  const orders = new OrderService({ db, ledger, clock, limits, mails, metrics, logger });
  const checks = new OrderChecks({ db, orders, providerById, clock, logger });
  const asked = { db, isStoppedByAge, clock };
  const withdrawals = new Withdrawals({ ...asked, orders, ledger, providerById, publicOrigin, logger });
  const tokens = new RechargeTokens({ clock, random, temporaryStore });
  const orderMaker = new OrderMaker({ db, orders, limits, clock, random, logger });
  const gateway = new Gateway({ db, tokens, prices, orderMaker, channels });
  const reconciliation = new Reconciliation({ db: jobs, orders, providerById, clock, logger });
  // Each server keeps the prices in memory, so each reads them again.
  const refreshed = { name: "prices", pauseMs: () => pricesReadEveryMs, work: () => prices.refresh() };
  disposal.use(new Periodic({ clock, logger, ...refreshed }), refreshed);
  return {
    ledger,
    prices,
    orders,
    checks,
    reconciliation,
    purchases: {
      unused: async (userId: bigint) => {
        const isStopped = await isStoppedByAge(userId);
        return unusedPurchases(db, userId, { now: new Date(clock.nowMs()), isStopped });
      },
      refund: (userId: bigint, orderNo: string) => withdrawals.withdraw(userId, orderNo),
    },
    withdrawals,
    giveBeans: (userNo: string, beans: bigint) => grantPromo({ db, ledger }, { userNo, beans }),
    handlers: {
      ...beanHandlers({ ...asked, ledger, prices }),
      ...shopHandlers({ ...asked, ledger, tokens, checks, withdrawals, limits, entry }),
      ...shopAdminHandlers({ db, prices, orders, ledger, clock, logger }),
    },
    routes: async (app: FastifyInstance): Promise<void> => {
      await gatewayRoute(app, { gateway, limits, entry, publicOrigin });
      payImageRoutes(app);
      await webhookRoute(app, { db, orders, limits, providerById, metrics, clock, logger });
    },
  };
}
