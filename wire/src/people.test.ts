import * as v from "valibot";
import { expect, test } from "vitest";
import { loginTypes, otherUserSchema, ownUserSchema, remoteUserSchema, roles, sexSchema, sources } from "./people.ts";

const fields = (schema: { entries: object }) => Object.keys(schema.entries).toSorted();

test("[USER-1] has every field of the specification's user info in the user's own data", () => {
  const specified = [
    "id",
    "user_id",
    "user_no",
    "nickname",
    "avatar",
    "sex",
    "birthday",
    "country",
    "country_id",
    "country_name",
    "country_flag",
    "credit5",
    "role",
    "language",
    "accountType",
    "createTime",
    "externalId",
    "loginIp",
    "imei",
    "loginTime",
    "thirdPartyId",
  ];
  // Additional fields: what the browser needs, and the year for the specification's birthday.
  const ours = ["birth_year", "profile_complete", "age_try_again", "tencent_sign"];
  const edited = ["about", "location", "nickname_next", "searchable", "ringable"];
  expect(fields(ownUserSchema)).toEqual([...specified, ...ours, ...edited].toSorted());
});

test("[USER-2] has avatar, flag, country, externalId, nickname, sex, userId and price in a remote user", () => {
  expect(fields(remoteUserSchema)).toEqual([
    "avatar",
    "country_flag",
    "country_id",
    "country_name",
    "external_id",
    "nickname",
    "price",
    "sex",
    // Additional fields of some users.
    "shared",
    "user_id",
  ]);
  expect(v.safeParse(remoteUserSchema.entries.shared, undefined).success).toBe(true);
});

test("[USER-3] uses sex 0 unknown, 1 male and 2 female", () => {
  expect([0, 1, 2].every((sex) => v.is(sexSchema, sex))).toBe(true);
  expect([-1, 3, "1", null].some((sex) => v.is(sexSchema, sex))).toBe(false);
});

test("[USER-4] numbers providers 1 Google, 2 Facebook, 3 Apple, and sources 1 desktop, 2 other", () => {
  expect(loginTypes).toEqual([1, 2, 3]);
  expect(sources).toEqual([1, 2]);
});

test("[USER-5] has followStatus 0 to 2 and likeStatus 0 or 1 in another user's card", () => {
  const { followStatus, likeStatus } = otherUserSchema.entries;
  expect(followStatus.options).toEqual([0, 1, 2]);
  expect(likeStatus.options).toEqual([0, 1]);
});

test("[ROLE-2] numbers roles 0 user, 2 moderator and 3 administrator", () => {
  expect(roles).toEqual({ user: 0, moderator: 2, administrator: 3 });
});
