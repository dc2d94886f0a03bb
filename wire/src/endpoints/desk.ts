import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formText, formUserId } from "../form.ts";
import { deskNoteLengthMax, identifierLengthMax } from "../limits.ts";
import {
  banHours,
  caseDetailSchema,
  caseRowSchema,
  claimSchema,
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
/** Why a picture is deleted; left out for no reason of the list. */
const pictureReason = { reason_id: v.optional(formChoice(pictureReasonIds)) };

export const adminReportList = endpoint({
  path: "/admin/user/report/list",
  summary: "Cases that wait: about conduct, or of the restricted queue (administrators)",
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
    /** Milliseconds since the epoch; null where nothing waits. */
    oldest_at: v.nullable(v.number()),
  }),
});

/** Numbers of the tabs and the reader's own day. */
export const adminDesk = endpoint({
  path: "/admin/desk",
  summary: "What waits in each queue, and how much the reader decided today",
  access: "moderator",
  input: { user_id: formUserId },
  output: v.object({
    reports: v.number(),
    avatars: v.number(),
    photos: v.number(),
    appeals: v.number(),
    texts: v.number(),
    /** Administrators only, others read 0. */
    restricted: v.number(),
    decided_today: v.number(),
    /** The inspection's state: `shadow` acts on nothing, `down` looks at nothing. */
    inspection: v.picklist(["on", "shadow", "down", "off"]),
  }),
});

export const adminCase = endpoint({
  path: "/admin/report/info",
  summary: "One case with its evidence and its person; in the restricted queue every reading is logged",
  access: "moderator",
  input: { user_id: formUserId, id },
  output: caseDetailSchema,
});

export const adminClaim = endpoint({
  path: "/admin/claim",
  summary: "Claim an item, renew the claim, or give it back; nobody else decides meanwhile",
  access: "moderator",
  input: {
    user_id: formUserId,
    /** `case:<id>`, `image:<id>`, `appeal:<id>` or `text:<id>`. */
    item: formText(3, identifierLengthMax),
    on: formChoice([0, 1]),
  },
  /** Null after giving it back; another's claim where one is in force. */
  output: v.object({ claim: v.nullable(claimSchema) }),
});

export const adminLook = endpoint({
  path: "/admin/look",
  summary: "An address that opens one piece of evidence for a minute; every look is logged",
  access: "moderator",
  input: { user_id: formUserId, id },
  output: v.object({ url: v.string() }),
});

const forbidding = {
  hours: v.optional(formChoice(banHours)),
  reason_id: v.optional(formChoice(banReasonIds)),
};

export const adminReportOperate = endpoint({
  path: "/admin/report/operate",
  summary:
    "Decide a case: 1 clear, 2 unfounded, 3 warn, 4 forbid (with hours and reason; for good asks a second person)",
  access: "moderator",
  input: { user_id: formUserId, id, operation: formChoice(operationIds), ...forbidding, note },
  output: v.object({ state: v.picklist(["decided", "second"]) }),
});

export const adminSecondOperate = endpoint({
  path: "/admin/second/operate",
  summary: "The second opinion on a ban for good: 1 lifts it, 2 makes it 30 days, 4 agrees",
  access: "moderator",
  input: { user_id: formUserId, id, operation: formChoice([1, 2, 4]), note },
  output: done,
});

export const adminQuickForbid = endpoint({
  path: "/admin/quick/forbid",
  summary: "Forbid somebody without a case that waits; opens and decides one",
  access: "moderator",
  input: {
    ...other,
    hours: formChoice(banHours),
    reason_id: formChoice(banReasonIds),
    /** 1: although a moderator has banned the person already (406 `already_banned` without it). */
    again: v.optional(formChoice([0, 1]), 0),
    note,
  },
  output: v.object({ state: v.picklist(["decided", "second"]) }),
});

export const adminPerson = endpoint({
  path: "/admin/person",
  summary: "All that the desk knows of a person",
  access: "moderator",
  input: other,
  output: deskPersonSchema,
});

export const adminFind = endpoint({
  path: "/admin/find",
  summary: "People by number or nickname, and cases by their number",
  access: "moderator",
  input: { user_id: formUserId, text: formText(1, 40) },
  output: v.object({ people: v.array(deskFaceSchema), cases: v.array(caseRowSchema) }),
});

export const adminSameIp = endpoint({
  path: "/admin/get/sameIpAccount",
  summary: "Accounts that share an address or a device with a person",
  access: "moderator",
  input: other,
  output: v.object({ rows: deskPersonSchema.entries.same }),
});

export const adminSameIpOperate = endpoint({
  path: "/admin/sameIpAccount/operate",
  summary: "1: the two have nothing to do with each other; 2: look at the other account",
  access: "moderator",
  input: { ...other, linked_id: formUserId, operation: formChoice([1, 2]) },
  output: done,
});

export const adminLabelList = endpoint({
  path: "/admin/get/label/list",
  summary: "Labels that can be put on a person",
  access: "moderator",
  input: { user_id: formUserId },
  output: v.object({ rows: v.array(v.object({ id: v.picklist(labelIds) })) }),
});

export const adminLabeling = endpoint({
  path: "/admin/labeling",
  summary: "Put a label on a person, or take it off",
  access: "moderator",
  input: { ...other, label_id: formChoice(labelIds), on: formChoice([0, 1]) },
  output: v.object({ labels: v.array(v.picklist(labelIds)) }),
});

export const adminReset = endpoint({
  path: "/admin/user/info/resetting",
  summary: "Take back a part of a profile; birthday and gender are asked anew (administrators)",
  access: "moderator",
  input: { ...other, field: v.picklist(resettable), note },
  output: done,
});

export const adminImageDelete = endpoint({
  path: "/admin/delete/image",
  summary: "Delete one picture of a person; what is deleted as nudity (reason 1) cannot be uploaded again",
  access: "moderator",
  input: { ...other, id, ...pictureReason },
  output: done,
});

export const adminImagesDelete = endpoint({
  path: "/admin/delete/all/image",
  summary: "Delete every picture of a person; what is deleted as nudity (reason 1) cannot be uploaded again",
  access: "moderator",
  input: { ...other, ...pictureReason },
  output: done,
});

export const adminSetRole = endpoint({
  path: "/admin/set/role",
  summary: "Make somebody a moderator, an administrator, or an ordinary person again",
  access: "admin",
  input: { ...other, role: formChoice([0, 2, 3]) },
  output: done,
});

export const adminNote = endpoint({
  path: "/admin/note",
  summary: "A note for colleagues about a person",
  access: "moderator",
  input: { ...other, text: formText(1, deskNoteLengthMax) },
  output: done,
});
