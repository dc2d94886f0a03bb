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

/** Tables of calls by day: creates the next days ahead, and drops old ones at night. */
export async function openCallDays(parts: CallDayParts): Promise<CallDays> {
  const { jobs, clock, logger, disposal } = parts;
  const callDays = new CallDays({ db: jobs, clock });
  // Each server does this, since its metrics count the days that it knows; a day that exists costs a look-up.
  const making = { pauseMs: () => madeEveryMs, work: () => callDays.makeAhead() };
  disposal.use(new Periodic({ clock, logger, name: "days of calls", ...making }), { name: "days of calls" });
  periodicBy(parts, disposal)("old calls", { pauseMs: untilNight, work: () => callDays.dropOld() });
  // The server that writes a call creates its day where it is missing.
  await callDays
    .makeAhead()
    .catch((error: unknown) => logger.warn({ err: error }, "failed to create days of calls ahead"));
  return callDays;
}
