import type { AccountTables } from "./account-tables.ts";
import type { BeanTables } from "./bean-tables.ts";
import type { CallTables } from "./call-tables.ts";
import type { ModerationTables } from "./moderation-tables.ts";
import type { PaymentTables } from "./payment-tables.ts";
import type { PeopleTables } from "./people-tables.ts";
import type { ShopTables } from "./shop-tables.ts";

/** Tables as the migrations leave them, by area; `schema.test.ts` compares them with the database. */
export interface Database
  extends AccountTables, CallTables, BeanTables, ShopTables, PaymentTables, PeopleTables, ModerationTables {}
