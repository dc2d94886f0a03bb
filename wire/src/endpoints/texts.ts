import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formText, formUserId } from "../form.ts";
import { identifierLengthMax, messageLengthMax } from "../limits.ts";

export const textDispute = endpoint({
  path: "/api/text/dispute",
  summary: "Say that a text of one's own that was hidden, covered or refused did not mean what was found in it",
  access: "user",
  input: {
    user_id: formUserId,
    place: v.picklist(["call", "message", "nickname", "about", "location"]),
    text: formText(1, messageLengthMax),
    /** The line or message, where it was sent. */
    client_id: v.optional(formText(1, identifierLengthMax)),
  },
  /** The same for a text that is not known. */
  output: v.object({}),
});

export const adminTextRules = endpoint({
  path: "/admin/text/rules",
  summary: "Of how many writers each text rule found something in the last 30 days, and how many of them disputed it",
  access: "admin",
  input: { user_id: formUserId },
  output: v.object({
    /** Those that are disputed too often first; rules that found nothing are left out. */
    rows: v.array(
      v.object({
        /** File and row of the phrase, such as `en:12`, or `contact:phone`. */
        rule: v.string(),
        kind: v.picklist([
          "phone",
          "email",
          "link",
          "handle",
          "account_number",
          "address",
          "advert",
          "insult",
          "threat",
          "hate",
          "solicitation",
          "minor",
        ]),
        /** Null for contact data, which has no language and no phrase. */
        language: v.nullable(v.string()),
        phrase: v.nullable(v.string()),
        /** Each counts once a rule, however often it found something. */
        writers: v.number(),
        /** Writers who did not mean it; what the reader reported is left out. */
        disputed: v.number(),
        /** Disputed by more than one of five writers. */
        is_marked: v.boolean(),
      }),
    ),
  }),
});
