import * as v from "valibot";
import { expect, test } from "vitest";
import { endpoints } from "./endpoints.ts";

const fieldsOf = (call: keyof typeof endpoints) =>
  Object.keys(endpoints[call].input.entries)
    .filter((field) => field !== "language" && field !== "user_id")
    .toSorted();

test.each([
  ["login", "/api/login", "public"],
  ["loginPrepare", "/api/login/prepare", "public"],
  ["logout", "/api/logout", "user"],
  ["matchStart", "/api/video/match/start", "complete"],
  ["matchStop", "/api/video/match/stop", "user"],
  ["matchInfo", "/api/video/match/info", "user"],
  ["matchInfoUpdate", "/api/video/match/info/update", "user"],
  ["startVideo", "/api/start/video", "complete"],
  ["testRoomSign", "/api/video/getTestRoomSign", "user"],
  ["getUserId", "/api/get/userId", "user"],
  ["countryList", "/api/country/list", "public"],
  ["getLanguage", "/api/get/language", "public"],
  ["userInfo", "/api/user/info", "user"],
  ["myInfo", "/api/user/info/my", "user"],
  ["userUpdate", "/api/user/update", "user"],
  ["active", "/api/active", "user"],
] as const)("[SIGN-23] serves %s at %s, for %s", (call, path, access) => {
  expect([endpoints[call].path, endpoints[call].access]).toEqual([path, access]);
});

test.each([
  ["matchStart", ["checks", "country", "offer", "refresh", "room_id", "sex", "traceparent", "with_user_id"]],
  ["matchStop", []],
  ["matchInfoUpdate", ["id"]],
  ["startVideo", ["id"]],
  ["getUserId", ["externalId"]],
  ["userInfo", ["otherId", "userId"]],
  ["myInfo", []],
  [
    "userUpdate",
    ["about", "avatar", "birth_year", "birthday", "location", "nickname", "ringable", "searchable", "sex"],
  ],
  ["active", ["country", "sex", "type"]],
] as const)("[SIGN-23] accepts for %s the fields of the specification", (call, fields) => {
  expect(fieldsOf(call)).toEqual(fields);
});

test("[SIGN-22] accepts user_id and language on every endpoint, and rejects unknown fields", () => {
  for (const { input } of Object.values(endpoints)) {
    expect([input.entries.user_id, input.entries.language]).toEqual([expect.any(Object), expect.any(Object)]);
  }
  const { input } = endpoints.matchStop;
  expect(v.is(input, { user_id: "1", language: "tr" })).toBe(true);
  expect(v.is(input, { user_id: "1", role: "3" })).toBe(false);
});

const payload = { login_type: "1", third_party_id: "google-1", third_party_token: "t", source: "1" };

test("[SIGNIN-10] accepts login_type, third_party_id, third_party_token, avatar, nickname, source and imei at login", () => {
  expect(fieldsOf("login")).toEqual(
    ["avatar", "imei", "login_type", "nickname", "source", "third_party_id", "third_party_token"].toSorted(),
  );
  expect(v.parse(endpoints.login.input, payload)).toEqual({
    login_type: 1,
    third_party_id: "google-1",
    third_party_token: "t",
    source: 1,
    avatar: "",
    nickname: "",
    imei: "",
  });
});

test.each([{ login_type: "0" }, { login_type: "4" }, { source: "0" }, { source: "3" }] as const)(
  "[SIGNIN-10] rejects a login with %j",
  (change) => {
    expect(v.is(endpoints.login.input, { ...payload, ...change })).toBe(false);
  },
);

test.each(["third_party_id", "third_party_token"])("[SIGNIN-9] rejects a login without %s", (field) => {
  expect(v.is(endpoints.login.input, { ...payload, [field]: "" })).toBe(false);
  expect(v.is(endpoints.login.input, { ...payload, [field]: undefined })).toBe(false);
});

test("[MATCH-11] accepts sex 0 both, 1 men or 2 women, and country 0 global, -1 balanced or an id", () => {
  const wish = (sex: number, country: number) => v.is(endpoints.matchStart.input, { user_id: 1, sex, country });
  expect([wish(0, 0), wish(1, -1), wish(2, 18)]).toEqual([true, true, true]);
  expect([wish(3, 0), wish(-1, 0), wish(0, -2)]).toEqual([false, false, false]);
});

test("[AGE-3] accepts birth years from 1926 to 2019, and a gender of 1 or 2", () => {
  const update = (change: object) => v.is(endpoints.userUpdate.input, { user_id: 1, ...change });
  expect([1926, 1980, 2019].every((year) => update({ birth_year: year }))).toBe(true);
  expect([1925, 2020].some((year) => update({ birth_year: year }))).toBe(false);
  expect([update({ sex: 1 }), update({ sex: 2 }), update({ sex: 0 }), update({ sex: 3 })]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("[PUSH-8] accepts data reports of type 1, 2 or 3", () => {
  const report = (type: number) => v.is(endpoints.active.input, { user_id: 1, type });
  expect([1, 2, 3].every(report)).toBe(true);
  expect([0, 4].some(report)).toBe(false);
});

test("sends a country as id, code, languageText and flag, and a language as value and text", () => {
  expect(Object.keys(endpoints.countryList.output.item.entries)).toEqual(["id", "code", "languageText", "flag"]);
  expect(Object.keys(endpoints.getLanguage.output.entries.languages.item.entries)).toEqual(["value", "text"]);
});
