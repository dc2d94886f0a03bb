import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formText, formUserId } from "../form.ts";
import { identifierLengthMax, messageLengthMax } from "../limits.ts";

export const textDispute = endpoint({
  path: "/api/text/dispute",
  summary: "Dispute what was found in an own text that was hidden, covered or refused",
  access: "user",
  input: {
    user_id: formUserId,
    place: v.picklist(["call", "message", "nickname", "about", "location"]),
    text: formText(1, messageLengthMax),
    /** The line or message; left out for a profile text. */
    client_id: v.optional(formText(1, identifierLengthMax)),
  },
  /** The same for an unknown text. */
  output: v.object({}),
});

export const adminTextRules = endpoint({
  path: "/admin/text/rules",
  summary: "Of how many writers each text rule found something in the last 30 days, and how many of them disputed it",
  access: "admin",
  input: { user_id: formUserId },
  output: v.object({
    /** Rules with at least one hit, marked ones first. */
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
