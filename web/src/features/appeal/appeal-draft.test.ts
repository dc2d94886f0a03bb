import { beforeEach, expect, test } from "vitest";
import { readStored, writeStored } from "#lib/storage.ts";
import { dropDraft, keepDraft, keptAppealDraft } from "./appeal-form.ts";

const token = "12.1767225600000.abcdefgh";
beforeEach(() => dropDraft());

test("[APPEAL-52] a draft is kept until it is sent, for its own ban alone, and without the token", () => {
  expect(keptAppealDraft(token)).toEqual({ ground: null, text: "" });
  keepDraft(token, { ground: 2, text: "We were joking." });
  expect(keptAppealDraft(token)).toMatchObject({ ground: 2, text: "We were joking." });
  expect(keptAppealDraft("13.1767225600000.other-en")).toEqual({ ground: null, text: "" });
  expect(readStored("appealDraft")).not.toContain(token);
  dropDraft();
  expect(keptAppealDraft(token)).toEqual({ ground: null, text: "" });
});

test("[APPEAL-52] what was stored and makes no sense is no draft", () => {
  for (const wrong of ["{", '"text"', '{"of":"abcdefgh","ground":9,"text":""}']) {
    writeStored("appealDraft", wrong);
    expect(keptAppealDraft(token)).toEqual({ ground: null, text: "" });
  }
});
