import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { WatchedBlobs } from "#adapters/blobs/watched-blobs.ts";
import type { InspectionService } from "#calls/inspection-service.ts";
import type { MatchService } from "#calls/match-service.ts";
import type { CallRecovery } from "#calls/room-claims.ts";
import type { CallService } from "#calls/room-service.ts";
import type { MeterService } from "#calls/meter-service.ts";
import type { Hub } from "#edge/socket/hub.ts";
import type { CallDays } from "#db/call-days.ts";
import type { JobEngine } from "#db/job-engine.ts";
import type { NotificationService } from "#people/notification-service.ts";
import type { TextFindings } from "#moderation/text-findings.ts";
import type { ReadReplica } from "#db/replica.ts";
import type { SessionHandover } from "#edge/socket/session-handover.ts";
import type { FrameClassifier } from "#ports/frame-classifier.ts";
import type { Peers } from "#ports/peers.ts";
import type { Drain } from "#edge/drain.ts";

interface Measured {
  hub: Hub;
  matches: Pick<MatchService, "counts" | "poolFigures" | "outlookFigures">;
  calls: Pick<CallService, "roomCount" | "fenced" | "rungMs">;
  recovery: Pick<CallRecovery, "figures">;
  callDays: Pick<CallDays, "ahead" | "overdue">;
  replica: Pick<ReadReplica, "isThere" | "lagMs" | "fallbacks">;
  meters: Pick<MeterService, "figures">;
  inspection: InspectionService;
  classifier: FrameClassifier | null;
  blobs: Pick<WatchedBlobs, "failures">;
  peers: Pick<Peers, "figures" | "onAsked">;
  notifications: Pick<NotificationService, "figures">;
  findings: Pick<TextFindings, "figures">;
  jobs: Pick<JobEngine, "figures">;
  /** Null where this process is alone. */
  drain: Pick<Drain, "isDraining" | "roomsWaitedFor"> | null;
  handover: Pick<SessionHandover, "handed"> | null;
}

/** A figure that is read when somebody asks for it. */
type Read = readonly [name: string, help: string, read: () => number];

/** Process metrics, how many people are here, what paid calls count, how their pictures are looked at, and the other processes. */
export function appMetrics(measured: Measured): Registry {
  const {
    hub,
    matches,
    calls,
    callDays,
    replica,
    recovery,
    meters,
    peers,
    drain,
    handover,
    notifications,
    findings,
    jobs,
    blobs,
    ...looking
  } = measured;
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  addGauges(metrics, [
    ["fava_people_present", "People with a chat session", () => hub.presentCount()],
    ["fava_people_searching", "People who search", () => matches.counts.searching],
    ["fava_call_days_ahead", "Days from tomorrow on for which there is a partition of calls", () => callDays.ahead],
    ["fava_call_days_overdue", "Days of calls that were to go, and are still there", () => callDays.overdue],
  ]);
  replicaMetrics(metrics, replica);
  matchMetrics(metrics, { matches, calls });
  takeOverMetrics(metrics, { calls, recovery });
  meterMetrics(metrics, meters);
  qualityMetrics(metrics, calls);
  notificationMetrics(metrics, notifications);
  textMetrics(metrics, findings);
  jobMetrics(metrics, jobs);
  inspectionMetrics(metrics, looking);
  peerMetrics(metrics, peers);
  drainMetrics(metrics, { drain, handover });
  blobMetrics(metrics, blobs);
  return metrics;
}

/** How far a replica is behind; never where there is none. */
function replicaMetrics(metrics: Registry, replica: Measured["replica"]): void {
  const unknown = replica.isThere ? Number.POSITIVE_INFINITY : 0;
  const seconds = () => (replica.lagMs === null ? unknown : replica.lagMs / 1_000);
  addGauges(metrics, [["fava_replica_lag_seconds", "How old what the replica answers may be", seconds]]);
  addCounters(metrics, [
    ["fava_replica_fallbacks_total", "Questions that the primary answered in its place", () => replica.fallbacks],
  ]);
}

/** What the storage of pictures and files did not do. */
function blobMetrics(metrics: Registry, blobs: Measured["blobs"]): void {
  addLabelled(metrics, {
    name: "fava_blobs_failures_total",
    help: "Requests to the storage of pictures and files that failed",
    label: "operation",
    read: () => blobs.failures,
  });
}

/** How this process stops, and where its people go. */
function drainMetrics(metrics: Registry, { drain, handover }: Pick<Measured, "drain" | "handover">): void {
  addGauges(metrics, [
    ["fava_draining", "Whether this process is about to stop", () => Number(drain?.isDraining ?? false)],
    ["fava_draining_rooms", "Calls that it waits for, to stop", () => drain?.roomsWaitedFor ?? 0],
  ]);
  addCounters(metrics, [
    ["fava_sockets_moved_total", "Chat sessions that went on at another process", () => handover?.handed ?? 0],
  ]);
}

