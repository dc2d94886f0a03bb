import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formText, formUserId } from "../form.ts";
import { appealAnswerLengthMax, appealEmailLengthMax, appealLengthMax, identifierLengthMax } from "../limits.ts";
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
import { banReasonIds, reportReasonIds } from "../reasons.ts";
import { pushBrowser, pushEndpoint } from "./push.ts";

const id = formText(1, identifierLengthMax);
const appealToken = formText(1, 256);
const statusOutput = v.object({
  user_id: v.number(),
  /** Number of the account. */
  user_no: v.string(),
  ban: banFactsSchema,
  /** False once it is over, was lifted, or another took its place. */
  in_force: v.boolean(),
  appeal: v.nullable(appealSchema),
  /** Bean balance; unused purchases can be taken back. */
  beans: v.number(),
});

export const appealStatus = endpoint({
  path: "/api/appeal/status",
  summary: "The ban that an appeal token is for, and what became of the appeal",
  access: "public",
  isRead: true,
  input: { appeal_token: appealToken },
  output: statusOutput,
});

export const appealAdd = endpoint({
  path: "/api/appeal/add",
  summary: "Appeal a ban, once, for six months after it",
  access: "public",
  input: {
    appeal_token: appealToken,
    ground: formChoice(appealGrounds),
    text: formText(1, appealLengthMax),
    /** For the answer; may be left out. */
    email: v.optional(v.union([v.literal(""), v.pipe(v.string(), v.email(), v.maxLength(appealEmailLengthMax))]), ""),
  },
  output: statusOutput,
});

export const appealPushInfo = endpoint({
  path: "/api/appeal/push/info",
  summary: "Whether a browser can be told that an appeal was answered, and whether this one is",
  access: "public",
  isRead: true,
  input: { appeal_token: appealToken, endpoint: v.optional(pushEndpoint) },
  output: v.strictObject({
    /** The key that a browser subscribes with, in base64url; null where the operator has none, so that nobody is told. */
    key: v.nullable(v.string()),
    /** This browser is told. */
    on: v.boolean(),
  }),
});

export const appealPushAdd = endpoint({
  path: "/api/appeal/push/add",
  summary: "Tell this browser once that the appeal was answered, in place of the browser before",
  access: "public",
  input: { appeal_token: appealToken, ...pushBrowser },
  /** Not `on`: there is no appeal, or it was answered already. */
  output: v.strictObject({ on: v.boolean() }),
});

export const appealPushDel = endpoint({
  path: "/api/appeal/push/del",
  summary: "Tell no browser that the appeal was answered",
  access: "public",
  input: { appeal_token: appealToken },
  output: v.strictObject({}),
});

const appealRow = v.object({
  id: v.string(),
  /** `second`: a ban for good that waits for its second opinion; the id is then the case's. */
  kind: v.picklist(["appeal", "second"]),
  person: deskFaceSchema,
  hours: v.picklist(banHours),
  reason_id: v.picklist(banReasonIds),
  /** When the answer is promised, or the ban lapses. */
  due_at: v.number(),
  is_late: v.boolean(),
  /** The reader has decided on it already, also by the answer of an appeal against it: shown, and closed. */
  is_own: v.boolean(),
  claim: v.nullable(claimSchema),
});
export type AppealRow = v.InferOutput<typeof appealRow>;

export const adminAppealList = endpoint({
  path: "/admin/appeal/list",
  summary: "Bans that wait for a second opinion, and appeals that wait for an answer",
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
    /** Language that the person wrote in. */
    language: v.string(),
    ban: banFactsSchema,
    /** Nickname of who decided; null: software. */
    decided_by: v.nullable(v.string()),
    /** Beans of the call that was cut, returned when the ban is lifted. */
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

/** Never a moderator's name. */
export const adminFigures = endpoint({
  path: "/admin/figures",
  summary: "How the desk does: what waits, how long it takes, what was overturned, how often each rule was right",
  access: "moderator",
  input: { user_id: formUserId, days: formChoice([1, 14, 90]) },
  output: v.object({
    waiting: v.number(),
    oldest_at: v.nullable(v.number()),
    /** Median from the opening of a case to its decision, minutes; the second of the time before. */
    review_minutes: v.nullable(v.number()),
    review_minutes_before: v.nullable(v.number()),
    overturned: share,
    machine_right: share,
    /** Cases that waited at the end of each hour (a day) or day, oldest first. */
    waiting_over_time: v.array(v.object({ at: v.number(), waiting: v.number() })),
    review_over_time: v.array(v.object({ at: v.number(), minutes: v.nullable(v.number()) })),
    rules: v.array(v.object({ rule: caseRuleSchema, ...share.entries })),
    overturned_by_reason: v.array(v.object({ reason_id: v.picklist(banReasonIds), ...share.entries })),
  }),
});

export const transparency = endpoint({
  path: "/api/transparency",
  summary: "What was reported, decided and overturned in the last 90 days, in numbers that name nobody",
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
  }),
});
