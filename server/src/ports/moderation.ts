import type { CaseLine, CaseRule } from "@fava/wire/moderation.ts";
import { type ReportReason, reasons } from "@fava/wire/reasons.ts";

/** One picture of a call, as one end sent it. */
export interface EvidenceFrame {
  readonly kind: "frame";
  /** The sender's own picture, or what the other received. Both are pictures of the same person: the case's. */
  readonly view: "own" | "received";
  readonly at: Date;
  /** JPEG. */
  readonly bytes: Buffer;
  readonly facts: { readonly phash?: string; readonly explicit?: number; readonly scores?: object };
}

/** One chat line of a call, as its reader got it. `withheld` has what was written where that differs. */
export type EvidenceLine = Readonly<CaseLine>;

/** The last chat lines of a call. */
export interface EvidenceLines {
  readonly kind: "lines";
  readonly at: Date;
  readonly lines: readonly EvidenceLine[];
  /** The lines are what the subject of a restricted case did: kept there too, where a suspected minor's own are not. */
  readonly isOffence?: true;
}

export type EvidenceItem = EvidenceFrame | EvidenceLines;

/** Something about a person that a moderator is to see. */
export interface CaseSignal {
  readonly subjectId: bigint;
  readonly rule: CaseRule;
  readonly reasonId: ReportReason;
  readonly callId: string | null;
  readonly messageId?: bigint;
  readonly evidence: readonly EvidenceItem[];
  /** What the models said, where it was they. */
  readonly judgement?: {
    readonly explicit: number;
    readonly model: string;
    readonly shadow: boolean;
    /** For the record: which numbers led to what. */
    readonly thresholds?: object;
  };
}

/** A rule by which software opens a case; the others are of people who report. */
export type SoftwareRule = Exclude<CaseRule, "report" | "reports_many">;

/** What a case that software opens is about, as a reason of a report. */
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

/** Stands for "until a person has decided" where an end is asked for: the latest moment that a date can be. */
export const untilDecidedMs = 8_640_000_000_000_000;

/** What a person may do now. */
export interface AccountRestrictions {
  /** Until when nobody is matched with them, milliseconds since the epoch, or `untilDecidedMs`; null: matched. */
  readonly pausedUntil: number | null;
  /** Until when they may not write. */
  readonly mutedUntil: number | null;
  /** The account is younger than a day, or has had fewer than ten calls. */
  readonly isNew: boolean;
  /** Reported or flagged in the last day: looked at more often. */
  readonly isWatched: boolean;
  /**
   * The account is younger than a day, a picture of theirs passed in fewer than ten calls, or they were flagged in the
   * last 30 days or are watched: each call shows them only after a picture of that call has passed.
   */
  readonly startsCovered: boolean;
}

/** What the rest of the product tells moderation, and asks of it. */
export interface Moderation {
  /** Opens a case, or adds to the one that waits; answers its id. */
  open(signal: CaseSignal): Promise<bigint>;
  /**
   * The same by pictures of a person that the other's browser sent, once a call: a case comes of it where the records of
   * those who sent such pictures within a day carry it, as with reports.
   *
   * @returns null for no case.
   */
  openByView(signal: CaseSignal & { callId: string }, senderId: bigint): Promise<bigint | null>;
  /** Adds what came in later to a case. */
  addEvidence(caseId: bigint, evidence: readonly EvidenceItem[]): Promise<void>;
  /**
   * Software suspends: 15 minutes, and on a second such event within 24 h until a person decides, at most 24 h. The call
   * ends, the session ends as banned, push 100_005 goes out, and the other side of the call gets its beans back.
   */
  suspend(signal: CaseSignal): Promise<void>;
  /** Counts what software noticed, and answers how often it did so within the time, this one included. */
  note(signal: { userId: bigint; rule: CaseRule; dryRun: boolean; withinMs: number; detail?: object }): Promise<number>;
  muteChat(userId: bigint, mute: { rule: CaseRule; untilMs: number }): Promise<void>;
  /** A picture of this person passed in a call; to be told once a call. Counted up to ten. */
  callPassed(userId: bigint): Promise<void>;
  /** Reads once and remembers; every change made here is known at once. */
  restrictionsOf(userId: bigint): Promise<AccountRestrictions>;
}

/** Whose call evidence is asked for, and what the report is about. */
export interface EvidenceQuery {
  readonly subjectId: bigint;
  readonly otherId: bigint;
  /** Null: the newest call of the two. */
  readonly callId: string | null;
  /** `clientId` of the subject's chat line that is reported; null or left out where the report names none. */
  readonly lineId?: string | null;
}

/** What this server remembers of calls that go on, or ended minutes ago: in memory only, and gone with the process. */
export interface LiveEvidence {
  /**
   * The last pictures of a user in a call with another, from both ends, and its chat lines; nothing where this server
   * does not remember such a call. During the call, both ends are asked for one more picture, which goes to `late`
   * within seconds.
   */
  of(
    query: EvidenceQuery,
    late: (items: readonly EvidenceItem[]) => void,
  ): { callId: string | null; items: readonly EvidenceItem[] };
}

/** A call that moderation had ended. */
export interface CutCall {
  readonly callId: string;
  readonly otherId: bigint;
}
