import type { Logger } from "pino";
import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Ledger } from "#features/beans/ledger.ts";
import { recoverMeters } from "#features/beans/meter-recovery.ts";
import { MeterService } from "#features/beans/meter-service.ts";
import { MeterWork } from "#features/beans/meter-work.ts";
import type { CallService } from "#features/call/service.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";

/** Half of the smallest pool that the settings allow by default, so that people's own requests find connections. */
const ledgerTasksAtOnce = 8;

/** The meter, after it has given back what an earlier run of the server left unfinished. */
export async function buildMeter(parts: {
  db: Kysely<Database>;
  ledger: Ledger;
  bus: Bus;
  calls: CallService;
  clock: Clock;
  logger: Logger;
  /** How long the payer's own word may stop the clock of one call. */
  ownPauseMs: number;
}): Promise<MeterService> {
  const work = new MeterWork(parts);
  const { released, credited } = await recoverMeters(parts.ledger, work);
  if (released > 0) parts.logger.warn({ released, credited: String(credited) }, "gave back what a crash cut off");
  return new MeterService({ ...parts, work, tasksAtOnce: ledgerTasksAtOnce });
}
