import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formText, formUserId } from "../form.ts";
import { appealAnswerLengthMax, mailAddressLengthMax, appealLengthMax, identifierLengthMax } from "../limits.ts";
import { mailAddressShape } from "../mails.ts";
import {
  appealGrounds,
  appealSchema,
  appealStateSchema,
  banFactsSchema,
  banHours,
  caseDetailSchema,
  caseRuleSchema,
  claimSchema,
  deskFaceSchema,
} from "../moderation.ts";
import { authorityKinds, noticeKinds } from "../notices.ts";
import { banReasonIds, reportReasonIds } from "../reasons.ts";
import { pushBrowser, pushEndpoint } from "./push.ts";

const id = formText(1, identifierLengthMax);
const appealToken = formText(1, 256);
const statusOutput = v.object({
  user_id: v.number(),
  /** Number of the account. */
  user_no: v.string(),
  ban: banFactsSchema,
  /** False once the ban has ended, was lifted or was replaced. */
  in_force: v.boolean(),
  appeal: v.nullable(appealSchema),
  /** Bean balance; unused purchases can be withdrawn. */
  beans: v.number(),
  /** The site can mail the answer. */
  mails: v.boolean(),
});

export const appealStatus = endpoint({
  path: "/api/appeal/status",
  summary: "The ban of an appeal token, and the state of its appeal",
  access: "public",
  isRead: true,
  input: { appeal_token: appealToken },
  output: statusOutput,
});

export const appealAdd = endpoint({
  path: "/api/appeal/add",
  summary: "Appeal a ban, once, within six months",
  access: "public",
  input: {
    appeal_token: appealToken,
    ground: formChoice(appealGrounds),
    text: formText(1, appealLengthMax),
    /** Address for the answer; optional. */
    email: v.optional(
      v.union([v.literal(""), v.pipe(v.string(), v.regex(mailAddressShape), v.maxLength(mailAddressLengthMax))]),
      "",
    ),
  },
  output: statusOutput,
});

export const appealPushInfo = endpoint({
  path: "/api/appeal/push/info",
  summary: "Whether browsers can be notified of the answer to an appeal, and whether this one is subscribed",
  access: "public",
  isRead: true,
  input: { appeal_token: appealToken, endpoint: v.optional(pushEndpoint) },
  output: v.strictObject({
    /** Application server key of Web Push, in base64url; null where the operator has none. */
    key: v.nullable(v.string()),
    /** This browser is subscribed. */
    on: v.boolean(),
  }),
});

export const appealPushAdd = endpoint({
  path: "/api/appeal/push/add",
  summary: "Notify this browser once when the appeal is answered, instead of an earlier browser",
  access: "public",
  input: { appeal_token: appealToken, ...pushBrowser },
  /** `on` is false where there is no appeal, or where it is answered already. */
  output: v.strictObject({ on: v.boolean() }),
});

export const appealPushDel = endpoint({
  path: "/api/appeal/push/del",
  summary: "Remove the notification of the answer to the appeal",
  access: "public",
  input: { appeal_token: appealToken },
  output: v.strictObject({}),
});

const appealRow = v.object({
  id: v.string(),
  /** `second`: a permanent ban that waits for its second opinion; then `id` is the id of the case. */
  kind: v.picklist(["appeal", "second"]),
  person: deskFaceSchema,
  hours: v.picklist(banHours),
  reason_id: v.picklist(banReasonIds),
  /** When the answer is due, or when the case closes without a second opinion. */
  due_at: v.number(),
  is_late: v.boolean(),
  /** The reader took part in this ban, or has answered an appeal against it: visible, but closed to them. */
  is_own: v.boolean(),
  claim: v.nullable(claimSchema),
});
export type AppealRow = v.InferOutput<typeof appealRow>;

export const adminAppealList = endpoint({
  path: "/admin/appeal/list",
  summary: "Bans waiting for a second opinion, and appeals waiting for an answer",
  access: "moderator",
  input: { user_id: formUserId },
  output: v.object({ seconds: v.array(appealRow), appeals: v.array(appealRow) }),
});

