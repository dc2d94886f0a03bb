import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formText, formUserId } from "../form.ts";
import { appealAnswerLengthMax, deskNoteLengthMax, identifierLengthMax } from "../limits.ts";
import {
  appealStateSchema,
  auditAnswers,
  banHours,
  caseDetailSchema,
  caseRowSchema,
  claimSchema,
  decisionKinds,
  deskFaceSchema,
  deskPersonSchema,
  labelIds,
  operationIds,
  pictureReasonIds,
  resettable,
} from "../moderation.ts";
import { banReasonIds, queues } from "../reasons.ts";

const id = formText(1, identifierLengthMax);
const note = v.optional(formText(0, deskNoteLengthMax), "");
const other = { user_id: formUserId, other_id: formUserId };
const done = v.object({});
/** Reason for deleting a picture; optional, because not every deletion has a reason of the list. */
const pictureReason = { reason_id: v.optional(formChoice(pictureReasonIds)) };

export const adminReportList = endpoint({
  path: "/admin/user/report/list",
  summary: "Open cases: reports, or the restricted queue (administrators only)",
  access: "moderator",
  input: {
    user_id: formUserId,
    box: v.optional(v.picklist(queues), "reports"),
    order: v.optional(v.picklist(["harm", "oldest", "mine"]), "harm"),
    cursor: v.optional(id),
  },
  output: v.object({
    rows: v.array(caseRowSchema),
    next: v.nullable(v.string()),
    waiting: v.number(),
    /** When the oldest case was opened, milliseconds since the epoch; null where none is open. */
    oldest_at: v.nullable(v.number()),
  }),
});

/** Counts for the tabs of the desk. */
export const adminDesk = endpoint({
  path: "/admin/desk",
  summary: "Open items of each queue, and how many the reader decided today",
  access: "moderator",
  input: { user_id: formUserId },
  output: v.object({
    reports: v.number(),
    avatars: v.number(),
    photos: v.number(),
    appeals: v.number(),
    texts: v.number(),
    notices: v.number(),
    /** 0 unless the reader is an administrator. */
    restricted: v.number(),
    decided_today: v.number(),
    /** State of the inspection: `shadow` judges without acting, `down` cannot judge. */
    inspection: v.picklist(["on", "shadow", "down", "off"]),
  }),
});

export const adminCase = endpoint({
  path: "/admin/report/info",
  summary: "One case with its evidence and its user; the restricted queue logs every read",
  access: "moderator",
  input: { user_id: formUserId, id },
  output: caseDetailSchema,
});

export const adminClaim = endpoint({
  path: "/admin/claim",
  summary: "Claim an item, renew the claim, or release it; a claim keeps other moderators from deciding",
  access: "moderator",
  input: {
    user_id: formUserId,
    /** `case:<id>`, `image:<id>`, `appeal:<id>`, `text:<id>` or `notice:<id>`. */
    item: formText(3, identifierLengthMax),
    on: formChoice([0, 1]),
  },
  /** The claim in force, which may be another moderator's; null after a release. */
  output: v.object({ claim: v.nullable(claimSchema) }),
});

export const adminLook = endpoint({
  path: "/admin/look",
  summary: "An address that opens one piece of evidence for a minute; every access is logged",
  access: "moderator",
  input: { user_id: formUserId, id },
  output: v.object({ url: v.string() }),
});

export const adminSampleList = endpoint({
  path: "/admin/sample/list",
  summary: "Random frames that no model flagged, which wait for a moderator's look, without their users",
  access: "moderator",
  input: { user_id: formUserId },
  output: v.object({ rows: v.array(v.object({ id: v.string(), claim: v.nullable(claimSchema) })) }),
});

export const adminSampleLook = endpoint({
  path: "/admin/sample/look",
  summary: "Claim a random frame and get an address that opens it for a minute; every access is logged",
  access: "moderator",
  input: { user_id: formUserId, id },
  output: v.object({ url: v.string() }),
});

