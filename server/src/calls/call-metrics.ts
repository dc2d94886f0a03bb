import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { CallDays } from "#db/call-days.ts";
import { addCounters, addGauges, addLabelledCounter } from "#lib/metric-registration.ts";
import type { FrameClassifier } from "#ports/frame-classifier.ts";
import type { InspectionService } from "./inspection-service.ts";
import type { NewSearch } from "./match-eligibility.ts";
import type { MatchService } from "./match-service.ts";
import type { MeterService } from "./meter-service.ts";
import type { RelayedBytes } from "./relayed-bytes.ts";
import type { CallRecovery } from "./room-claims.ts";
import type { CallService } from "./room-service.ts";

type Matches = Pick<MatchService, "counts" | "poolFigures" | "estimateFigures" | "onWaitEnded">;

interface Measured {
  matches: Matches;
  calls: Pick<CallService, "roomCount" | "rungMs">;
  callDays: Pick<CallDays, "ahead" | "overdue">;
  meters: Pick<MeterService, "figures">;
  inspection: InspectionService;
  classifier: FrameClassifier | null;
  relayedBytes: Pick<RelayedBytes, "totals">;
}

export function callMetrics(metrics: Registry, measured: Measured): void {
  const { matches, calls, callDays, meters, inspection, classifier, relayedBytes } = measured;
  addGauges(metrics, [
    ["fava_people_searching", "Users who search", () => matches.counts.searching],
    ["fava_call_days_ahead", "Future days that have a partition of calls", () => callDays.ahead],
    ["fava_call_days_overdue", "Expired days of calls that are not dropped yet", () => callDays.overdue],
  ]);
  addCounters(metrics, [
    [
      "fava_relayed_bytes_total",
      "Bytes that pages received through the relay, as they reported",
      () => relayedBytes.totals.bytes,
    ],
    ["fava_relayed_sides_total", "Sides of calls that reported such bytes", () => relayedBytes.totals.sides],
  ]);
  matchMetrics(metrics, { matches, calls });
  meterMetrics(metrics, meters);
  qualityMetrics(metrics, calls);
  inspectionMetrics(metrics, { inspection, classifier });
}

/** Metrics of the matcher, which one server of a site has, and of the pairs that this server received from it. */
export function matchMetrics(
  metrics: Registry,
  { matches, calls }: { matches: Matches; calls: Pick<CallService, "roomCount"> },
): void {
  const registers = [metrics];
  addGauges(metrics, [
    ["fava_rooms", "Calls at this server", () => calls.roomCount],
    ["fava_matcher_owner", "Whether this server has the matcher", () => Number(matches.poolFigures.hasMatcher)],
    [
      "fava_matcher_unheard",
      "Whether no matcher has this server's latest searches",
      () => Number(matches.poolFigures.isUnheard),
    ],
    [
      "fava_matcher_epoch",
      "Epoch of the newest matcher that this server knows",
      () => Number(matches.poolFigures.epoch),
    ],
  ]);
  new Counter({
    name: "fava_pairs_refused_total",
    help: "Pairs that this server rejected: of an earlier matcher, or with an ended search",
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
    help: "Searches with an estimate that found a partner, by whether they did within it, and by the searches behind it",
    labelNames: ["basis", "within"],
    registers,
    collect() {
      this.reset();
      for (const [basis, { within, later }] of Object.entries(matches.estimateFigures)) {
        this.inc({ basis, within: "yes" }, within);
        this.inc({ basis, within: "no" }, later);
      }
    },
  });
  const waits = new Histogram({
    name: "fava_search_wait_seconds",
    help: "Waits of searches in the match pool, by filter and by how they ended",
    labelNames: ["filter", "outcome"],
    buckets: [0.5, 1, 2, 5, 10, 20, 40, 60, 120, 300],
    registers,
  });
  matches.onWaitEnded((search, { outcome, ms }) => waits.observe({ filter: filterOf(search), outcome }, ms / 1_000));
  const corrections = () => matches.poolFigures.rollCorrections;
  const barred = () => matches.poolFigures.barredByCountry;
  addCounters(metrics, [
    ["fava_roll_corrections_total", "Searches of this server that the matcher had lost", corrections],
    [
      "fava_bar_only_country_total",
      "Candidates that this server's matcher rejected only because of an excluded country",
      barred,
    ],
  ]);
}

function filterOf({ filters, withUserId }: Pick<NewSearch, "filters" | "withUserId">): string {
  if (withUserId !== undefined) return "person";
  const country = filters.country > 0;
  if (filters.sex === 0) return country ? "country" : "none";
  return country ? "both" : "gender";
}

export function takeOverMetrics(
  metrics: Registry,
  { calls, recovery }: { calls: Pick<CallService, "fenced">; recovery: Pick<CallRecovery, "figures"> },
): void {
  addCounters(metrics, [
    ["fava_rooms_adopted_total", "Calls of dead servers that continued at this server", () => recovery.figures.adopted],
    ["fava_rooms_left_over_total", "Calls of dead servers that ended", () => recovery.figures.ended],
    ["fava_rooms_fenced_total", "Calls ended at this server because another server owned them", () => calls.fenced],
    ["fava_minutes_given_total", "Minutes of adopted calls that were not charged", () => recovery.figures.minutesGiven],
    [
      "fava_left_over_beans_total",
      "Beans refunded for calls of dead servers that ended",
      () => Number(recovery.figures.credited),
    ],
  ]);
}

