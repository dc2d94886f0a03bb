import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formIds, formUserId } from "../form.ts";
import { countryIdMax, interestsMax, excludedCountriesMax, spokenLanguagesMax } from "../limits.ts";
import { interests, ownTalkSchema, spokenLanguages } from "../talk.ts";

export const talkInfo = endpoint({
  path: "/api/user/talk/info",
  summary: "The user's languages and interests, and the countries that they exclude from matching",
  access: "user",
  isRead: true,
  input: { user_id: formUserId },
  output: ownTalkSchema,
});

export const talkUpdate = endpoint({
  path: "/api/user/talk/update",
  summary: "Choose languages, interests and excluded countries; fields left out keep their value",
  access: "complete",
  input: {
    user_id: formUserId,
    /** Ids joined by commas, in the user's order; empty for none. */
    languages: v.optional(formIds(spokenLanguages.length - 1, spokenLanguagesMax)),
    interests: v.optional(formIds(interests.length - 1, interestsMax)),
    prefer: v.optional(formChoice([0, 1])),
    /** Distinct country ids, at most `leaves_out_max` of the response. */
    leaves_out: v.optional(formIds(countryIdMax, excludedCountriesMax)),
  },
  output: ownTalkSchema,
});
