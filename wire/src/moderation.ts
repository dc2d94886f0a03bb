import * as v from "valibot";
import { coverKindSchema, textSpanSchema } from "./messages.ts";
import { banReasonIds, reportReasonIds } from "./reasons.ts";

/** Types of the moderator desk; every time is in milliseconds since the epoch. */

/** Decisions on a case: 1 clears the user, 2 rejects the report as unfounded, 3 warns, 4 bans. */
export const operations = { approve: 1, reject: 2, warn: 3, forbid: 4 } as const;
export const operationIds = [1, 2, 3, 4] as const;

/** Lengths of a ban in hours; 0 is permanent and needs a second moderator. */
export const banHours = [24, 168, 720, 0] as const;
export type BanHours = (typeof banHours)[number];

/** Why a picture is rejected, by id; the texts are `photo.rejected.<id>` in the catalogs. */
export const pictureReasonIds = [1, 2, 3, 4] as const;
/** Nudity or sexual content: the same picture cannot be uploaded again. */
export const nudityReasonId = 1;

/** Kinds of log entries that are decisions of moderators; the texts are `desk.event.<kind>` in the catalogs. */
export const decisionKinds = [
  "clear",
  "reject",
  "warn",
  "forbid",
  "ask_second",
  "second_agree",
  "second_shorten",
  "second_lift",
  "image_approve",
  "image_reject",
  "appeal_upheld",
  "appeal_shortened",
  "appeal_lifted",
  "text_accept",
  "text_refuse",
  "notice",
  "reopen",
] as const;
export type DecisionKind = (typeof decisionKinds)[number];

/** Labels that moderators put on a user; the texts are `desk.label.<id>` in the catalogs. */
export const labelIds = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** Parts of a profile that a moderator can reset. */
export const resettable = ["nickname", "about", "location", "avatar", "birthday", "sex"] as const;

/** Grounds of an appeal, by id; the texts are `appeal.ground.<id>` in the catalogs. */
export const appealGrounds = [1, 2, 3, 4] as const;

/** Rules by which a case was opened; the texts are `desk.rule.<rule>` in the catalogs. */
export const caseRules = [
  "report",
  "reports_many",
  "explicit_picture",
  "explicit_picture_sure",
  "missing_frames",
  "views_differ",
  "frozen_picture",
  "contact_in_chat",
  "abuse_in_chat",
  "minor_in_text",
  "code_in_picture",
  "skip_rate",
  "repeated_text",
  "denied_video",
  "cluster",
  "removed_picture",
  "minor_in_picture",
  "random_frame",
  /** The vendor of age checks read from a document that the user is under 18. */
  "age_document",
  "notice",
] as const;
export const caseRuleSchema = v.picklist(caseRules);
export type CaseRule = v.InferOutput<typeof caseRuleSchema>;

/** What a moderator can see in a random frame of the audit. */
export const auditAnswers = ["fine", "nudity", "minor", "other"] as const;
export type AuditAnswer = (typeof auditAnswers)[number];

const at = v.number();
const sex = v.picklist([0, 1, 2]);

/** A user as lists of the desk show them. */
export const deskFaceSchema = v.object({
  user_id: v.number(),
  user_no: v.string(),
  nickname: v.string(),
  /** Empty where the user has no avatar. */
  avatar: v.string(),
});
export type DeskFace = v.InferOutput<typeof deskFaceSchema>;

/** Which moderator works on an item, and until when. `mine`: the reader. */
export const claimSchema = v.object({ mine: v.boolean(), name: v.string(), until: at });
export type Claim = v.InferOutput<typeof claimSchema>;

const caseStateSchema = v.picklist(["open", "second", "decided"]);

