import type { FastifyInstance } from "fastify";
import type { Base } from "#lib/base.ts";
import type { Handlers } from "#ports/handlers.ts";
import { CspReports } from "./csp-reports.ts";

export interface Operator {
  handlers: Pick<Handlers, "adminCspReports">;
  routes: (app: FastifyInstance) => Promise<void>;
  /** Deletes what has expired. */
  forgetOld: () => Promise<void>;
}

/** Opens what shows the operator how the site is doing. */
export function openOperator({ base }: { base: Base }): Operator {
  const { db, limits, clock, metrics } = base;
  const cspReports = new CspReports({ db, limits, clock, metrics });
  return {
    handlers: { adminCspReports: () => cspReports.list() },
    routes: (app) => cspReports.route(app),
    forgetOld: () => cspReports.deleteExpired(),
  };
}
