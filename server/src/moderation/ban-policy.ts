import {
  pauseMaxMs,
  pausesByReporterMax,
  secondOpinionMs,
  strikeMs,
  strikesMax,
  suspensionMs,
  unprovenPauseMs,
  unsecondedBanMs,
} from "@fava/wire/limits.ts";
import { type BanHours, operations } from "@fava/wire/moderation.ts";
import { roles } from "@fava/wire/people.ts";
import { type BanReason, type Queue, reasons } from "@fava/wire/reasons.ts";
import { forbidden } from "#lib/errors.ts";

/**
 * What follows from a signal and a person's history: signals in, actions out, nothing else (rules CASE-1 to CASE-6).
 * Times are milliseconds since the epoch.
 */

export const hourMs = 3_600_000;
export const dayMs = 86_400_000;
/** Reports within this time count together. */
export const reportsTogetherMs = pauseMaxMs;
/** What the second person makes of it who finds it too long. */
const shortenedMs = 30 * dayMs;

/** Weights in thirds, so that they add up without rounding: three whole reporters. */
const wholeWeight = 3;
const pauseWeight = 3 * wholeWeight;
const judgedMin = 3;
const reliableFrom = 0.3;

/** How a reporter's earlier reports, and what came of pictures that they sent of others, were judged. */
export interface ReporterRecord {
  readonly judged: number;
  readonly right: number;
}

/** Share of a reporter's reports that were right; null with fewer than three judged ones. */
export function reliabilityOf({ judged, right }: ReporterRecord): number | null {
  return judged < judgedMin ? null : right / judged;
}

function weightOf(reporter: ReporterRecord): number {
  const reliability = reliabilityOf(reporter);
  return reliability !== null && reliability < reliableFrom ? 1 : wholeWeight;
}

/** Whether so many different reporters of one day are enough to pause somebody's matching. */
export function isPausedBy(reporters: readonly ReporterRecord[]): boolean {
  return weightOfAll(reporters) >= pauseWeight;
}

/** Whether what so many different people of one day sent of somebody is enough for a person to look at it. */
export function isCaseBy(senders: readonly ReporterRecord[]): boolean {
  return weightOfAll(senders) >= wholeWeight;
}

function weightOfAll(people: readonly ReporterRecord[]): number {
  return people.reduce((sum, person) => sum + weightOf(person), 0);
}

/** A strike as it is stored. */
interface StrikeFact {
  readonly expiresAtMs: number;
  readonly isRevoked: boolean;
}

export function strikesInForce(strikes: readonly StrikeFact[], nowMs: number): number {
  return strikes.filter(({ expiresAtMs, isRevoked }) => !isRevoked && expiresAtMs > nowMs).length;
}

/** Length that the ladder has next: a day, a week, for good. */
export function nextHours(inForce: number): BanHours {
  if (inForce === 0) return 24;
  return inForce === 1 ? 168 : 0;
}

/** What is known of a person when a decision falls. */
export interface History {
  readonly strikes: readonly StrikeFact[];
  /** When software suspended the person; those that a person took back do not count. */
  readonly suspendedAtMs: readonly number[];
}

export type PolicySignal =
  /** A report; `reporters` are the different ones of this case in the last day, the new one included. */
  | {
      readonly kind: "reported";
      readonly reporters: readonly ReporterRecord[];
      /** The case was paused because of reports before. */
      readonly wasPaused: boolean;
    }
  /** A report "may be under 18". */
  | {
      readonly kind: "minor_reported";
      /** The reporter is new, shares a device or an address with another one, or was unfounded before. */
      readonly isUnproven: boolean;
      /** The first report of this reporter in the case, and of nobody who shares a device or an address with them. */
      readonly isFurther: boolean;
      /** The last pause of the case; null: none yet. `isLifted`: a moderator has decided. */
      readonly pause: {
        readonly untilMs: number | null;
        readonly isUnproven: boolean;
        readonly isLifted: boolean;
      } | null;
      /** Unproven reporters paused the person in the last seven days. */
      readonly isPausedLately: boolean;
      /** Pauses by this reporter in the last day that nobody has decided about. */
      readonly pausesUndecided: number;
    }
  /** Two of three frames were judged explicit. */
  | { readonly kind: "sure" }
  | { readonly kind: "forbidden"; readonly hours: BanHours; readonly reasonId: BanReason }
  /** A second person on a ban for good whose first decision was then. */
  | { readonly kind: "seconded"; readonly operation: 1 | 2 | 4; readonly decidedAtMs: number };

