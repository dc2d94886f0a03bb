import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formInteger, formText, formUserId } from "../form.ts";
import {
  aboutLengthMax,
  birthYearOffered,
  identifierLengthMax,
  locationLengthMax,
  nicknameLengthMax,
} from "../limits.ts";
import { otherUserSchema, ownUserSchema } from "../people.ts";

export const myInfo = endpoint({
  path: "/api/user/info/my",
  summary: "The user's own data and a fresh chat signature",
  access: "user",
  isRead: true,
  input: { user_id: formUserId },
  output: ownUserSchema,
});

export const userInfo = endpoint({
  path: "/api/user/info",
  summary: "Another user's profile: only of users met, of contacts, or of users found by search",
  access: "user",
  isRead: true,
  input: { userId: formUserId, otherId: formUserId },
  output: otherUserSchema,
});

export const userUpdate = endpoint({
  path: "/api/user/update",
  summary: "Store birthday (once, 18 or over) or gender (once), or edit the profile",
  access: "user",
  input: {
    user_id: formUserId,
    birth_year: v.optional(formInteger(birthYearOffered.earliest, birthYearOffered.last)),
    birthday: v.optional(formText(10, 10)),
    sex: v.optional(formChoice([1, 2])),
    /** The user can change it once in 30 days. */
    nickname: v.optional(formText(1, nicknameLengthMax)),
    /** Once written, it cannot become empty again. */
    about: v.optional(formText(1, aboutLengthMax)),
    location: v.optional(formText(0, locationLengthMax)),
    /** Id of an uploaded picture; the current avatar stays until this one is approved. */
    avatar: v.optional(formText(1, identifierLengthMax)),
    searchable: v.optional(formChoice([0, 1])),
    ringable: v.optional(formChoice([0, 1])),
  },
  output: ownUserSchema,
});

export const getUserId = endpoint({
  path: "/api/get/userId",
  summary: "User id of a chat id; only of users met",
  access: "user",
  isRead: true,
  input: { externalId: formText(1, identifierLengthMax) },
  output: v.number(),
});

export const active = endpoint({
  path: "/api/active",
  summary: "Data report: 1 answers a push, 2 the page was hidden, 3 filters changed",
  access: "user",
  input: {
    user_id: formUserId,
    type: formChoice([1, 2, 3]),
    /** With type 3: the chosen filters. */
    sex: v.optional(formChoice([0, 1, 2])),
    country: v.optional(formInteger(-1, 10_000)),
  },
  output: v.object({}),
});
