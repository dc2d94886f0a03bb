import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";
import { Ledger } from "#features/beans/ledger.ts";
import { beanHandlers } from "#features/beans/routes.ts";
import { supportGift } from "#features/beans/support-gift.ts";
import { pushOwnDataChanged } from "#own-data-pushes.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { PriceBook } from "#ports/price-book.ts";

/** The ledger, its calls, and how browsers hear of it. */
export function buildBeans({ db, clock }: { db: Kysely<Database>; clock: Clock }) {
  const ledger = new Ledger({ db, clock });
  return {
    ledger,
    handlers: (prices: Pick<PriceBook, "smallestPack">) => beanHandlers({ db, clock, ledger, prices }),
    /** Whoever's beans changed reads their balance anew (rule BEANS-115). */
    tellBrowsers: (bus: Pick<Bus, "push">): Disposable => ledger.onChanged((userId) => pushOwnDataChanged(bus, userId)),
    /** Beans for the people of the sandbox, by their number. */
    giveBeans: (userNo: string, beans: bigint) => supportGift({ db, ledger }, { userNo, beans }),
  };
}
