import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formText, formUserId } from "../form.ts";
import { imageStatusSchema, imageReviewReasonSchema } from "../images.ts";
import { identifierLengthMax, reportNoteLengthMax } from "../limits.ts";
import { claimSchema, pictureReasonIds } from "../moderation.ts";
import { reportReasonIds } from "../reasons.ts";

const reportInput = {
  id: formChoice(reportReasonIds),
  user_id: formUserId,
  other_id: formUserId,
  note: v.optional(formText(0, reportNoteLengthMax)),
};

export const feedback = endpoint({
  path: "/api/feedback",
  summary: "Report a user met in the last 24 hours, a contact, or a user found by search",
  access: "user",
  input: {
    ...reportInput,
    /** The call that the report is about. */
    call_id: v.optional(formText(1, identifierLengthMax)),
    /** `clientId` of the reported chat line of that call; ignored without `call_id`. */
    line_id: v.optional(formText(1, identifierLengthMax)),
  },
  output: v.object({}),
});

export const chatReport = endpoint({
  path: "/api/chat/report",
  summary: "Report a user for a message",
  access: "user",
  input: { ...reportInput, message_id: v.pipe(v.string(), v.regex(/^\d{1,19}$/)) },
  output: v.object({}),
});

export const pauseAsk = endpoint({
  path: "/api/pause/ask",
  summary: "Ask a moderator to review the reports that paused the user's matching",
  access: "user",
  input: { user_id: formUserId },
  /** Deadline of the review, milliseconds since the epoch; null: matching is not paused. */
  output: v.object({ due_at: v.nullable(v.number()) }),
});

const listInput = {
  user_id: formUserId,
  status: v.optional(imageStatusSchema, "pending"),
  why: v.optional(imageReviewReasonSchema),
  cursor: v.optional(formText(1, identifierLengthMax)),
};
const listOutput = v.object({
  rows: v.array(
    v.object({
      id: v.string(),
      user_id: v.number(),
      user_no: v.string(),
      nickname: v.string(),
      url: v.string(),
      thumb: v.string(),
      status: imageStatusSchema,
      reason_id: v.nullable(v.number()),
      /** Milliseconds since the epoch. */
      at: v.number(),
      joined_at: v.number(),
      why: imageReviewReasonSchema,
      /** 0 to 1: how explicit the models rate it; null where they did not judge it. */
      explicit: v.nullable(v.number()),
      earlier: v.object({ approved: v.number(), rejected: v.number() }),
      claim: v.nullable(claimSchema),
    }),
  ),
  next: v.nullable(v.string()),
  waiting: v.number(),
  oldest_at: v.nullable(v.number()),
});
const operateInput = {
  user_id: formUserId,
  id: formText(1, identifierLengthMax),
  /** 1 approve, 2 reject. */
  operation: formChoice([1, 2]),
  /** Only with operation 2. */
  reason_id: v.optional(formChoice(pictureReasonIds)),
};

export const adminAvatarList = endpoint({
  path: "/admin/user/avatar/list",
  summary: "Avatars by review state; pending ones by urgency, then oldest first",
  access: "moderator",
  input: listInput,
  output: listOutput,
});

export const adminAvatarOperate = endpoint({
  path: "/admin/avatar/operate",
  summary: "Approve or reject an avatar",
  access: "moderator",
  input: operateInput,
  output: v.object({}),
});

export const adminImageList = endpoint({
  path: "/admin/user/image/list",
  summary: "Photos by review state; pending ones by urgency, then oldest first",
  access: "moderator",
  input: listInput,
  output: listOutput,
});

export const adminImageOperate = endpoint({
  path: "/admin/user/image/operate",
  summary: "Approve or reject a photo",
  access: "moderator",
  input: operateInput,
  output: v.object({}),
});
