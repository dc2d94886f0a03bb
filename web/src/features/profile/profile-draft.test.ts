import { expect, test } from "vitest";
import { ownUser } from "#testing/own-user.ts";
import { changesOf, profileDraftOf, problemsOf } from "./use-profile-edit.ts";

const theo = ownUser({ nickname: "Theo", about: "Cook, cyclist.", location: "Bristol" });
const draft = profileDraftOf(theo);

test("saves only changed fields, and ignores surrounding blanks", () => {
  expect(changesOf(theo, draft)).toBeNull();
  expect(changesOf(theo, { ...draft, about: " Cook, cyclist. " })).toBeNull();
  expect(changesOf(theo, { ...draft, location: " Leeds ", searchable: 0 })).toEqual({
    location: "Leeds",
    searchable: 0,
  });
});

test("lets neither the name nor a written about-me be emptied, but the location", () => {
  expect(problemsOf(theo, { ...draft, nickname: " ", about: "\n", location: "" })).toEqual({
    nickname: { kind: "empty" },
    about: { kind: "empty" },
  });
});

test("saves other fields while about-me was never written", () => {
  const silent = ownUser({ about: "" });
  expect(problemsOf(silent, { ...profileDraftOf(silent), location: "Leeds" })).toEqual({});
});

test("reports contact details in each field while the user types", () => {
  const typed = { ...draft, about: "Ask me about sourdough or call 0770 900 1234", location: "write a@b.com" };
  expect(problemsOf(theo, typed)).toEqual({
    about: { kind: "found", finding: "phone" },
    location: { kind: "found", finding: "email" },
  });
});

test("reports a text without visible characters in each field before it is sent", () => {
  const unseen = { kind: "found", finding: "invisible_text" };
  expect(problemsOf(theo, { ...draft, nickname: "\u3164", about: "\u2800", location: "\u200b" })).toEqual({
    nickname: unseen,
    about: unseen,
    location: unseen,
  });
});

test("does not object to stored texts", () => {
  const old = ownUser({ about: "call 0770 900 1234" });
  expect(problemsOf(old, { ...profileDraftOf(old), location: "Leeds" })).toEqual({});
});
