import {
  contradictions,
  hintPauseMs,
  pauseMaxMs,
  pausesByReporterMax,
  secondOpinionMs,
  strikeMs,
  strikesMax,
  suspensionMs,
  unprovenPauseMs,
  banWithoutSecondOpinionMs,
} from "@fava/wire/limits.ts";
import { type BanHours, operations } from "@fava/wire/moderation.ts";
import { roles } from "@fava/wire/people.ts";
import { type BanReason, type Queue, reasons } from "@fava/wire/reasons.ts";
import { forbidden } from "#lib/errors.ts";

/** Pure functions (rules CASE-1, CASE-2, CASE-3, CASE-5, CASE-6). Times are in milliseconds since the epoch. */

export const hourMs = 3_600_000;
export const dayMs = 86_400_000;
/** Reports of one user count together if they arrive within this time. */
export const reportsTogetherMs = pauseMaxMs;
const shortenedMs = 30 * dayMs;

/** Weights are in thirds, so that they add up without rounding. */
const wholeWeight = 3;
const pauseWeight = 3 * wholeWeight;
const judgedMin = 3;
const reliableFrom = 0.3;

/** How many of a reporter's earlier reports and frames were judged, and how many of these were right. */
export interface ReporterRecord {
  readonly judged: number;
  readonly right: number;
}

/** Share of right reports; null with fewer than three judged ones. */
export function reliabilityOf({ judged, right }: ReporterRecord): number | null {
  return judged < judgedMin ? null : right / judged;
}

function weightOf(reporter: ReporterRecord): number {
  const reliability = reliabilityOf(reporter);
  return reliability !== null && reliability < reliableFrom ? 1 : wholeWeight;
}

/** Whether these distinct reporters of one day suffice to pause the reported user's matching. */
export function isPausedBy(reporters: readonly ReporterRecord[]): boolean {
  return weightOfAll(reporters) >= pauseWeight;
}

/** Whether frames from these distinct senders suffice to open a case (rule SAFE-512). */
export function isCaseBy(senders: readonly ReporterRecord[]): boolean {
  return weightOfAll(senders) >= contradictions.partners * wholeWeight;
}

function weightOfAll(people: readonly ReporterRecord[]): number {
  return people.reduce((sum, person) => sum + weightOf(person), 0);
}

interface StrikeFact {
  readonly expiresAtMs: number;
  readonly isRevoked: boolean;
}

export function strikesInForce(strikes: readonly StrikeFact[], nowMs: number): number {
  return strikes.filter(({ expiresAtMs, isRevoked }) => !isRevoked && expiresAtMs > nowMs).length;
}

/** Hours of the next ban on the ladder: a day, a week, then 0 for permanent. */
export function nextHours(inForce: number): BanHours {
  if (inForce === 0) return 24;
  return inForce === 1 ? 168 : 0;
}

export interface History {
  readonly strikes: readonly StrikeFact[];
  /** When software suspended the user, except suspensions that a moderator lifted. */
  readonly suspendedAtMs: readonly number[];
}

export type PolicySignal =
  /** A report. `reporters`: the distinct reporters of this case in the last day, including the new one. */
  | {
      readonly kind: "reported";
      readonly reporters: readonly ReporterRecord[];
      readonly wasPaused: boolean;
    }
  | {
      readonly kind: "minor_reported";
      /** The reporter is new, shares a device or an address with another one, or was wrong before. */
      readonly isUnproven: boolean;
      /** The reporter's first report in this case, and no account of the same device or address has reported in it. */
      readonly isFurther: boolean;
      /** The last pause of the case, or null. `isLifted`: a moderator has ended it. */
      readonly pause: {
        readonly untilMs: number | null;
        readonly isUnproven: boolean;
        readonly isLifted: boolean;
      } | null;
      /** Unproven reporters have paused the user in the last seven days. */
      readonly isPausedLately: boolean;
      /** Undecided pauses that this reporter caused in the last day. */
      readonly pausesUndecided: number;
    }
  /** Software estimated an age below 18, and nobody has reported it. */
  | { readonly kind: "minor_hinted" }
  /** The classifier judged two of three frames explicit. */
  | { readonly kind: "sure" }
  | { readonly kind: "forbidden"; readonly hours: BanHours; readonly reasonId: BanReason }
  /** The second moderator's decision on a permanent ban. `decidedAtMs`: when the first moderator decided. */
  | { readonly kind: "seconded"; readonly operation: 1 | 2 | 4; readonly decidedAtMs: number };

