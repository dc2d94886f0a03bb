import { expect, test } from "vitest";
import { appealRow, claimOf } from "#testing/desk-makers.ts";
import { appealClosed, keyOf } from "./appeals.ts";

const second = appealRow("1", { kind: "second", hours: 0 });
const open = { closed_because: null };

test("own first decisions are open to read and closed to decide", () => {
  expect(appealClosed(second, open, true)).toBeNull();
  expect(appealClosed({ ...second, is_own: true }, open, true)).toBe("first_decider");
});

test("an item that somebody else has claimed cannot be decided, one's own can", () => {
  expect(appealClosed({ ...second, claim: claimOf("Vera") }, open, true)).toBe("claimed");
  expect(appealClosed({ ...second, claim: claimOf(null) }, { closed_because: "claimed" }, true)).toBeNull();
});

test("what is decided, or not there yet, cannot be decided", () => {
  expect(appealClosed(second, { closed_because: "decided" }, true)).toBe("decided");
  expect(appealClosed(second, null, true)).toBe("not-open");
  expect(appealClosed(null, null, true)).toBe("not-open");
});

test("offline nothing is decided", () => {
  expect(appealClosed(second, open, false)).toBe("offline");
});

test("second opinions and appeals with the same number are counted apart", () => {
  expect(keyOf(second)).not.toBe(keyOf(appealRow("1")));
});
