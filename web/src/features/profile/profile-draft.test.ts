import { expect, test } from "vitest";
import { ownUser } from "#testing/own-user.ts";
import { changesOf, profileDraftOf, problemsOf } from "./use-profile-edit.ts";

const theo = ownUser({ nickname: "Theo", about: "Cook, cyclist.", location: "Bristol" });
const draft = profileDraftOf(theo);

test("only what was changed is saved, and blanks around a text are no change", () => {
  expect(changesOf(theo, draft)).toBeNull();
  expect(changesOf(theo, { ...draft, about: " Cook, cyclist. " })).toBeNull();
  expect(changesOf(theo, { ...draft, location: " Leeds ", searchable: 0 })).toEqual({
    location: "Leeds",
    searchable: 0,
  });
});

test("neither the name nor a written about-me can be emptied; the location can", () => {
  expect(problemsOf(theo, { ...draft, nickname: " ", about: "\n", location: "" })).toEqual({
    nickname: { kind: "empty" },
    about: { kind: "empty" },
  });
});

test("an about-me that was never written does not keep other fields from being saved", () => {
  const silent = ownUser({ about: "" });
  expect(problemsOf(silent, { ...profileDraftOf(silent), location: "Leeds" })).toEqual({});
});

test("a way to be reached outside is told while typing, for each field", () => {
  const typed = { ...draft, about: "Ask me about sourdough or call 0770 900 1234", location: "write a@b.com" };
  expect(problemsOf(theo, typed)).toEqual({
    about: { kind: "found", finding: "phone" },
    location: { kind: "found", finding: "email" },
  });
});

test("a text that nobody can see is told for each field before it is sent", () => {
  const unseen = { kind: "found", finding: "invisible_text" };
  expect(problemsOf(theo, { ...draft, nickname: "\u3164", about: "\u2800", location: "\u200b" })).toEqual({
    nickname: unseen,
    about: unseen,
    location: unseen,
  });
});

test("what was stored before is not complained about", () => {
  const old = ownUser({ about: "call 0770 900 1234" });
  expect(problemsOf(old, { ...profileDraftOf(old), location: "Leeds" })).toEqual({});
});
