import { expect, test } from "vitest";
import type { Person } from "@fava/wire/people.ts";
import { countOf } from "./people-lists.ts";
import type { Relation } from "./relations.ts";

const person = (user_id: number) => ({ user_id }) as Person;
const rows = [person(1), person(2)];
const list = { rows, first: { rows, next: "b", total: 40 } };
const stranger: Relation = { followStatus: 0, likeStatus: 0, presence: null, hidden: false };

test("counts as the server does, without those who left the list since", () => {
  expect(countOf("following", list, new Map())).toBe(40);
  const left = new Map([[1, stranger]]);
  expect(countOf("following", list, left)).toBe(39);
  expect(countOf("friends", list, left)).toBe(39);
  expect(countOf("likes", list, left)).toBe(39);
  expect(countOf("fans", list, left)).toBe(40);
  expect(countOf("fans", list, new Map([[2, { ...stranger, hidden: true }]]))).toBe(39);
});

test("has no count for a list that is not loaded", () => {
  expect(countOf("fans", undefined, new Map())).toBeNull();
});
