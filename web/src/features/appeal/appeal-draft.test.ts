import { beforeEach, expect, test } from "vitest";
import { clearForSignOut, readStored, writeStored } from "#lib/storage.ts";
import { dropDraft, keepDraft, keptAppealDraft } from "./appeal-form.ts";

const token = "12.1767225600000.abcdefgh";
beforeEach(() => dropDraft());

test("keeps a draft until it is sent, for its own ban only, and without the token", () => {
  expect(keptAppealDraft(token)).toEqual({ ground: null, text: "" });
  keepDraft(token, { ground: 2, text: "We were joking." });
  expect(keptAppealDraft(token)).toMatchObject({ ground: 2, text: "We were joking." });
  expect(keptAppealDraft("13.1767225600000.abcdefgh")).toEqual({ ground: null, text: "" });
  expect(readStored("appealDraft")).not.toContain(token);
  dropDraft();
  expect(keptAppealDraft(token)).toEqual({ ground: null, text: "" });
});

test("keeps the draft when another sign-in creates a new token of the ban", () => {
  keepDraft(token, { ground: 2, text: "We were joking." });
  clearForSignOut({ byBan: true });
  expect(keptAppealDraft("12.1767312000000.ijklmnop")).toMatchObject({ ground: 2, text: "We were joking." });
  clearForSignOut();
  expect(keptAppealDraft(token)).toEqual({ ground: null, text: "" });
});

test("ignores an invalid stored draft", () => {
  for (const wrong of ["{", '"text"', '{"of":"12","ground":9,"text":""}']) {
    writeStored("appealDraft", wrong);
    expect(keptAppealDraft(token)).toEqual({ ground: null, text: "" });
  }
});
