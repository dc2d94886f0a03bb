import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formIds, formUserId } from "../form.ts";
import { countryIdMax, interestsMax, leavesOutMax, spokenLanguagesMax } from "../limits.ts";
import { interests, ownTalkSchema, spokenLanguages } from "../talk.ts";

export const talkInfo = endpoint({
  path: "/api/user/talk/info",
  summary: "The languages and interests that the person chose, and the countries that they leave out",
  access: "user",
  isRead: true,
  input: { user_id: formUserId },
  output: ownTalkSchema,
});

export const talkUpdate = endpoint({
  path: "/api/user/talk/update",
  summary:
    "Choose languages and interests to talk in and about, and countries to leave out; what is not given stays as it is",
  access: "complete",
  input: {
    user_id: formUserId,
    /** Ids joined by commas, in the order of the person; none: empty. */
    languages: v.optional(formIds(spokenLanguages.length - 1, spokenLanguagesMax)),
    interests: v.optional(formIds(interests.length - 1, interestsMax)),
    prefer: v.optional(formChoice([0, 1])),
    /** Ids of countries, none of them twice, at most as many as the answer says. */
    leaves_out: v.optional(formIds(countryIdMax, leavesOutMax)),
  },
  output: ownTalkSchema,
});
