import * as v from "valibot";
import { coverKindSchema, textSpanSchema } from "./messages.ts";
import { banReasonIds, reportReasonIds } from "./reasons.ts";

/** Words of the moderator desk; every time is in milliseconds since the epoch. */

/** What a moderator does with a case: 1 clears the person, 2 rejects the report as unfounded, 3 warns, 4 forbids. */
export const operations = { approve: 1, reject: 2, warn: 3, forbid: 4 } as const;
export const operationIds = [1, 2, 3, 4] as const;

/** Lengths of a ban in hours; 0 is for good and needs a second person. */
export const banHours = [24, 168, 720, 0] as const;
export type BanHours = (typeof banHours)[number];

/** Why a picture is rejected, by id; the texts are `photo.rejected.<id>` in the catalogs. */
export const pictureReasonIds = [1, 2, 3, 4] as const;
/** Nudity or sexual: what is taken away for it is not to come back. */
export const nudityReasonId = 1;

/** Labels that moderators put on a person; the texts are `desk.label.<id>` in the catalogs. */
export const labelIds = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** What of a profile a moderator can take back. */
export const resettable = ["nickname", "about", "location", "avatar", "birthday", "sex"] as const;

/** Grounds of an appeal, by id; the texts are `appeal.ground.<id>` in the catalogs. */
export const appealGrounds = [1, 2, 3, 4] as const;

/** Rules by which software opens a case; the texts are `desk.rule.<rule>` in the catalogs. */
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
] as const;
export const caseRuleSchema = v.picklist(caseRules);
export type CaseRule = v.InferOutput<typeof caseRuleSchema>;

const at = v.number();
const sex = v.picklist([0, 1, 2]);

/** Somebody as lists of the desk show them. */
export const deskFaceSchema = v.object({
  user_id: v.number(),
  user_no: v.string(),
  nickname: v.string(),
  /** Empty for none. */
  avatar: v.string(),
});
export type DeskFace = v.InferOutput<typeof deskFaceSchema>;

/** Who works on an item now, and until when. `mine`: the reader. */
export const claimSchema = v.object({ mine: v.boolean(), name: v.string(), until: at });
export type Claim = v.InferOutput<typeof claimSchema>;

const caseStateSchema = v.picklist(["open", "second", "decided"]);

export const caseRowSchema = v.object({
  id: v.string(),
  /** As people say it: `R-20418`. */
  no: v.string(),
  /** Reason of the report. */
  reason_id: v.picklist(reportReasonIds),
  rule: caseRuleSchema,
  /** 1 is the worst. */
  harm: v.picklist([1, 2, 3, 4]),
  opened_at: at,
  reporters: v.number(),
  person: deskFaceSchema,
  /** Matching of the person is paused until a moderator decides, or a day has passed. */
  is_paused: v.boolean(),
  /** When a look is promised: the person asked for one, or their pause ran out before a decision. Null: neither. */
  due_at: v.nullable(at),
  state: caseStateSchema,
  claim: v.nullable(claimSchema),
});
export type CaseRow = v.InferOutput<typeof caseRowSchema>;

/** One moment of a call, as both ends sent it; a look is asked for with the id of a picture (`adminLook`). */
const momentSchema = v.object({
  at,
  own: v.nullable(v.string()),
  received: v.nullable(v.string()),
  /** 0 to 1: how explicit the models found the own picture; null where it was not judged. */
  explicit: v.nullable(v.number()),
  /** 0 to 1: how far both ends show the same; null with one end alone. */
  agreement: v.nullable(v.number()),
});

/** What the text rules did to a chat line, beside what its writer wrote. */
const withheldSchema = v.variant("how", [
  /** Stretches of the line were taken out. */
  v.object({ how: v.literal("hidden"), original: v.string(), spans: v.array(textSpanSchema) }),
  /** The reader saw the line after a press; stretches of it may have been taken out as well. */
  v.object({ how: v.literal("covered"), kind: coverKindSchema, original: v.string(), spans: v.array(textSpanSchema) }),
  /** The line was never delivered. */
  v.object({ how: v.literal("refused"), original: v.string() }),
]);
export type Withheld = v.InferOutput<typeof withheldSchema>;

const caseLineSchema = v.object({
  at,
  from: v.picklist(["person", "other"]),
  /** As the reader got it or could uncover it, contacts masked; empty for a refused line. */
  text: v.string(),
  /** Left out where the reader got the line as it was written. `spans` are places in `original`. */
  withheld: v.optional(withheldSchema),
  /** The reader reported this line. */
  reported: v.optional(v.literal(true)),
});
export type CaseLine = v.InferOutput<typeof caseLineSchema>;

