import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formText, formUserId } from "../form.ts";
import { interfaceLanguages } from "../languages.ts";
import { chatMessageLengthMax, identifierLengthMax, messageLengthMax } from "../limits.ts";

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

const target = v.picklist(interfaceLanguages.map(({ value }) => value));
/** `from`: language tag of the original, as the translator found it. */
const translated = v.object({ text: v.string(), from: v.string() });

export const textTranslate = endpoint({
  path: "/api/text/translate",
  summary: "Translate a received message, or the text of a line in a call, by the operator's translator",
  access: "complete",
  isRead: true,
  input: {
    user_id: formUserId,
    target,
    /** Id of a message; or `text`, but not both. */
    message_id: v.optional(v.pipe(v.string(), v.regex(/^\d{1,19}$/))),
    text: v.optional(formText(1, chatMessageLengthMax)),
  },
  output: translated,
});

export const adminTextTranslate = endpoint({
  path: "/admin/text/translate",
  summary: "Translate a text of the desk by the operator's translator",
  access: "moderator",
  isRead: true,
  input: { user_id: formUserId, target, text: formText(1, messageLengthMax) },
  output: translated,
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
