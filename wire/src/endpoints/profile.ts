import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formInteger, formText, formUserId } from "../form.ts";
import { birthYearOffered, identifierLengthMax } from "../limits.ts";
import { otherUserSchema, ownUserSchema } from "../people.ts";

export const myInfo = endpoint({
  path: "/api/user/info/my",
  summary: "The person's own data and a fresh chat signature",
  access: "user",
  input: { user_id: formUserId },
  output: ownUserSchema,
});

export const userInfo = endpoint({
  path: "/api/user/info",
  summary: "Another person's card; only of people met",
  access: "user",
  input: { userId: formUserId, otherId: formUserId },
  output: otherUserSchema,
});

export const userUpdate = endpoint({
  path: "/api/user/update",
  summary: "Store birthday (once, 18 or over) or gender (once)",
  access: "user",
  input: {
    user_id: formUserId,
    birth_year: v.optional(formInteger(birthYearOffered.earliest, birthYearOffered.last)),
    birthday: v.optional(formText(10, 10)),
    sex: v.optional(formChoice([1, 2])),
  },
  output: ownUserSchema,
});

export const getUserId = endpoint({
  path: "/api/get/userId",
  summary: "User id behind a chat id; only of people met",
  access: "user",
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