/** Where people are met, and what becomes of it: a site has one matcher, at one of its processes. */
export function matchMetrics(
  metrics: Registry,
  { matches, calls }: Pick<Measured, "matches"> & { calls: Pick<CallService, "roomCount"> },
): void {
  const registers = [metrics];
  addGauges(metrics, [
    ["fava_rooms", "Calls that this process has", () => calls.roomCount],
    ["fava_matcher_owner", "Whether this process has the matcher", () => Number(matches.poolFigures.hasMatcher)],
    ["fava_matcher_unheard", "Whether no matcher heard this process last", () => Number(matches.poolFigures.isUnheard)],
    ["fava_matcher_epoch", "The newest matcher that this process knows", () => Number(matches.poolFigures.epoch)],
  ]);
  new Counter({
    name: "fava_pairs_refused_total",
    help: "Pairs that this process did not take: of an earlier matcher, or with a search that was over",
    labelNames: ["why"],
    registers,
    collect() {
      const { stale, gone } = matches.poolFigures.refused;
      this.reset();
      this.inc({ why: "stale" }, stale);
      this.inc({ why: "gone" }, gone);
    },
  });
  new Counter({
    name: "fava_outlook_total",
    help: "Searches that found somebody whose owners were told how long it takes, by whether it took no longer, and by whose searches that was told from",
    labelNames: ["basis", "within"],
    registers,
    collect() {
      this.reset();
      for (const [basis, { within, later }] of Object.entries(matches.outlookFigures)) {
        this.inc({ basis, within: "yes" }, within);
        this.inc({ basis, within: "no" }, later);
      }
    },
  });
  const corrections = () => matches.poolFigures.rollCorrections;
  const barred = () => matches.poolFigures.barredByCountry;
  addCounters(metrics, [
    ["fava_roll_corrections_total", "Searches of this process that the matcher had lost", corrections],
    ["fava_bar_only_country_total", "Looks of this process's matcher that only a country left out barred", barred],
  ]);
}

/** What became of the calls of processes that died, and what that gave away: nobody is to gain more by it (rule BEANS-402). */
export function takeOverMetrics(
  metrics: Registry,
  { calls, recovery }: Pick<Measured, "recovery"> & { calls: Pick<CallService, "fenced"> },
): void {
  addCounters(metrics, [
    ["fava_rooms_adopted_total", "Calls of dead processes that went on here", () => recovery.figures.adopted],
    ["fava_rooms_left_over_total", "Calls of dead processes that ended", () => recovery.figures.ended],
    ["fava_rooms_fenced_total", "Calls that ended here since another process had them", () => calls.fenced],
    ["fava_minutes_given_total", "Minutes that ran in them, and cost nothing", () => recovery.figures.minutesGiven],
    ["fava_left_over_beans_total", "Beans given back for those that ended", () => Number(recovery.figures.credited)],
  ]);
}

/** How the processes of a site reach each other. */
export function peerMetrics(metrics: Registry, peers: Measured["peers"]): void {
  const registers = [metrics];
  const asked = new Histogram({
    name: "fava_peer_seconds",
    help: "Questions to other processes, by what came of them",
    labelNames: ["outcome"],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2],
    registers,
  });
  peers.onAsked((tookMs, outcome) => asked.observe({ outcome }, tookMs / 1_000));
  addCounters(metrics, [
    ["fava_peer_nobody_total", "Questions for which no process was there", () => peers.figures.nobody],
    ["fava_bus_gap_total", "Times at which news of other processes may have been missed", () => peers.figures.gaps],
  ]);
}

/** How much of their pictures people could send: what grows at the lower end is the network's doing, or a relay's. */
export function qualityMetrics(metrics: Registry, calls: Pick<CallService, "rungMs">): void {
  new Counter({
    name: "fava_rung_seconds_total",
    help: "Time for which so much of a picture was sent, as pages say: 0 nothing, 4 all of it",
    labelNames: ["rung"],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [rung, ms] of Object.entries(calls.rungMs)) this.inc({ rung }, ms / 1_000);
    },
  });
}

/** What became of telling people who have no page open. */
function notificationMetrics(metrics: Registry, notifications: Measured["notifications"]): void {
  new Counter({
    name: "fava_notifications_total",
    help: "Notifications to browsers without an open page, by what they tell and what became of them",
    labelNames: ["kind", "result"],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [kind, results] of Object.entries(notifications.figures))
        for (const [result, count] of Object.entries(results)) this.inc({ kind, result }, count);
    },
  });
}

/** What the text rules find, and how often writers dispute it: both by kind. */
function textMetrics(metrics: Registry, findings: Measured["findings"]): void {
  addLabelled(metrics, {
    name: "fava_text_findings_total",
    help: "Findings in texts that were hidden, covered or refused, by kind",
    label: "kind",
    read: () => findings.figures.hits,
  });
  addLabelled(metrics, {
    name: "fava_text_disputes_total",
    help: "Findings that their writers disputed, by kind",
    label: "kind",
    read: () => findings.figures.disputed,
  });
}

