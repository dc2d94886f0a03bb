import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formIds, formText, formUserId } from "../form.ts";
import { mailAddressLengthMax } from "../limits.ts";
import { mailKinds } from "../mails.ts";

const mailChoiceSchema = v.strictObject({
  /** False: this site sends no mails. */
  on: v.boolean(),
  /** The confirmed address; null without one. */
  email: v.nullable(v.string()),
  /** An address that waits for its confirmation. */
  pending: v.nullable(v.string()),
  /** Ids of the kinds that the user chose. */
  kinds: v.array(v.number()),
});
export type MailChoice = v.InferOutput<typeof mailChoiceSchema>;

export const mailInfo = endpoint({
  path: "/api/user/mail/info",
  summary: "The user's mail address, and which mails it receives",
  access: "user",
  isRead: true,
  input: { user_id: formUserId },
  output: mailChoiceSchema,
});

export const mailUpdate = endpoint({
  path: "/api/user/mail/update",
  summary: "Change the mail address or the kinds of mails; a new address receives a link to confirm it",
  access: "user",
  input: {
    user_id: formUserId,
    /** Empty: remove the address. Absent: unchanged. */
    email: v.optional(formText(0, mailAddressLengthMax)),
    /** Ids joined by commas. Absent: unchanged. */
    kinds: v.optional(formIds(mailKinds.length - 1, mailKinds.length)),
  },
  output: mailChoiceSchema,
});