export const adminSampleOperate = endpoint({
  path: "/admin/sample/operate",
  summary: "Say what a random frame shows, which erases it; nudity or a suspected minor opens a case",
  access: "moderator",
  input: { user_id: formUserId, id, answer: v.picklist(auditAnswers) },
  output: done,
});

const forbidding = {
  hours: v.optional(formChoice(banHours)),
  reason_id: v.optional(formChoice(banReasonIds)),
};

export const adminReportOperate = endpoint({
  path: "/admin/report/operate",
  summary:
    "Decide a case: 1 clear, 2 unfounded, 3 warn, 4 ban (with hours and reason; a permanent ban needs a second opinion)",
  access: "moderator",
  input: { user_id: formUserId, id, operation: formChoice(operationIds), ...forbidding, note },
  output: v.object({ state: v.picklist(["decided", "second"]) }),
});

export const adminReportReopen = endpoint({
  path: "/admin/report/reopen",
  summary: "Reopen a case that the caller decided in the last ten minutes; a ban and its strike end",
  access: "moderator",
  input: { user_id: formUserId, id },
  output: done,
});

export const adminDecisionList = endpoint({
  path: "/admin/decision/list",
  summary: "The caller's decisions of today and appeals answered today, or the log of all decisions (administrators)",
  access: "moderator",
  input: {
    user_id: formUserId,
    scope: v.optional(v.picklist(["mine", "all"]), "mine"),
    /** Filters of the log. `by`: number or beginning of the nickname of a moderator. */
    kind: v.optional(v.picklist(decisionKinds)),
    by: v.optional(formText(1, 40)),
    days: v.optional(formChoice([1, 14, 90]), 14),
    cursor: v.optional(id),
  },
  output: v.object({
    rows: v.array(
      v.object({
        id: v.string(),
        at: v.number(),
        kind: v.picklist(decisionKinds),
        reason_id: v.nullable(v.number()),
        /** Nickname of the moderator. */
        by: v.string(),
        note: v.string(),
        person: v.nullable(deskFaceSchema),
        case_id: v.nullable(v.string()),
        /** State of the appeal against the ban; null without one. */
        appeal: v.nullable(appealStateSchema),
        /** Until when the caller can reopen the case, milliseconds since the epoch; null: not possible. */
        reopen_until: v.nullable(v.number()),
      }),
    ),
    next: v.nullable(v.string()),
  }),
});

/** Texts that a moderator keeps at the desk: the handover note, and answers for appeals. */
export const deskTexts = ["handover", "answer1", "answer2", "answer3"] as const;

export const adminShift = endpoint({
  path: "/admin/shift",
  summary: "Who is on shift, handover notes of the last seven days, and the caller's own answers",
  access: "moderator",
  isRead: true,
  input: { user_id: formUserId },
  output: v.object({
    /** Moderators whose desk is open. */
    people: v.array(v.object({ name: v.string(), since: v.number(), mine: v.boolean() })),
    /** One a moderator, newest first. */
    notes: v.array(v.object({ name: v.string(), at: v.number(), mine: v.boolean(), text: v.string() })),
    /** In their order; empty where there is none. */
    answers: v.array(v.string()),
  }),
});

export const adminShiftWrite = endpoint({
  path: "/admin/shift/write",
  summary: "Write the caller's handover note or one of their answers; an empty text deletes it",
  access: "moderator",
  input: {
    user_id: formUserId,
    what: v.picklist(deskTexts),
    text: formText(0, appealAnswerLengthMax),
  },
  output: done,
});

export const adminSecondOperate = endpoint({
  path: "/admin/second/operate",
  summary: "The second opinion on a permanent ban: 1 lifts it, 2 shortens it to 30 days, 4 agrees",
  access: "moderator",
  input: { user_id: formUserId, id, operation: formChoice([1, 2, 4]), note },
  output: done,
});

