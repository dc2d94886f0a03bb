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
