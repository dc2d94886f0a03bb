import type { AgeGateReason } from "@fava/wire/endpoints/age.ts";
import type { CaseLine, CaseRule } from "@fava/wire/moderation.ts";
import { type ReportReason, reasons } from "@fava/wire/reasons.ts";

export interface EvidenceFrame {
  readonly kind: "frame";
  /** `own`: sent by the camera's page. `received`: as the partner got it. Both show the user of the case. */
  readonly view: "own" | "received";
  readonly at: Date;
  /** JPEG. */
  readonly bytes: Buffer;
  readonly facts: {
    readonly phash?: string;
    readonly explicit?: number;
    readonly scores?: object;
    readonly openNsfw?: number;
  };
}

/** A line as its reader received it. `withheld` has the original if that was different. */
export type EvidenceLine = Readonly<CaseLine>;

export interface EvidenceLines {
  readonly kind: "lines";
  readonly at: Date;
  readonly lines: readonly EvidenceLine[];
  /** The lines are the offence of a restricted case, which keeps them. It keeps no other lines of a suspected minor. */
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
  /** The models' judgement that caused the signal, if one did. */
  readonly judgement?: {
    readonly explicit: number;
    readonly model: string;
    readonly shadow: boolean;
    readonly thresholds?: object;
  };
}

/** Rules by which software opens cases. The others stand for reports, upheld notices, and the audit of random frames. */
export type SoftwareRule = Exclude<CaseRule, "report" | "reports_many" | "notice" | "random_frame">;

/** The reason that such a case has, as if a user had reported it. */
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
  minor_in_picture: reasons.minor.id,
  age_document: reasons.minor.id,
};

/** The latest possible date. As an end it means "until a moderator decides". */
export const untilDecidedMs = 8_640_000_000_000_000;

export interface AccountRestrictions {
  /** End of the pause of matching, in milliseconds since the epoch, or `untilDecidedMs`; null if not paused. */
  readonly pausedUntil: number | null;
  /** Until when the user cannot write, in milliseconds since the epoch; null if not muted. */
  readonly mutedUntil: number | null;
  /** The account is younger than a day, or has had fewer than ten calls. */
  readonly isNew: boolean;
  /** The user was reported or flagged in the last day, and is inspected more often. */
  readonly isWatched: boolean;
  /** Why the user must pass an age check before meeting anyone; null: no check is needed. */
  readonly ageGate: AgeGateReason | null;
  /** Calls hide the video until a frame passes: a new or watched account, few passed calls, or a flag in 30 days. */
  readonly startsCovered: boolean;
  /** Frames of several partners contradict the user's own, which are not believed. */
  readonly isReceivedOnly: boolean;
  /** Software may estimate the user's age: the country allows it, and neither a check nor a person has settled it. */
  readonly hintsAge: boolean;
}

/** What software estimated of a user's age. */
export interface AgeHint {
  readonly subjectId: bigint;
  /** Null for an estimate during a search. */
  readonly callId: string | null;
  readonly evidence: readonly EvidenceItem[];
  readonly years: number;
  /** False: the estimate counts only together with a report "may be under 18". */
  readonly isMinor: boolean;
}

export interface Moderation {
  /** Opens a case or joins the user's open one. Returns its id. */
  open(signal: CaseSignal): Promise<bigint>;
  /**
   * As `open`, for frames that the partner's browser sent; call it once per call.
   * @returns null while too few partners, by number and record, have sent such frames.
   */
  openByView(signal: CaseSignal & { callId: string }, senderId: bigint): Promise<bigint | null>;
  addEvidence(caseId: bigint, evidence: readonly EvidenceItem[]): Promise<void>;
  /**
   * Suspends the user for 15 minutes. A second time within 24 hours, until a moderator decides, at most 24 hours. Ends
   * the call and the session, sends push 100_005, and refunds the partner's beans of the call.
   */
  suspend(signal: CaseSignal): Promise<void>;
  /** Opens or joins a case of a suspected minor, and pauses matching (rule SAFE-520). Counts once for each case. */
  hintAge(hint: AgeHint): Promise<void>;
  /** Records an observation by software. Returns how often it was made within `withinMs`, this one included. */
  note(signal: { userId: bigint; rule: CaseRule; dryRun: boolean; withinMs: number; detail?: object }): Promise<number>;
  muteChat(userId: bigint, mute: { rule: CaseRule; untilMs: number }): Promise<void>;
  /** Call once for each call in which a frame of this user passed. Counts up to ten. */
  callPassed(userId: bigint): Promise<void>;
  /** Cached. A change at this server applies at once. */
  restrictionsOf(userId: bigint): Promise<AccountRestrictions>;
}

/** Which evidence of a call is requested, and about whom. */
export interface EvidenceQuery {
  readonly subjectId: bigint;
  readonly otherId: bigint;
  /** Null for the newest call of the two. */
  readonly callId: string | null;
  /** Client id of the subject's chat line that was reported. */
  readonly lineId?: string | null;
}

/** Frames and lines of running and recent calls in the memory of this server, which a crash loses. */
export interface LiveEvidence {
  /**
   * Evidence from both browsers, with the chat lines; empty for an unknown call. In a running call both browsers are
   * asked for one more frame, which `late` receives within seconds.
   */
  of(
    query: EvidenceQuery,
    late: (items: readonly EvidenceItem[]) => void,
  ): { callId: string | null; items: readonly EvidenceItem[] };
}

/** A frame of a running call that no model flagged. */
export interface UnflaggedFrame {
  readonly subjectId: bigint;
  readonly callId: string;
  readonly frame: EvidenceFrame;
}

/** Draws the frames of the weekly audit. */
export interface FrameSampler {
  /** Call with each unflagged frame; all frames of a day have the same chance to be kept. */
  offer(frame: UnflaggedFrame): void;
}

export interface CutCall {
  readonly callId: string;
  readonly otherId: bigint;
}