export const adminQuickForbid = endpoint({
  path: "/admin/quick/forbid",
  summary: "Ban a user without an open case: opens a case and decides it",
  access: "moderator",
  input: {
    ...other,
    hours: formChoice(banHours),
    reason_id: formChoice(banReasonIds),
    /**
     * 1: ban the user although a moderator has banned them already. With 0 the response is then 406 `already_banned`.
     */
    again: v.optional(formChoice([0, 1]), 0),
    note,
  },
  output: v.object({ state: v.picklist(["decided", "second"]) }),
});

export const adminPerson = endpoint({
  path: "/admin/person",
  summary: "Everything that the desk shows of a user",
  access: "moderator",
  input: other,
  output: deskPersonSchema,
});

export const adminFind = endpoint({
  path: "/admin/find",
  summary: "Users by number or nickname, and cases by number, or by the texts of their evidence",
  access: "moderator",
  input: {
    user_id: formUserId,
    text: formText(1, 40),
    /** `texts`: chat lines, reported messages and reporters' words, never of the restricted queue. */
    of: v.optional(v.picklist(["names", "texts"]), "names"),
  },
  output: v.object({
    people: v.array(deskFaceSchema),
    cases: v.array(caseRowSchema),
    /** Around the found text, contact data masked: one for each of `cases` in a search of texts. */
    excerpts: v.array(v.string()),
    /** Texts older than those that were searched, or more cases than are shown, may contain the text too. */
    is_partial: v.boolean(),
  }),
});

export const adminSameIp = endpoint({
  path: "/admin/get/sameIpAccount",
  summary: "Accounts that share an IP address or a device with a user, or whose profile is similar",
  access: "moderator",
  input: {
    ...other,
    /** `profile`: similar pictures, or the same text about themselves. */
    by: v.optional(v.picklist(["traces", "profile"]), "traces"),
  },
  output: v.object({ rows: deskPersonSchema.entries.same }),
});

export const adminSameIpOperate = endpoint({
  path: "/admin/sameIpAccount/operate",
  summary: "1: the two accounts are unrelated; 2: review the other account",
  access: "moderator",
  input: { ...other, linked_id: formUserId, operation: formChoice([1, 2]) },
  output: done,
});

export const adminLabelList = endpoint({
  path: "/admin/get/label/list",
  summary: "Labels that moderators can put on a user",
  access: "moderator",
  input: { user_id: formUserId },
  output: v.object({ rows: v.array(v.object({ id: v.picklist(labelIds) })) }),
});

export const adminLabeling = endpoint({
  path: "/admin/labeling",
  summary: "Put a label on a user, or remove it",
  access: "moderator",
  input: { ...other, label_id: formChoice(labelIds), on: formChoice([0, 1]) },
  output: v.object({ labels: v.array(v.picklist(labelIds)) }),
});

export const adminReset = endpoint({
  path: "/admin/user/info/resetting",
  summary: "Reset a part of a profile; the user enters birthday and gender again (administrators)",
  access: "moderator",
  input: { ...other, field: v.picklist(resettable), note },
  output: done,
});

export const adminImageDelete = endpoint({
  path: "/admin/delete/image",
  summary: "Delete one picture of a user; a picture deleted as nudity (reason 1) cannot be uploaded again",
  access: "moderator",
  input: { ...other, id, ...pictureReason },
  output: done,
});

export const adminImagesDelete = endpoint({
  path: "/admin/delete/all/image",
  summary: "Delete every picture of a user; a picture deleted as nudity (reason 1) cannot be uploaded again",
  access: "moderator",
  input: { ...other, ...pictureReason },
  output: done,
});

export const adminSetRole = endpoint({
  path: "/admin/set/role",
  summary: "Make a user a moderator, an administrator or an ordinary user",
  access: "admin",
  input: { ...other, role: formChoice([0, 2, 3]) },
  output: done,
});

export const adminNote = endpoint({
  path: "/admin/note",
  summary: "A note about a user for other moderators",
  access: "moderator",
  input: { ...other, text: formText(1, deskNoteLengthMax) },
  output: done,
});