type PauseRule = "report" | "reports_many" | "minor_in_picture";

export type Action =
  /** `untilMs` null: the pause lasts until a moderator decides. */
  | { readonly kind: "pause"; readonly untilMs: number | null; readonly rule: PauseRule }
  | { readonly kind: "suspend"; readonly untilMs: number }
  /** `untilMs` null: permanent, only after two moderators agreed. */
  | { readonly kind: "ban"; readonly untilMs: number | null; readonly isProvisional: boolean; readonly strike: number }
  | { readonly kind: "strike"; readonly expiresAtMs: number }
  | { readonly kind: "ask_second"; readonly lapsesAtMs: number }
  | { readonly kind: "lift" };

export function decide(signal: PolicySignal, history: History, nowMs: number): readonly Action[] {
  switch (signal.kind) {
    case "reported":
      return onReport(signal, nowMs);
    case "minor_reported":
      return onMinorReport(signal, nowMs);
    case "minor_hinted":
      return [{ kind: "pause", untilMs: nowMs + hintPauseMs, rule: "minor_in_picture" }];
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

/** Many reports pause matching once per case, until a fixed time. */
function onReport({ reporters, wasPaused }: PolicySignal & { kind: "reported" }, nowMs: number): Action[] {
  if (wasPaused || !isPausedBy(reporters)) return [];
  return [{ kind: "pause", untilMs: nowMs + pauseMaxMs, rule: "reports_many" }];
}

/**
 * Pauses matching for a day, or for four hours if the reporter is unproven (rule CASE-580). After a pause has expired,
 * another reporter pauses matching until a moderator decides.
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

/**
 * A ban by one moderator always has an end: a permanent one lasts until the second opinion is due, and then some days.
 * A ban for a wrong gender is never a strike.
 */
function onForbidden(
  { hours, reasonId }: PolicySignal & { kind: "forbidden" },
  history: History,
  nowMs: number,
): Action[] {
  const isStrike = reasonId !== reasons.wrongGender.banReason;
  const strike = isStrike ? Math.min(strikesInForce(history.strikes, nowMs) + 1, strikesMax) : 0;
  const waits = hours === 0;
  const untilMs = nowMs + (waits ? banWithoutSecondOpinionMs : hours * hourMs);
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

export interface Viewer {
  readonly userId: bigint;
  readonly role: number;
}

interface CaseSubject {
  readonly subjectId: bigint;
  readonly subjectRole: number;
  readonly queue: Queue;
}

/** Why the viewer may not see a case, or null: it is about them, a colleague, or (if moderator) a suspected minor. */
export function accessDenialOf(viewer: Viewer, about: CaseSubject): "own" | "moderator" | "administrators" | null {
  if (viewer.userId === about.subjectId) return "own";
  if (viewer.role >= roles.administrator) return null;
  if (about.subjectRole >= roles.moderator) return "moderator";
  return about.queue === "restricted" ? "administrators" : null;
}

/** @throws EndpointError 403 `own_case`, `colleague` or `role`. */
export function requireCaseAccess(viewer: Viewer, about: CaseSubject): void {
  const bar = accessDenialOf(viewer, about);
  if (bar === "own") throw forbidden("own_case");
  if (bar === "moderator") throw forbidden("colleague");
  if (bar === "administrators") throw forbidden("role");
}
