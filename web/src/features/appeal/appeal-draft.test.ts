import { beforeEach, expect, test } from "vitest";
import { clearForSignOut, readStored, writeStored } from "#lib/storage.ts";
import { dropDraft, keepDraft, keptAppealDraft } from "./appeal-form.ts";

const token = "12.1767225600000.abcdefgh";
beforeEach(() => dropDraft());

test("a draft is kept until it is sent, for its own ban alone, and without the token", () => {
  expect(keptAppealDraft(token)).toEqual({ ground: null, text: "" });
  keepDraft(token, { ground: 2, text: "We were joking." });
  expect(keptAppealDraft(token)).toMatchObject({ ground: 2, text: "We were joking." });
  expect(keptAppealDraft("13.1767225600000.abcdefgh")).toEqual({ ground: null, text: "" });
  expect(readStored("appealDraft")).not.toContain(token);
  dropDraft();
  expect(keptAppealDraft(token)).toEqual({ ground: null, text: "" });
});

test("the sign-in that leads back to an appeal makes another token of its ban, and leaves what was written", () => {
  keepDraft(token, { ground: 2, text: "We were joking." });
  clearForSignOut({ byBan: true });
  expect(keptAppealDraft("12.1767312000000.ijklmnop")).toMatchObject({ ground: 2, text: "We were joking." });
  clearForSignOut();
  expect(keptAppealDraft(token)).toEqual({ ground: null, text: "" });
});

test("what was stored and makes no sense is no draft", () => {
  for (const wrong of ["{", '"text"', '{"of":"12","ground":9,"text":""}']) {
    writeStored("appealDraft", wrong);
    expect(keptAppealDraft(token)).toEqual({ ground: null, text: "" });
  }
});