export const caseRowSchema = v.object({
  id: v.string(),
  /** Number of the case as the desk shows it, such as `R-20418`. */
  no: v.string(),
  reason_id: v.picklist(reportReasonIds),
  rule: caseRuleSchema,
  /** 1 is the most severe. */
  harm: v.picklist([1, 2, 3, 4]),
  opened_at: at,
  reporters: v.number(),
  person: deskFaceSchema,
  /** A pause keeps the user from being matched, until it ends or a moderator decides. */
  is_paused: v.boolean(),
  /** Deadline of a review: the user asked for one, or their pause ran out before a decision. Null: neither. */
  due_at: v.nullable(at),
  state: caseStateSchema,
  claim: v.nullable(claimSchema),
});
export type CaseRow = v.InferOutput<typeof caseRowSchema>;

/** One moment of a call as both clients uploaded it. `adminLook` opens a frame by its id. */
const momentSchema = v.object({
  at,
  own: v.nullable(v.string()),
  received: v.nullable(v.string()),
  /** 0 to 1: how explicit the models rate the user's own frame; null where they did not judge it. */
  explicit: v.nullable(v.number()),
  /** 0 to 1: how far the frames of both clients agree; null with one frame alone. */
  agreement: v.nullable(v.number()),
});

/** What the text rules did to a chat line, with the original. */
const withheldSchema = v.variant("how", [
  /** Parts of the line were removed. */
  v.object({ how: v.literal("hidden"), original: v.string(), spans: v.array(textSpanSchema) }),
  /** The line was delivered under a cover, which the reader may have lifted; parts may be removed as well. */
  v.object({ how: v.literal("covered"), kind: coverKindSchema, original: v.string(), spans: v.array(textSpanSchema) }),
  /** The line was never delivered. */
  v.object({ how: v.literal("refused"), original: v.string() }),
]);
export type Withheld = v.InferOutput<typeof withheldSchema>;

const caseLineSchema = v.object({
  at,
  from: v.picklist(["person", "other"]),
  /** As its reader received or could uncover it, contact data masked; empty for a refused line. */
  text: v.string(),
  /** Left out where the reader got the original. `spans` are places in `original`. */
  withheld: v.optional(withheldSchema),
  /** The reporter reported this line. */
  reported: v.optional(v.literal(true)),
});
export type CaseLine = v.InferOutput<typeof caseLineSchema>;

/** A call of the user as moderators see it: never with the partner's identity. */
const recentCallSchema = v.object({
  at,
  /** From the first frame to the end; 0 for a call that never connected, null for a running one. */
  seconds: v.nullable(v.number()),
  /** `nobody`: neither user left; the connection was lost, or inspection ended the call. */
  ended_by: v.nullable(v.picklist(["person", "other", "nobody"])),
});

/** An earlier report, in another case. */
const earlierReportSchema = v.object({
  at,
  reason_id: v.picklist(reportReasonIds),
  /** The decision on its case; null: undecided. */
  operation: v.nullable(v.picklist(operationIds)),
});

const earlierSchema = v.object({
  at,
  /** Kind of an audit entry; the texts are `desk.event.<kind>` in the catalogs. */
  kind: v.string(),
  reason_id: v.nullable(v.number()),
  /** Nickname of the user who acted, usually a moderator; null for software, and for a report. */
  by: v.nullable(v.string()),
  note: v.string(),
});

/** What the desk shows of a user: never an IP address, and never a reporter's name. */
export const deskPersonSchema = v.object({
  ...deskFaceSchema.entries,
  sex,
  /** In full years; null where unknown. */
  age: v.nullable(v.number()),
  country_name: v.string(),
  country_flag: v.string(),
  language: v.string(),
  role: v.number(),
  about: v.string(),
  location: v.string(),
  joined_at: at,
  calls_7d: v.number(),
  /** Share of the calls of `calls_7d` that the partner skipped, 0 to 1; null with fewer than ten calls. */
  skipped_share: v.nullable(v.number()),
  /** Strikes in force. */
  strikes: v.array(v.object({ at, expires_at: at, reason_id: v.picklist(banReasonIds) })),
  /** Next length on the ladder of bans. */
  next_hours: v.picklist(banHours),
  ban: v.nullable(v.object({ until: v.nullable(at), reason_id: v.number(), is_provisional: v.boolean() })),
  labels: v.array(v.picklist(labelIds)),
  /** Accounts that have something in common with this one; this does not prove that one person has both. */
  same: v.array(
    v.object({
      ...deskFaceSchema.entries,
      what: v.picklist(["address", "device", "picture", "text"]),
      is_banned: v.boolean(),
      seen_at: at,
      open_case: v.nullable(v.string()),
    }),
  ),
  earlier: v.array(earlierSchema),
  images: v.array(v.object({ id: v.string(), kind: v.picklist(["avatar", "photo"]), status: v.string() })),
});
export type DeskPerson = v.InferOutput<typeof deskPersonSchema>;

