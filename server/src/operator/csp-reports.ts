import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Kysely, sql } from "kysely";
import type { Registry } from "prom-client";
import * as v from "valibot";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { cspReportBytesMax, cspReportRowsPerDayMax, cspReportsKeptMs, cspReportsShownMax } from "@fava/wire/limits.ts";
import type { Database } from "#db/schema.ts";
import { badInput } from "#lib/errors.ts";
import { addLabelledCounter } from "#lib/metric-registration.ts";
import { takeFromLimit } from "#lib/take-from-limit.ts";
import { wireInteger } from "#lib/wire-integer.ts";
import type { Clock } from "#ports/clock.ts";
import type { Limits } from "#ports/rate-limits.ts";

/** Directives of CSP level 3 that a report can name; all others count as `other`. */
const directives = [
  "base-uri",
  "child-src",
  "connect-src",
  "default-src",
  "fenced-frame-src",
  "font-src",
  "form-action",
  "frame-ancestors",
  "frame-src",
  "img-src",
  "manifest-src",
  "media-src",
  "object-src",
  "sandbox",
  "script-src",
  "script-src-attr",
  "script-src-elem",
  "style-src",
  "style-src-attr",
  "style-src-elem",
  "trusted-types",
  "require-trusted-types-for",
  "worker-src",
] as const;

const pathLengthMax = 200;
const reportsPerRequestMax = 20;

/** What is kept of a report: neither address nor browser, and of addresses only host and path. */
export interface CspReport {
  readonly directive: string;
  readonly blocked: string;
  readonly path: string;
}

const text = v.optional(v.string(), "");
/** The body of `report-uri` (CSP level 3, section 5.3). */
const plainSchema = v.object({
  "csp-report": v.object({
    "document-uri": text,
    "blocked-uri": text,
    "effective-directive": text,
    "violated-directive": text,
  }),
});
/** The body of `report-to` (Reporting API, section 3.1, with the body of CSP level 3, section 5.2). */
const listSchema = v.array(
  v.object({
    type: text,
    body: v.optional(v.object({ documentURL: text, blockedURL: text, effectiveDirective: text }), {}),
  }),
);

/** The reports in a body of either kind. @throws EndpointError 400 for a body that is none. */
export function readCspReports(body: string): readonly CspReport[] {
  const read = parsed(body);
  const list = v.safeParse(listSchema, read);
  if (list.success) {
    return list.output
      .filter(({ type }) => type === "csp-violation")
      .slice(0, reportsPerRequestMax)
      .map(({ body: one }) => cspReport(one.effectiveDirective, one.blockedURL, one.documentURL));
  }
  const plain = v.safeParse(plainSchema, read);
  if (!plain.success) throw badInput("not a report of a content security policy");
  const report = plain.output["csp-report"];
  // Older browsers send only the directive of the policy, with its sources.
  const directive = report["effective-directive"] || (report["violated-directive"].split(" ", 1)[0] ?? "");
  return [cspReport(directive, report["blocked-uri"], report["document-uri"])];
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw badInput("the body must be JSON");
  }
}

function cspReport(directive: string, blocked: string, documentAddress: string): CspReport {
  const known = directives.find((one) => one === directive);
  return { directive: known ?? "other", blocked: blockedSource(blocked), path: pathOf(documentAddress) };
}

/** The host of an address, its scheme where it has no host, or a keyword such as `inline` or `eval`. */
function blockedSource(blocked: string): string {
  if (/^[a-z-]{1,30}$/.test(blocked)) return blocked;
  if (!URL.canParse(blocked)) return "other";
  const url = new URL(blocked);
  return /^(?:https?|wss?):$/.test(url.protocol) ? url.hostname.slice(0, 253) : url.protocol.slice(0, -1).slice(0, 30);
}

function pathOf(address: string): string {
  return URL.canParse(address) ? new URL(address).pathname.slice(0, pathLengthMax) : "";
}

interface CspReportParts {
  db: Kysely<Database>;
  limits: Limits;
  clock: Clock;
  metrics: Registry;
}

/** Receives reports of browsers and counts them (rule GUARD-26). */
export class CspReports {
  readonly #parts: CspReportParts;
  readonly #received: Record<string, number> = Object.fromEntries([...directives, "other"].map((name) => [name, 0]));

  constructor(parts: CspReportParts) {
    this.#parts = parts;
    addLabelledCounter(parts.metrics, {
      name: "fava_csp_reports_total",
      help: "Reports of browsers about the content security policy, by directive",
      label: "directive",
      read: () => this.#received,
    });
  }

  /** Adds `POST /reports/csp`, which browsers call without a session or signature. */
  async route(app: FastifyInstance): Promise<void> {
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(
        ["application/csp-report", "application/reports+json"],
        { parseAs: "string", bodyLimit: cspReportBytesMax },
        (_request, body, done) => done(null, body),
      );
      scope.post("/reports/csp", { bodyLimit: cspReportBytesMax }, (request, reply) => this.#receive(request, reply));
    });
  }

  async #receive(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { limits } = this.#parts;
    await takeFromLimit(limits, "cspReportByAddress", request.ip);
    await takeFromLimit(limits, "cspReportFromAll", "all");
    if (typeof request.body !== "string") throw badInput("the body is missing");
    const reports = readCspReports(request.body);
    for (const { directive } of reports) this.#received[directive] = (this.#received[directive] ?? 0) + 1;
    await this.#store(reports);
    return reply.code(204).send();
  }

  /** Forged reports can add at most `cspReportRowsPerDayMax` rows a day; known rows go on counting. */
  async #store(reports: readonly CspReport[]): Promise<void> {
    const { db, clock } = this.#parts;
    const day = new Date(clock.nowMs()).toISOString().slice(0, 10);
    await sql`
      insert into csp_reports (day, directive, blocked, path, count)
      select ${day}::date, directive, blocked, path, count(*)
      from jsonb_to_recordset(${JSON.stringify(reports)}::jsonb) as sent (directive text, blocked text, path text)
      where (select count(*) from csp_reports where day = ${day}::date) < ${cspReportRowsPerDayMax}
        or exists (
          select from csp_reports as known
          where known.day = ${day}::date and known.directive = sent.directive
            and known.blocked = sent.blocked and known.path = sent.path
        )
      group by directive, blocked, path
      on conflict (day, directive, blocked, path) do update set count = csp_reports.count + excluded.count`.execute(db);
  }

  async list(): Promise<OutputOf<Endpoints["adminCspReports"]>> {
    const { db, clock } = this.#parts;
    const { rows } = await sql<CspReport & { count: bigint; last_on: string }>`
      select directive, blocked, path, sum(count)::bigint as count, max(day)::text as last_on
      from csp_reports where day >= ${oldestDay(clock.nowMs())}::date
      group by directive, blocked, path
      order by sum(count) desc, max(day) desc, directive, blocked, path
      limit ${cspReportsShownMax}`.execute(db);
    return { rows: rows.map(({ count, ...row }) => ({ ...row, count: wireInteger(count) })) };
  }

  async deleteExpired(): Promise<void> {
    const { db, clock } = this.#parts;
    await sql`delete from csp_reports where day < ${oldestDay(clock.nowMs())}::date`.execute(db);
  }
}

/** The oldest UTC day that is kept, `YYYY-MM-DD`. */
function oldestDay(nowMs: number): string {
  return new Date(nowMs - cspReportsKeptMs).toISOString().slice(0, 10);
}