export const adminAppeal = endpoint({
  path: "/admin/appeal/info",
  summary: "One appeal with the decision and its evidence",
  access: "moderator",
  input: { user_id: formUserId, id },
  output: v.object({
    appeal: appealSchema,
    /** Language of the appeal text. */
    language: v.string(),
    ban: banFactsSchema,
    /** Nickname of the moderator who decided; null: software. */
    decided_by: v.nullable(v.string()),
    /** Beans of the call that the server cut; returned when the ban is lifted. */
    cut_beans: v.number(),
    case: v.nullable(caseDetailSchema),
    person: deskFaceSchema,
    closed_because: v.nullable(v.picklist(["own", "first_decider", "decided", "claimed", "administrators"])),
  }),
});

export const adminAppealOperate = endpoint({
  path: "/admin/appeal/operate",
  summary: "Decide an appeal, with an answer in plain words: upheld, shortened (with hours from now) or lifted",
  access: "moderator",
  input: {
    user_id: formUserId,
    id,
    outcome: v.picklist(["upheld", "shortened", "lifted"] satisfies v.InferOutput<typeof appealStateSchema>[]),
    /** With `shortened`: when the ban ends, hours from now. */
    hours: v.optional(formChoice([1, 24, 168, 720])),
    answer: formText(1, appealAnswerLengthMax),
  },
  output: v.object({}),
});

const share = v.object({
  /** 0 to 1; null where nothing was counted. */
  share: v.nullable(v.number()),
  of: v.number(),
});

/** The audit of random frames in 52 weeks. */
const audit = v.object({
  looked: v.number(),
  explicit: v.number(),
  /** At most this share of unflagged frames is explicit, 0 to 1, at 95 %; null with fewer than 20 looks. */
  share_max: v.nullable(v.number()),
});

/** Figures never name a moderator. */
export const adminFigures = endpoint({
  path: "/admin/figures",
  summary: "Figures of the desk: open cases, review times, overturned decisions, precision of each rule",
  access: "moderator",
  input: { user_id: formUserId, days: formChoice([1, 14, 90]) },
  output: v.object({
    waiting: v.number(),
    oldest_at: v.nullable(v.number()),
    /** Median minutes from the opening of a case to its decision, in this period and in the period before. */
    review_minutes: v.nullable(v.number()),
    review_minutes_before: v.nullable(v.number()),
    overturned: share,
    machine_right: share,
    audit,
    /** Open cases at the end of each hour (one day) or each day (longer periods), oldest first. */
    waiting_over_time: v.array(v.object({ at: v.number(), waiting: v.number() })),
    review_over_time: v.array(v.object({ at: v.number(), minutes: v.nullable(v.number()) })),
    rules: v.array(v.object({ rule: caseRuleSchema, ...share.entries })),
    overturned_by_reason: v.array(v.object({ reason_id: v.picklist(banReasonIds), ...share.entries })),
  }),
});

export const transparency = endpoint({
  path: "/api/transparency",
  summary: "Reports, decisions and overturned decisions of the last 90 days, in anonymous numbers",
  access: "public",
  isRead: true,
  input: {},
  output: v.object({
    from: v.number(),
    to: v.number(),
    reports: v.array(v.object({ reason_id: v.picklist(reportReasonIds), reports: v.number(), acted_on: v.number() })),
    bans: v.object({ software: v.number(), person: v.number(), for_good: v.number() }),
    pictures: v.object({ approved: v.number(), rejected: v.number() }),
    appeals: v.object({ received: v.number(), upheld: v.number(), shortened: v.number(), lifted: v.number() }),
    review_minutes: v.nullable(v.number()),
    appeal_hours: v.nullable(v.number()),
    audit,
    /** Upper bound of the share of nudity that software finds, by two families of models; null: too few cases. */
    recall: share,
    /** `hours`: median from receipt to decision; null where none was decided. */
    notices: v.array(
      v.object({
        kind: v.picklist(noticeKinds),
        received: v.number(),
        upheld: v.number(),
        hours: v.nullable(v.number()),
      }),
    ),
    /** Requests of authorities; null for fewer than `publishedCountMin`. */
    authorities: v.array(v.object({ kind: v.picklist(authorityKinds), requests: v.nullable(v.number()) })),
  }),
});
