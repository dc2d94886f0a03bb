import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formText, formUserId } from "../form.ts";
import { aboutLengthMax, identifierLengthMax } from "../limits.ts";
import { textSpanSchema } from "../messages.ts";
import { claimSchema, deskFaceSchema } from "../moderation.ts";

/** Profile texts that a user can ask a moderator about. */
export const askedTextPlaces = ["nickname", "about", "location"] as const;
export type AskedTextPlace = (typeof askedTextPlaces)[number];

export const textAsk = endpoint({
  path: "/api/text/ask",
  summary: "Ask a moderator about a refused name or text of the user's profile",
  access: "user",
  input: { user_id: formUserId, place: v.picklist(askedTextPlaces), text: formText(1, aboutLengthMax) },
  /** Deadline of the answer, milliseconds since the epoch. */
  output: v.object({ due_at: v.number() }),
});

export const muteAsk = endpoint({
  path: "/api/mute/ask",
  summary: "Ask a moderator about the user's mute",
  access: "user",
  input: { user_id: formUserId },
  /** Deadline of the answer, milliseconds since the epoch; null without a mute. */
  output: v.object({ due_at: v.nullable(v.number()) }),
});

/** A question to a moderator, from a user, or raised by a sign-in with a doubtful name. */
const textQuestionSchema = v.object({
  id: v.string(),
  person: deskFaceSchema,
  place: v.picklist([...askedTextPlaces, "mute"]),
  /** `provider`: the name came with a sign-in, and the account already has it. */
  source: v.picklist(["person", "provider"]),
  /** Empty for a mute. */
  text: v.string(),
  /** Findings in the text, each with its rule. */
  spans: v.array(v.object({ ...textSpanSchema.entries, rule: v.string() })),
  /** Current text of that place in the profile; empty for a mute. */
  current: v.string(),
  /** The mute: its rule, a key of `desk.rule`, and its end; null for texts. */
  mute: v.nullable(v.object({ rule: v.string(), until: v.nullable(v.number()), case_id: v.nullable(v.string()) })),
  /** Milliseconds since the epoch. */
  at: v.number(),
  due_at: v.number(),
  claim: v.nullable(claimSchema),
});
export type TextQuestion = v.InferOutput<typeof textQuestionSchema>;

export const adminTextList = endpoint({
  path: "/admin/text/list",
  summary: "Open questions about texts and mutes: mutes first, then by deadline",
  access: "moderator",
  input: { user_id: formUserId, cursor: v.optional(formText(1, identifierLengthMax)) },
  output: v.object({
    rows: v.array(textQuestionSchema),
    next: v.nullable(v.string()),
    waiting: v.number(),
    oldest_at: v.nullable(v.number()),
  }),
});

export const adminTextOperate = endpoint({
  path: "/admin/text/operate",
  summary: "Answer a question about a text or a mute: 1 accepts the text or ends the mute, 2 keeps it as it is",
  access: "moderator",
  input: { user_id: formUserId, id: formText(1, identifierLengthMax), operation: formChoice([1, 2]) },
  output: v.object({}),
});
