import type { FastifyInstance } from "fastify";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Database } from "#db/schema.ts";
import { Erasure, type ErasureParts } from "#features/account/erasure.ts";
import { exportRoute } from "#features/account/export-route.ts";
import { ExportService, type ExportServiceOptions } from "#features/account/export-service.ts";
import { accountHandlers } from "#features/account/routes.ts";
import { AccountService, type AccountServiceOptions } from "#features/account/service.ts";
import { reportHandlers } from "#features/reports/routes.ts";
import { ReportService, type ReportServiceOptions } from "#features/reports/service.ts";
import { Periodic } from "#features/shop/periodic.ts";
import { unusedPurchases } from "#features/shop/unused-purchases.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Clock } from "#ports/clock.ts";
import type { Directory } from "#ports/directory.ts";
import type { Limits } from "#ports/limits.ts";

export interface AccountParts
  extends
    Pick<AccountServiceOptions, "places" | "calls" | "balances">,
    Pick<ReportServiceOptions, "moderation" | "live"> {
  db: Kysely<Database>;
  /** The same for work that may take long. */
  jobs: Kysely<Database>;
  clock: Clock;
  logger: Logger;
  blobs: Blobs;
  limits: Limits;
  sessions: AccountServiceOptions["sessions"] & ExportServiceOptions["sessions"];
  serverSecret: string;
  social: AccountServiceOptions["people"] & Pick<Directory, "isKnown" | "haveMet">;
  messages: ErasureParts["messages"];
  images: ErasureParts["images"];
  withdrawals: { withdraw(userId: bigint, orderNo: string): Promise<void> };
}

const betweenRunsMs = 600_000;

/** A person's account as a whole, and reports about others; erases and tidies beside it until it is disposed. */
export async function buildAccount(parts: AccountParts) {
  const { db, jobs, clock, logger, social, withdrawals } = parts;
  const accounts = new AccountService({
    ...parts,
    people: social,
    purchases: {
      unused: (userId) => unusedPurchases(db, userId, new Date(clock.nowMs())),
      refund: (userId, orderNo) => withdrawals.withdraw(userId, orderNo),
    },
  });
  const exports = new ExportService(parts);
  await exports.recover();
  const reports = new ReportService({ ...parts, directory: social });
  const erasure = new Erasure({ ...parts, db: jobs, refunds: accounts, exports });
  const pauseMs = () => betweenRunsMs;
  const timers = [
    new Periodic({ clock, logger, name: "erasure", pauseMs, work: () => erasure.runDue() }),
    new Periodic({ clock, logger, name: "exports", pauseMs, work: () => exports.tidy() }),
  ];
  return {
    accounts,
    exports,
    erasure,
    handlers: { ...accountHandlers({ accounts, exports }), ...reportHandlers(reports) },
    routes: (app: FastifyInstance): void => exportRoute(app, exports),
    /** Nothing is erased or prepared from here on. */
    async [Symbol.asyncDispose](): Promise<void> {
      erasure.stop();
      for (const timer of timers) await timer[Symbol.asyncDispose]();
      await reports[Symbol.asyncDispose]();
      await exports[Symbol.asyncDispose]();
    },
  };
}