/** Time at each level of sent video. If the low levels grow, the network or a TURN relay is the cause. */
export function qualityMetrics(metrics: Registry, calls: Pick<CallService, "rungMs">): void {
  new Counter({
    name: "fava_rung_seconds_total",
    help: "Time at each level of sent video, as pages report it: 0 none, 4 full quality",
    labelNames: ["rung"],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [rung, ms] of Object.entries(calls.rungMs)) this.inc({ rung }, ms / 1_000);
    },
  });
}

/** How long meters of paid calls ran, and how long they paused. Growing pauses point to a way not to pay. */
export function meterMetrics(metrics: Registry, meters: Pick<MeterService, "figures">): void {
  new Counter({
    name: "fava_paid_call_seconds_total",
    help: "Time of ended paid calls, by whether the meter ran or was paused",
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

export function inspectionMetrics(
  metrics: Registry,
  { inspection, classifier }: { inspection: InspectionService; classifier: FrameClassifier | null },
): void {
  const registers = [metrics];
  lookMetrics(metrics, inspection);
  const counted = {
    judged: "judged",
    missed: "missed",
    unreadable: "unreadable",
    busy: "not judged because the classifier was busy",
  };
  for (const [figure, what] of Object.entries(counted) as [keyof typeof counted, string][]) {
    const name = `fava_inspection_frames_${figure}_total`;
    addCounters(metrics, [[name, `Frames of calls that were ${what}`, () => inspection.figures[figure]]]);
  }
  addCounters(metrics, [
    [
      "fava_inspection_put_off_total",
      "Frames of calls that were requested late because of overload",
      () => inspection.figures.putOff,
    ],
  ]);
  addLabelledCounter(metrics, {
    name: "fava_inspection_frames_unlooked_total",
    help: "Received frames of calls and searches that were not judged, by reason",
    label: "reason",
    read: () => inspection.figures.unjudged,
  });
  addLabelledCounter(metrics, {
    name: "fava_calls_ended_unchecked_total",
    help: "Calls ended because no frame of one side could be checked, by the cause that both users were told",
    label: "cause",
    read: () => inspection.figures.endedUnchecked,
  });
  addGauges(metrics, [
    ["fava_inspection_hidden_rooms", "Rooms in which a video is hidden", () => inspection.figures.hiddenRooms],
    ["fava_inspection_memory_bytes", "Memory used by recent frames of calls", () => inspection.figures.memoryBytes],
    [
      "fava_inspection_waiting_frames",
      "Frames and pictures that wait for the classifier",
      () => classifier?.backlog().waiting ?? 0,
    ],
    [
      "fava_inspection_oldest_waiting_ms",
      "Age of the oldest waiting frame or picture",
      () => classifier?.backlog().oldestMs ?? 0,
    ],
  ]);
  new Gauge({
    name: "fava_inspection_ready",
    help: "Whether the classifier is ready, by engine; off: inspection is switched off",
    labelNames: ["engine"],
    registers,
    collect() {
      this.set({ engine: classifier?.engine ?? "off" }, inspection.isChecking() ? 1 : 0);
    },
  });
}

function lookMetrics(metrics: Registry, inspection: InspectionService): void {
  const registers = [metrics];
  const exposure = new Histogram({
    name: "fava_inspection_exposure_seconds",
    help: "Time from the last clean frame until a verdict hid the video",
    buckets: [0.5, 1, 2, 3, 4, 6, 8, 10, 12, 15, 20, 30],
    registers,
  });
  inspection.onExposed((exposedMs) => exposure.observe(exposedMs / 1_000));
  const judged = () => inspection.figures.searchJudged;
  addCounters(metrics, [["fava_inspection_search_frames_judged_total", "Judged frames of searching users", judged]]);
  new Counter({
    name: "fava_inspection_families_total",
    help: "Frames that nsfwjs and open_nsfw judged, by which of them found them explicit",
    labelNames: ["explicit"],
    registers,
    collect() {
      this.reset();
      for (const [explicit, frames] of Object.entries(inspection.figures.families)) this.inc({ explicit }, frames);
    },
  });
  addLabelledCounter(metrics, {
    name: "fava_age_hints_total",
    help: "Estimates of an age from three frames of a user: minor below 18, young below 25, adult",
    label: "found",
    read: () => inspection.figures.ages,
  });
  addCounters(metrics, [
    [
      "fava_inspection_empty_total",
      "Videos of calls in which three looks found nobody",
      () => inspection.figures.empty,
    ],
  ]);
  new Counter({
    name: "fava_inspection_pictures_opened_total",
    help: "Videos of calls by how they began: clear after a clean frame of the search, or covered",
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
