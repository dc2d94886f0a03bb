import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { untilNight } from "#billing/reconciliation.ts";
import { CallDays } from "#db/call-days.ts";
import type { Database } from "#db/schema.ts";
import type { DisposalStack } from "#lib/disposal-stack.ts";
import { Periodic, periodicBy } from "#lib/tasks.ts";
import type { Clock } from "#ports/clock.ts";
import type { Leases } from "#ports/leases.ts";

interface CallDayParts {
  jobs: Kysely<Database>;
  clock: Clock;
  leases: Leases;
  logger: Logger;
  disposal: DisposalStack;
}

const madeEveryMs = 3_600_000;

/** The days of calls: some are always there before they come, and old ones go at night. */
export async function keepCallDays(parts: CallDayParts): Promise<CallDays> {
  const { jobs, clock, logger, disposal } = parts;
  const callDays = new CallDays({ db: jobs, clock });
  // Each process does, and says in its metrics how many it knows of: those that are there cost it a look.
  const making = { pauseMs: () => madeEveryMs, work: () => callDays.makeAhead() };
  disposal.use(new Periodic({ clock, logger, name: "days of calls", ...making }), { name: "days of calls" });
  periodicBy(parts, disposal)("old calls", { pauseMs: untilNight, work: () => callDays.dropOld() });
  // Whoever writes a call makes its day where it is missing.
  await callDays
    .makeAhead()
    .catch((error: unknown) => logger.warn({ err: error }, "days of calls were not made ahead"));
  return callDays;
}