export type Action =
  /** Null: until a person decides. */
  | { readonly kind: "pause"; readonly untilMs: number | null; readonly rule: "report" | "reports_many" }
  | { readonly kind: "suspend"; readonly untilMs: number }
  /** Without end only after two persons agreed. */
  | { readonly kind: "ban"; readonly untilMs: number | null; readonly isProvisional: boolean; readonly strike: number }
  | { readonly kind: "strike"; readonly expiresAtMs: number }
  | { readonly kind: "ask_second"; readonly lapsesAtMs: number }
  | { readonly kind: "lift" };

/** What follows from a signal; see the rules of each kind below. */
export function decide(signal: PolicySignal, history: History, nowMs: number): readonly Action[] {
  switch (signal.kind) {
    case "reported":
      return onReport(signal, nowMs);
    case "minor_reported":
      return onMinorReport(signal, nowMs);
    case "sure": {
      const again = history.suspendedAtMs.some((atMs) => atMs > nowMs - dayMs);
      return [{ kind: "suspend", untilMs: nowMs + (again ? pauseMaxMs : suspensionMs) }];
    }
    case "forbidden":
      return onForbidden(signal, history, nowMs);
    case "seconded":
      return onSeconded(signal);
  }
}

/** A pause because of many reports ends by itself, and is not repeated. */
function onReport({ reporters, wasPaused }: PolicySignal & { kind: "reported" }, nowMs: number): Action[] {
  if (wasPaused || !isPausedBy(reporters)) return [];
  return [{ kind: "pause", untilMs: nowMs + pauseMaxMs, rule: "reports_many" }];
}

/**
 * A suspected minor is matched with nobody for a day, by an unproven reporter for four hours (rule CASE-580). Once that ran
 * out, a further reporter pauses until an administrator decides.
 */
function onMinorReport(signal: PolicySignal & { kind: "minor_reported" }, nowMs: number): Action[] {
  const { pause, isUnproven } = signal;
  if (signal.pausesUndecided >= pausesByReporterMax || pause?.isLifted || pause?.untilMs === null) return [];
  if (pause && pause.untilMs <= nowMs)
    return signal.isFurther ? [{ kind: "pause", untilMs: null, rule: "report" }] : [];
  if (isUnproven) {
    if (pause || signal.isPausedLately) return [];
    return [{ kind: "pause", untilMs: nowMs + unprovenPauseMs, rule: "report" }];
  }
  if (pause && !pause.isUnproven) return [];
  return [{ kind: "pause", untilMs: nowMs + pauseMaxMs, rule: "report" }];
}

/** A ban by one person has an end in any case: for good waits for a second one, and wrong gender is never a strike. */
function onForbidden(
  { hours, reasonId }: PolicySignal & { kind: "forbidden" },
  history: History,
  nowMs: number,
): Action[] {
  const isStrike = reasonId !== reasons.wrongGender.banReason;
  const strike = isStrike ? Math.min(strikesInForce(history.strikes, nowMs) + 1, strikesMax) : 0;
  const waits = hours === 0;
  const untilMs = nowMs + (waits ? unsecondedBanMs : hours * hourMs);
  return [
    { kind: "ban", untilMs, isProvisional: waits, strike },
    ...(isStrike ? [{ kind: "strike", expiresAtMs: nowMs + strikeMs } as const] : []),
    ...(waits ? [{ kind: "ask_second", lapsesAtMs: nowMs + secondOpinionMs } as const] : []),
  ];
}

function onSeconded({ operation, decidedAtMs }: PolicySignal & { kind: "seconded" }): Action[] {
  if (operation === operations.approve) return [{ kind: "lift" }];
  const untilMs = operation === operations.forbid ? null : decidedAtMs + shortenedMs;
  return [{ kind: "ban", untilMs, isProvisional: false, strike: 0 }];
}

/** Somebody at the desk. */
export interface Viewer {
  readonly userId: bigint;
  readonly role: number;
}

/** Whom a case is about, and where it waits. */
interface CaseSubject {
  readonly subjectId: bigint;
  readonly subjectRole: number;
  readonly box: Queue;
}

/**
 * Why a case is not for this viewer, or null: nobody sees or decides a case about themself, a moderator none about
 * somebody of the desk, and suspected minors are for administrators.
 */
export function barOf(viewer: Viewer, about: CaseSubject): "own" | "moderator" | "administrators" | null {
  if (viewer.userId === about.subjectId) return "own";
  if (viewer.role >= roles.administrator) return null;
  if (about.subjectRole >= roles.moderator) return "moderator";
  return about.box === "restricted" ? "administrators" : null;
}

/** @throws EndpointError 403 `own_case`, `colleague` or `role`. */
export function refuseBarred(viewer: Viewer, about: CaseSubject): void {
  const bar = barOf(viewer, about);
  if (bar === "own") throw forbidden("own_case");
  if (bar === "moderator") throw forbidden("colleague");
  if (bar === "administrators") throw forbidden("role");
}
