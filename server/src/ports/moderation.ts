import type { CaseLine, CaseRule } from "@fava/wire/moderation.ts";
import { type ReportReason, reasons } from "@fava/wire/reasons.ts";

/** One frame of a call, as one client uploaded it. */
export interface EvidenceFrame {
  readonly kind: "frame";
  /** The sender's own frame, or what the partner received. Both show the subject of the case. */
  readonly view: "own" | "received";
  readonly at: Date;
  /** JPEG. */
  readonly bytes: Buffer;
  readonly facts: { readonly phash?: string; readonly explicit?: number; readonly scores?: object };
}

/** One chat line as its reader received it; `withheld` contains the original where it differs. */
export type EvidenceLine = Readonly<CaseLine>;

export interface EvidenceLines {
  readonly kind: "lines";
  readonly at: Date;
  readonly lines: readonly EvidenceLine[];
  /** The lines are the offence in a restricted case, and stay with it; a suspected minor's own lines do not. */
  readonly isOffence?: true;
}

export type EvidenceItem = EvidenceFrame | EvidenceLines;

export interface CaseSignal {
  readonly subjectId: bigint;
  readonly rule: CaseRule;
  readonly reasonId: ReportReason;
  readonly callId: string | null;
  readonly messageId?: bigint;
  readonly evidence: readonly EvidenceItem[];
  /** Result of the models, where they caused the signal. */
  readonly judgement?: {
    readonly explicit: number;
    readonly model: string;
    readonly shadow: boolean;
    readonly thresholds?: object;
  };
}

/** A rule by which software opens a case; the other rules are reports of users. */
export type SoftwareRule = Exclude<CaseRule, "report" | "reports_many">;

/** Report reason of a case that software opens. */
export const reasonOfRule: { readonly [Rule in SoftwareRule]: ReportReason } = {
  explicit_picture: reasons.pornography.id,
  explicit_picture_sure: reasons.pornography.id,
  missing_frames: reasons.violation.id,
  views_differ: reasons.bot.id,
  frozen_picture: reasons.violation.id,
  contact_in_chat: reasons.spam.id,
  abuse_in_chat: reasons.harassment.id,
  minor_in_text: reasons.minor.id,
  code_in_picture: reasons.spam.id,
  skip_rate: reasons.bot.id,
  repeated_text: reasons.bot.id,
  denied_video: reasons.bot.id,
  cluster: reasons.violation.id,
  removed_picture: reasons.violation.id,
};

/** Means "until a moderator decides" in place of an end: the latest possible date. */
export const untilDecidedMs = 8_640_000_000_000_000;

export interface AccountRestrictions {
  /** Until when matching is paused, milliseconds since the epoch, or `untilDecidedMs`; null: not paused. */
  readonly pausedUntil: number | null;
  /** Until when the user may not write, milliseconds since the epoch; null: not muted. */
  readonly mutedUntil: number | null;
  /** The account is younger than a day, or has had fewer than ten calls. */
  readonly isNew: boolean;
  /** Reported or flagged in the last day: inspected more often. */
  readonly isWatched: boolean;
  /** True for users who are new, rarely passed, flagged in 30 days, or watched: each call begins hidden for them. */
  readonly startsCovered: boolean;
}

export interface Moderation {
  /** Opens a case, or adds to the open one; returns its id. */
  open(signal: CaseSignal): Promise<bigint>;
  /**
   * As `open`, for frames that the partner's browser sent; once a call.
   * @returns null if the records of those who sent such frames do not justify a case.
   */
  openByView(signal: CaseSignal & { callId: string }, senderId: bigint): Promise<bigint | null>;
  addEvidence(caseId: bigint, evidence: readonly EvidenceItem[]): Promise<void>;
  /**
   * Suspends for 15 minutes; a second time within 24 h until a moderator decides, at most 24 h. Ends the call and the
   * session, sends push 100_005, and refunds the partner's beans of the call.
   */
  suspend(signal: CaseSignal): Promise<void>;
  /** Records an event that software noticed; returns how often it happened within `withinMs`, including this one. */
  note(signal: { userId: bigint; rule: CaseRule; dryRun: boolean; withinMs: number; detail?: object }): Promise<number>;
  muteChat(userId: bigint, mute: { rule: CaseRule; untilMs: number }): Promise<void>;
  /** A frame of this user passed in a call; to be called once a call. Counts up to ten. */
  callPassed(userId: bigint): Promise<void>;
  /** Cached; changes made at this server apply at once. */
  restrictionsOf(userId: bigint): Promise<AccountRestrictions>;
}

/** Which call evidence is requested, and what the report is about. */
export interface EvidenceQuery {
  readonly subjectId: bigint;
  readonly otherId: bigint;
  /** Null: the newest call of the two. */
  readonly callId: string | null;
  /** `clientId` of the subject's reported chat line. */
  readonly lineId?: string | null;
}

/** Frames and lines of running and recent calls in this server's memory; lost with the process. */
export interface LiveEvidence {
  /**
   * The frames from both clients, with the chat lines; empty for an unknown call. In a running call both clients are
   * asked for one more frame, which goes to `late` within seconds.
   */
  of(
    query: EvidenceQuery,
    late: (items: readonly EvidenceItem[]) => void,
  ): { callId: string | null; items: readonly EvidenceItem[] };
}

export interface CutCall {
  readonly callId: string;
  readonly otherId: bigint;
}
