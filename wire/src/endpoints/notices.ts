import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formText, formUserId } from "../form.ts";
import {
  mailAddressLengthMax,
  identifierLengthMax,
  noticeBasisLengthMax,
  noticeFieldLengthMax,
  noticePictureLengthMax,
  noticePicturesMax,
  noticeTextLengthMax,
} from "../limits.ts";
import { mailAddressShape } from "../mails.ts";
import { claimSchema, deskFaceSchema } from "../moderation.ts";
import { authorityKinds, authorityOutcomes, noticeKinds, noticeOperationIds, noticeStates } from "../notices.ts";

const id = formText(1, identifierLengthMax);
const token = formText(1, 256);
const field = v.optional(formText(0, noticeFieldLengthMax), "");
const at = v.number();
const accountNumber = v.optional(v.pipe(v.string(), v.regex(/^(?:\d{8})?$/)), "");

/** What the sender of a notice sees of it. */
const noticeStatusSchema = v.object({
  no: v.string(),
  kind: v.picklist(noticeKinds),
  state: v.picklist(noticeStates),
  at,
  due_at: at,
  /** A picture was named exactly, and is hidden until the decision. */
  is_hidden: v.boolean(),
  /** The moderator's question; empty unless the state is `asked`. */
  question: v.string(),
  decided_at: v.nullable(at),
  /** Reasons of the decision; empty before it, and once the notice's texts are erased. */
  reason: v.string(),
});

export const noticeAdd = endpoint({
  path: "/api/notice/add",
  summary: "A notice about content, by anybody; the same notice again is the first one",
  access: "public",
  input: {
    kind: v.picklist(noticeKinds),
    text: formText(1, noticeTextLengthMax),
    /** Number of the account that the notice is about. */
    account: accountNumber,
    /** Nickname, and when it was seen, in the sender's words. */
    name: field,
    seen: field,
    /** Address of the picture at this site. */
    picture: v.optional(formText(0, noticePictureLengthMax), ""),
    /** Perceptual hash of the picture, computed by the page; the picture itself is never sent. */
    hash: v.optional(v.pipe(v.string(), v.regex(/^(?:[0-9a-f]{16})?$/)), ""),
    /** The sender's name. Name and address may be missing in a notice of the kind `minor` only. */
    signature: field,
    email: v.optional(
      v.union([v.literal(""), v.pipe(v.string(), v.regex(mailAddressShape), v.maxLength(mailAddressLengthMax))]),
      "",
    ),
    /** The sender states that the notice is made in good faith. */
    good_faith: formChoice([1]),
  },
  output: v.object({ no: v.string(), token: v.string() }),
});

export const noticeStatus = endpoint({
  path: "/api/notice/status",
  summary: "The state of a notice, by its token",
  access: "public",
  isRead: true,
  input: { token },
  output: noticeStatusSchema,
});

export const noticeAnswer = endpoint({
  path: "/api/notice/answer",
  summary: "Answer the moderator's question about a notice",
  access: "public",
  input: { token, text: formText(1, noticeTextLengthMax) },
  output: noticeStatusSchema,
});

const noticeRowSchema = v.object({
  id: v.string(),
  no: v.string(),
  kind: v.picklist(noticeKinds),
  state: v.picklist(noticeStates),
  at,
  due_at: at,
  /** The named account, or the owner of the named picture; null where neither is known. */
  person: v.nullable(deskFaceSchema),
  claim: v.nullable(claimSchema),
});
export type NoticeRow = v.InferOutput<typeof noticeRowSchema>;

export const adminNoticeList = endpoint({
  path: "/admin/notice/list",
  summary: "Open notices by urgency; the kind `minor` for administrators only",
  access: "moderator",
  input: { user_id: formUserId },
  output: v.object({ rows: v.array(noticeRowSchema), waiting: v.number() }),
});

const noticePictureSchema = v.object({
  id: v.string(),
  url: v.string(),
  person: deskFaceSchema,
  /** The notice names this picture by its address. Otherwise it only resembles the named picture or the sent hash. */
  is_named: v.boolean(),
  is_hidden: v.boolean(),
  /** Bits of the hash that differ, 0 to 8; null for a named picture. */
  distance: v.nullable(v.number()),
});
export type NoticePicture = v.InferOutput<typeof noticePictureSchema>;

