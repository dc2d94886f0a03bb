import { Counter, type Registry } from "prom-client";
import type { Billing } from "#billing/open.ts";
import type { Calls } from "#calls/open.ts";
import { JobEngine, type PeriodicJob } from "#db/job-engine.ts";
import { heldCount } from "#db/holds.ts";
import { mailsJob } from "#db/mail-outbox.ts";
import type { OpenedDatabase } from "#db/pool.ts";
import type { Base } from "#lib/base.ts";
import { wireInteger } from "#lib/wire-integer.ts";
import type { ModerationDomain } from "#moderation/open.ts";
import { outboxJob } from "#moderation/outbox-service.ts";
import type { Operator } from "#operator/open.ts";
import type { People } from "#people/open.ts";
import type { Handlers } from "#ports/handlers.ts";

interface Domains {
  billing: Billing;
  people: People;
  moderation: ModerationDomain;
  calls: Calls;
  operator: Operator;
}

interface JobParts {
  base: Base;
  database: OpenedDatabase;
  domains: Domains;
}

const every = (pauseMs: number) => () => pauseMs;
const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** 03:00 UTC: few users are online. */
const nightAtMs = 3 * hourMs;

export function untilNight(nowMs: number): number {
  return dayMs - ((nowMs - nightAtMs) % dayMs);
}

/** Jobs that keep the data of accounts that an authority's hold is on (rule PRIV-7). */
const holdingJobs: readonly string[] = ["moderation upkeep", "erasure", "retention", "old age checks"];

/** Periodic work that one server at a time does for all servers. The name is the key of the job: keep it. */
function periodicJobs({ billing, people, moderation, calls, operator }: Domains): PeriodicJob[] {
  return [
    { name: "order checks", pauseMs: every(15 * secondMs), work: () => billing.checks.runDue() },
    { name: "refunds", pauseMs: every(15 * secondMs), work: () => billing.withdrawals.runDue() },
    { name: outboxJob, pauseMs: every(minuteMs), work: () => moderation.outbox.sendDue() },
    { name: mailsJob, pauseMs: every(minuteMs), work: () => people.mailSender.sendDue() },
    { name: "rings", pauseMs: every(30 * secondMs), work: () => people.rings.tidy() },
    { name: "reminders of hours", pauseMs: every(minuteMs), work: () => people.topicHours.runDue() },
    { name: "moderation upkeep", pauseMs: every(5 * minuteMs), work: () => moderation.upkeep() },
    { name: "age checks", pauseMs: every(15 * secondMs), work: () => people.ages.askDue() },
    { name: "old age checks", pauseMs: every(hourMs), work: () => people.ages.forgetOld() },
    { name: "exports", pauseMs: every(10 * minuteMs), work: () => people.exports.tidy() },
    { name: "erasure", pauseMs: every(10 * minuteMs), work: () => people.erasure.runDue() },
    { name: "clusters", pauseMs: every(hourMs), work: async () => void (await moderation.findClusters()) },
    { name: "kind words", pauseMs: every(hourMs), work: () => people.deleteOldKindWords() },
    { name: "unused pictures", pauseMs: every(hourMs), work: () => people.images.forgetStale() },
    { name: "retention", pauseMs: every(dayMs), work: () => people.forgetOld() },
    { name: "reconciliation", pauseMs: untilNight, work: async () => void (await billing.reconciliation.run()) },
    { name: "figures of the day", pauseMs: untilNight, work: () => operator.countDays() },
    { name: "old reports of browsers", pauseMs: untilNight, work: () => operator.forgetOld() },
    { name: "old calls", pauseMs: untilNight, work: () => calls.callDays.dropOld() },
  ];
}

/** Starts the job engine. It stops before the domains and after erasure, whose running work can then end. */
export function openJobs({ base, database, domains }: JobParts): { handlers: Pick<Handlers, "adminJobs"> } {
  const { db, peers, clock, metrics, logger, disposal } = base;
  const jobs = disposal.use(new JobEngine({ database, jobs: periodicJobs(domains), self: peers.self, clock, logger }));
  disposal.defer("Erasure", () => domains.people.erasure.stop());
  jobMetrics(metrics, jobs);
  return { handlers: jobHandlers(jobs, () => heldCount(db, new Date(clock.nowMs()))) };
}

function jobHandlers(engine: Pick<JobEngine, "states">, held: () => Promise<number>): Pick<Handlers, "adminJobs"> {
  return {
    adminJobs: async () => {
      const [states, heldAccounts] = await Promise.all([engine.states(), held()]);
      return {
        rows: states.map(({ name, ran_at, next_at, is_running, runs, failures, last_failed_at }) => ({
          name,
          ran_at: ran_at?.getTime() ?? null,
          next_at: next_at?.getTime() ?? null,
          is_running,
          runs: wireInteger(runs),
          failures: wireInteger(failures),
          last_failed_at: last_failed_at?.getTime() ?? null,
          held: holdingJobs.includes(name) ? heldAccounts : null,
        })),
      };
    },
  };
}

function jobMetrics(metrics: Registry, jobs: Pick<JobEngine, "figures">): void {
  new Counter({
    name: "fava_job_runs_total",
    help: "Runs of periodic jobs at this server, by job and result",
    labelNames: ["name", "result"],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [name, results] of Object.entries(jobs.figures))
        for (const [result, count] of Object.entries(results)) this.inc({ name, result }, count);
    },
  });
}