export const caseDetailSchema = v.object({
  ...caseRowSchema.entries,
  /** The reported call; null for a case without one. */
  call: v.nullable(v.object({ id: v.string(), at, live: v.boolean() })),
  moments: v.array(momentSchema),
  /** Result of the last inspection; null where software judged nothing. */
  check: v.nullable(v.object({ explicit: v.number(), model: v.string(), shadow: v.boolean() })),
  /** The age in years that software estimated, until a decision; only in the restricted queue. Null: no estimate. */
  estimated_age: v.nullable(v.number()),
  lines: v.array(caseLineSchema),
  /** The reported message, contact data masked. `cover`: the cover under which it was delivered, if any. */
  message: v.nullable(v.object({ at, text: v.string(), cover: v.optional(coverKindSchema) })),
  /** When the evidence is erased; null where none is left. */
  erase_at: v.nullable(at),
  /** No identities. `judged`: cases from this reporter that moderators judged; `right`: those with a justified report. */
  reports: v.array(
    v.object({
      at,
      reason_id: v.picklist(reportReasonIds),
      judged: v.number(),
      right: v.number(),
      /** The reporter's own words; may be empty. */
      note: v.string(),
    }),
  ),
  subject: deskPersonSchema,
  /** Further material to judge by, if the case has no frames of a call; otherwise null. */
  background: v.nullable(
    v.object({
      /** Addresses of the public photos, in the user's order. */
      photos: v.array(v.string()),
      /** The latest calls, newest first. */
      calls: v.array(recentCallSchema),
      /** Reports in other cases, newest first. */
      reports: v.array(earlierReportSchema),
    }),
  ),
  /** Why the reader may not decide; null: they may. */
  closed_because: v.nullable(v.picklist(["own", "moderator", "decided", "claimed", "first_decider", "administrators"])),
  /** The reader may ask for an age check instead of a ban. */
  may_ask_age: v.optional(v.literal(true)),
  /** The first moderator's decision on a permanent ban, which needs a second opinion; null without one. */
  first: v.nullable(
    v.object({
      at,
      by: v.string(),
      hours: v.picklist(banHours),
      reason_id: v.number(),
      note: v.string(),
      lapses_at: at,
    }),
  ),
});
export type CaseDetail = v.InferOutput<typeof caseDetailSchema>;

export const appealStateSchema = v.picklist(["received", "upheld", "shortened", "lifted"]);

/** Facts about a ban; the page puts them into words in the reader's language. */
export const banFactsSchema = v.object({
  at,
  until: v.nullable(at),
  reason_id: v.picklist(banReasonIds),
  by: v.picklist(["software", "person"]),
  is_provisional: v.boolean(),
  /** Rule by which software banned the user; null for a moderator's decision. */
  rule: v.nullable(caseRuleSchema),
  /** When the call that led to the ban took place; null without a call. */
  call_at: v.nullable(at),
  reports: v.number(),
  /** Number of this strike, 1 to 3; 0 for none. */
  strike: v.number(),
  strike_until: v.nullable(at),
});
export type BanFacts = v.InferOutput<typeof banFactsSchema>;

export const appealSchema = v.object({
  id: v.string(),
  state: appealStateSchema,
  ground: v.picklist(appealGrounds),
  text: v.string(),
  at,
  /** Deadline of the answer. */
  answer_by: at,
  decided_at: v.nullable(at),
  answer: v.string(),
  /** New end of a shortened ban. */
  until: v.nullable(at),
  beans_returned: v.number(),
});
export type Appeal = v.InferOutput<typeof appealSchema>;
