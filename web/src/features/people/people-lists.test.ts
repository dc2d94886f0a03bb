import { expect, test } from "vitest";
import type { Person } from "@fava/wire/people.ts";
import { countOf } from "./people-lists.ts";
import type { Relation } from "./relations.ts";

const person = (user_id: number) => ({ user_id }) as Person;
const rows = [person(1), person(2)];
const list = { rows, first: { rows, next: "b", total: 40 } };
const stranger: Relation = { followStatus: 0, likeStatus: 0, presence: null, hidden: false };

test("a count is the server's, without those who have left the list since", () => {
  expect(countOf("following", list, new Map())).toBe(40);
  const left = new Map([[1, stranger]]);
  expect(countOf("following", list, left)).toBe(39);
  expect(countOf("friends", list, left)).toBe(39);
  expect(countOf("likes", list, left)).toBe(39);
  expect(countOf("fans", list, left)).toBe(40);
  expect(countOf("fans", list, new Map([[2, { ...stranger, hidden: true }]]))).toBe(39);
});

test("a list that is not there has no count", () => {
  expect(countOf("fans", undefined, new Map())).toBeNull();
});