export const adminNotice = endpoint({
  path: "/admin/notice/info",
  summary: "One notice with what its sender wrote, and the pictures that it is about or that resemble it",
  access: "moderator",
  input: { user_id: formUserId, id },
  output: v.object({
    ...noticeRowSchema.entries,
    /** Null once it is erased. */
    written: v.nullable(
      v.object({
        text: v.string(),
        account: v.string(),
        name: v.string(),
        seen: v.string(),
        picture: v.string(),
        signature: v.string(),
        email: v.string(),
        answers: v.array(v.object({ question: v.string(), text: v.string() })),
      }),
    ),
    question: v.string(),
    pictures: v.array(noticePictureSchema),
    closed_because: v.nullable(v.picklist(["decided", "claimed"])),
  }),
});
export type NoticeDetail = v.InferOutput<typeof adminNotice.output>;

export const adminNoticeOperate = endpoint({
  path: "/admin/notice/operate",
  summary: "Decide a notice: 1 uphold and remove the chosen pictures, 2 unfounded, 3 ask its sender a question",
  access: "moderator",
  input: {
    user_id: formUserId,
    id,
    operation: formChoice(noticeOperationIds),
    /** With operation 1: ids of the pictures to remove, joined by commas. */
    pictures: v.optional(formText(0, noticePicturesMax * 40), ""),
    /** The reasons, or the question; the sender reads it. */
    text: formText(1, noticeTextLengthMax),
  },
  output: v.object({}),
});

const authorityRowSchema = v.object({
  id: v.string(),
  authority: v.string(),
  /** ISO 3166-1 alpha-2. */
  country: v.string(),
  kind: v.picklist(authorityKinds),
  basis: v.string(),
  received_at: at,
  due_at: v.nullable(at),
  person: v.nullable(deskFaceSchema),
  /** Null while the request is open. */
  outcome: v.nullable(v.picklist(authorityOutcomes)),
  closed_at: v.nullable(at),
  /** An administrator proposes disclosure; another one has to agree. `mine`: the reader proposed it. */
  proposed: v.nullable(v.object({ mine: v.boolean(), name: v.string() })),
  /** End of the hold on the account's data; null without a hold. */
  hold_until: v.nullable(at),
});
export type AuthorityRow = v.InferOutput<typeof authorityRowSchema>;

export const adminAuthorityList = endpoint({
  path: "/admin/authority/list",
  summary: "Requests of authorities: open ones by deadline, then closed ones, newest first",
  access: "admin",
  input: { user_id: formUserId },
  output: v.object({ rows: v.array(authorityRowSchema) }),
});

export const adminAuthorityAdd = endpoint({
  path: "/admin/authority/add",
  summary: "Record an authority's request; nothing is sent",
  access: "admin",
  input: {
    user_id: formUserId,
    authority: formText(1, noticeFieldLengthMax),
    country: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)),
    kind: v.picklist(authorityKinds),
    /** Legal basis and reference, as the authority names them. */
    basis: formText(1, noticeBasisLengthMax),
    /** Day of receipt and deadline, `YYYY-MM-DD`. */
    received: v.pipe(v.string(), v.isoDate()),
    due: v.optional(v.union([v.literal(""), v.pipe(v.string(), v.isoDate())]), ""),
    account: accountNumber,
    /** 1: keep the account's data for 90 days. */
    hold: v.optional(formChoice([0, 1]), 0),
  },
  output: v.object({ id: v.string() }),
});

export const adminAuthorityHold = endpoint({
  path: "/admin/authority/hold",
  summary: "Start or renew the hold on the account's data for 90 days (1), or end it (0)",
  access: "admin",
  input: { user_id: formUserId, id, on: formChoice([0, 1]) },
  output: v.object({ hold_until: v.nullable(at) }),
});

export const adminAuthorityClose = endpoint({
  path: "/admin/authority/close",
  summary: "Close a request with its outcome; a second administrator has to agree to disclosure",
  access: "admin",
  input: { user_id: formUserId, id, outcome: v.picklist(authorityOutcomes) },
  output: v.object({ state: v.picklist(["closed", "proposed"]) }),
});
