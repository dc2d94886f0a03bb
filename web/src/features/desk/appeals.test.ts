import { expect, test } from "vitest";
import { appealRow, claimOf } from "#testing/desk-makers.ts";
import { appealClosed, keyOf } from "./appeals.ts";

const second = appealRow("1", { kind: "second", hours: 0 });
const open = { closed_because: null };

test("lets a moderator read their own first decisions but not decide them again", () => {
  expect(appealClosed(second, open, true)).toBeNull();
  expect(appealClosed({ ...second, is_own: true }, open, true)).toBe("first_decider");
});

test("rejects a decision on an item that another moderator has claimed, and allows one on an own claim", () => {
  expect(appealClosed({ ...second, claim: claimOf("Vera") }, open, true)).toBe("claimed");
  expect(appealClosed({ ...second, claim: claimOf(null) }, { closed_because: "claimed" }, true)).toBeNull();
});

test("rejects a decision on an item that is decided already, or not loaded yet", () => {
  expect(appealClosed(second, { closed_because: "decided" }, true)).toBe("decided");
  expect(appealClosed(second, null, true)).toBe("not-open");
  expect(appealClosed(null, null, true)).toBe("not-open");
});

test("rejects decisions offline", () => {
  expect(appealClosed(second, open, false)).toBe("offline");
});

test("counts second opinions and appeals with the same number separately", () => {
  expect(keyOf(second)).not.toBe(keyOf(appealRow("1")));
});
