import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formText, formUserId } from "../form.ts";
import { identifierLengthMax, messageLengthMax } from "../limits.ts";

export const textDispute = endpoint({
  path: "/api/text/dispute",
  summary: "Dispute the findings in one's own hidden, covered or refused text",
  access: "user",
  input: {
    user_id: formUserId,
    place: v.picklist(["call", "message", "nickname", "about", "location"]),
    text: formText(1, messageLengthMax),
    /** Client id of the line or message; left out for a profile text. */
    client_id: v.optional(formText(1, identifierLengthMax)),
  },
  /** Also for a text that the server does not know, so that the response reveals nothing. */
  output: v.object({}),
});

export const adminTextRules = endpoint({
  path: "/admin/text/rules",
  summary: "Writers with findings per text rule in the last 30 days, and how many disputed them",
  access: "admin",
  input: { user_id: formUserId },
  output: v.object({
    /** Rules with at least one finding, marked ones first. */
    rows: v.array(
      v.object({
        /** `en:12`: file and row of a phrase; `contact:phone`: a kind of contact data. */
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
        /** Each writer counts once per rule. */
        writers: v.number(),
        /** Writers who disputed the finding; findings that the reader reported are not counted. */
        disputed: v.number(),
        /** More than a fifth of the writers disputed it. */
        is_marked: v.boolean(),
      }),
    ),
  }),
});