/** A call of the person, as moderators see it: never who the other side was. */
const recentCallSchema = v.object({
  at,
  /** From the first picture to the end; 0 for a call that never connected, null while it goes on. */
  seconds: v.nullable(v.number()),
  /** `nobody`: no side left, as when a connection was lost or our checks ended it. */
  ended_by: v.nullable(v.picklist(["person", "other", "nobody"])),
});

/** A report of before, which led to another case. */
const earlierReportSchema = v.object({
  at,
  reason_id: v.picklist(reportReasonIds),
  /** What its case was decided as; null: not yet. */
  operation: v.nullable(v.picklist(operationIds)),
});

const earlierSchema = v.object({
  at,
  /** Kind of a row of the audit log; the texts are `desk.event.<kind>` in the catalogs. */
  kind: v.string(),
  reason_id: v.nullable(v.number()),
  /** Nickname of the moderator; null: software. */
  by: v.nullable(v.string()),
  note: v.string(),
});

/** All that the desk knows of a person: never an address, and never a reporter's name. */
export const deskPersonSchema = v.object({
  ...deskFaceSchema.entries,
  sex,
  /** Full years; null where unknown. */
  age: v.nullable(v.number()),
  country_name: v.string(),
  country_flag: v.string(),
  language: v.string(),
  role: v.number(),
  about: v.string(),
  location: v.string(),
  joined_at: at,
  calls_7d: v.number(),
  /** Of those calls, 0 to 1; null with fewer than ten. */
  skipped_share: v.nullable(v.number()),
  /** In force. */
  strikes: v.array(v.object({ at, expires_at: at, reason_id: v.picklist(banReasonIds) })),
  /** Length that the ladder has next. */
  next_hours: v.picklist(banHours),
  ban: v.nullable(v.object({ until: v.nullable(at), reason_id: v.number(), is_provisional: v.boolean() })),
  labels: v.array(v.picklist(labelIds)),
  /** Accounts that share an address or a device: proves nothing. */
  same: v.array(
    v.object({
      ...deskFaceSchema.entries,
      what: v.picklist(["address", "device"]),
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
  /** When the call was; null for a case without one. */
  call: v.nullable(v.object({ id: v.string(), at, live: v.boolean() })),
  moments: v.array(momentSchema),
  /** Of the last judgement: null where software looked at nothing. */
  check: v.nullable(v.object({ explicit: v.number(), model: v.string(), shadow: v.boolean() })),
  lines: v.array(caseLineSchema),
  /** The reported message, contacts masked; `cover`: its reader saw it after a press. */
  message: v.nullable(v.object({ at, text: v.string(), cover: v.optional(coverKindSchema) })),
  /** When the evidence is erased; null where there is none left. */
  erase_at: v.nullable(at),
  /** Never who: only how often this reporter was right (0 to 1, null with fewer than three judged reports). */
  reports: v.array(
    v.object({
      at,
      reason_id: v.picklist(reportReasonIds),
      reliability: v.nullable(v.number()),
      /** The reporter's own words; empty for none. */
      note: v.string(),
    }),
  ),
  subject: deskPersonSchema,
  /** What there is to judge by where the case never had pictures of a call; null where it had. */
  background: v.nullable(
    v.object({
      /** Addresses of the photos that others see, in the person's order. */
      photos: v.array(v.string()),
      /** The last calls, the newest first. */
      calls: v.array(recentCallSchema),
      /** Reports of other cases, the newest first. */
      reports: v.array(earlierReportSchema),
    }),
  ),
  /** Why the reader may not decide; null: may. */
  closed_because: v.nullable(v.picklist(["own", "moderator", "decided", "claimed", "first_decider", "administrators"])),
  /** What the first moderator decided, where a second opinion is asked. */
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

/** The ban that an appeal is about, in facts: the page writes them out in the reader's language. */
export const banFactsSchema = v.object({
  at,
  until: v.nullable(at),
  reason_id: v.picklist(banReasonIds),
  by: v.picklist(["software", "person"]),
  is_provisional: v.boolean(),
  /** Rule that led to it, where software decided. */
  rule: v.nullable(caseRuleSchema),
  /** When the call was that it is about. */
  call_at: v.nullable(at),
  reports: v.number(),
  /** 1 to 3: which strike this is; 0 for none. */
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
  /** Promised. */
  answer_by: at,
  decided_at: v.nullable(at),
  answer: v.string(),
  /** Where it was shortened. */
  until: v.nullable(at),
  beans_returned: v.number(),
});
export type Appeal = v.InferOutput<typeof appealSchema>;