/** Runs of periodic jobs at this server. */
function jobMetrics(metrics: Registry, jobs: Measured["jobs"]): void {
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

/** How long the clocks of paid calls ran, and stood: a share that grows means that somebody has found a way not to pay. */
export function meterMetrics(metrics: Registry, meters: Measured["meters"]): void {
  new Counter({
    name: "fava_paid_call_seconds_total",
    help: "Time of paid calls that have ended, by whether their clock ran or stood",
    labelNames: ["clock"],
    registers: [metrics],
    collect() {
      const { countedMs, pausedMs } = meters.figures;
      this.reset();
      this.inc({ clock: "ran" }, countedMs / 1_000);
      this.inc({ clock: "stood" }, pausedMs / 1_000);
    },
  });
}

/** How the inspection of call pictures keeps up. */
export function inspectionMetrics(
  metrics: Registry,
  { inspection, classifier }: Pick<Measured, "inspection" | "classifier">,
): void {
  const registers = [metrics];
  lookMetrics(metrics, inspection);
  const counted = { judged: "judged", missed: "missed", unreadable: "unreadable", busy: "not judged for want of time" };
  for (const [figure, what] of Object.entries(counted) as [keyof typeof counted, string][]) {
    const name = `fava_inspection_frames_${figure}_total`;
    addCounters(metrics, [[name, `Pictures of calls that were ${what}`, () => inspection.figures[figure]]]);
  }
  addCounters(metrics, [
    [
      "fava_inspection_put_off_total",
      "Looks at pictures of calls that were asked for later than usual because of overload",
      () => inspection.figures.putOff,
    ],
  ]);
  addLabelled(metrics, {
    name: "fava_inspection_frames_unlooked_total",
    help: "Frames of calls and searches that arrived and were not judged, by the reason",
    label: "reason",
    read: () => inspection.figures.unlooked,
  });
  addLabelled(metrics, {
    name: "fava_calls_ended_unchecked_total",
    help: "Calls that were ended because no frame of one side could be checked, by the cause that both were told",
    label: "cause",
    read: () => inspection.figures.endedUnchecked,
  });
  addGauges(metrics, [
    ["fava_inspection_hidden_rooms", "Rooms in which a picture is hidden", () => inspection.figures.hiddenRooms],
    ["fava_inspection_memory_bytes", "Remembered pictures of calls", () => inspection.figures.memoryBytes],
    [
      "fava_inspection_waiting_frames",
      "Pictures that wait for the classifier",
      () => classifier?.backlog().waiting ?? 0,
    ],
    [
      "fava_inspection_oldest_waiting_ms",
      "How long the oldest of them has waited",
      () => classifier?.backlog().oldestMs ?? 0,
    ],
  ]);
  new Gauge({
    name: "fava_inspection_ready",
    help: "Whether pictures can be judged, by engine; off: nobody wants them judged",
    labelNames: ["engine"],
    registers,
    collect() {
      this.set({ engine: classifier?.engine ?? "off" }, inspection.isChecking() ? 1 : 0);
    },
  });
}

/** What looks before a call bring and cost, and how long something may have been seen that had to be hidden. */
function lookMetrics(metrics: Registry, inspection: InspectionService): void {
  const registers = [metrics];
  const exposure = new Histogram({
    name: "fava_inspection_exposure_seconds",
    help: "From the last clean look at a picture to when it was hidden, where a verdict on it hid it",
    buckets: [0.5, 1, 2, 3, 4, 6, 8, 10, 12, 15, 20, 30],
    registers,
  });
  inspection.onExposed((exposedMs) => exposure.observe(exposedMs / 1_000));
  const judged = () => inspection.figures.searchJudged;
  addCounters(metrics, [
    ["fava_inspection_search_frames_judged_total", "Pictures of people who search that were judged", judged],
  ]);
  new Counter({
    name: "fava_inspection_pictures_opened_total",
    help: "Pictures of calls by how they began: clear by a look before the call, or covered",
    labelNames: ["as"],
    registers,
    collect() {
      const { openedClear, openedCovered } = inspection.figures;
      this.reset();
      this.inc({ as: "clear" }, openedClear);
      this.inc({ as: "covered" }, openedCovered);
    },
  });
}

/** A counter with one label, of which each value is counted from the start of the process. */
function addLabelled(
  metrics: Registry,
  counter: { name: string; help: string; label: string; read: () => Readonly<Record<string, number>> },
): void {
  const { name, help, label, read } = counter;
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count);
    },
  });
}

function addGauges(metrics: Registry, figures: readonly Read[]): void {
  for (const [name, help, read] of figures) {
    new Gauge({
      name,
      help,
      registers: [metrics],
      collect() {
        this.set(read());
      },
    });
  }
}

/** Figures that only grow while the process lives. */
function addCounters(metrics: Registry, figures: readonly Read[]): void {
  for (const [name, help, read] of figures) {
    new Counter({
      name,
      help,
      registers: [metrics],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
}
