import { expect, test } from "vitest";
import { caseDetail, caseRow, claimOf, deskNowMs } from "#testing/desk-makers.ts";
import {
  closedBecause,
  nextUnclaimed,
  unclaimedBeside,
  isClaimOld,
  operateInput,
  caseToPrefetch,
  rowBeside,
  withOwnClaim,
} from "./cases.ts";
import { waitingRows } from "./desk-query.ts";

const byVera = claimOf("Vera");
const mine = claimOf(null);
const rows = [caseRow("a"), caseRow("b", { claim: byVera }), caseRow("c"), caseRow("d")];
const list = { data: { rows, first: { waiting: 4, oldest_at: deskNowMs } }, hasNextPage: false };
const open = caseDetail(caseRow("a"));

test("opens the next free case after a decision, otherwise the first free one", () => {
  expect(unclaimedBeside(rows, "a")?.id).toBe("c");
  expect(unclaimedBeside(rows, "d")?.id).toBe("a");
  expect(unclaimedBeside(rows, "elsewhere")?.id).toBe("a");
  expect(unclaimedBeside([caseRow("a"), caseRow("b", { claim: byVera })], "a")).toBeNull();
});

test("sends length, reason and note with a decision", () => {
  expect(operateInput(7, "a", { operation: 3 })).toEqual({ user_id: 7, id: "a", operation: 3 });
  expect(operateInput(7, "a", { operation: 4, hours: 168, reasonId: 2, note: "seen twice" })).toEqual({
    user_id: 7,
    id: "a",
    operation: 4,
    hours: 168,
    reason_id: 2,
    note: "seen twice",
  });
});

test("rejects decisions without a network", () => {
  expect(closedBecause(open, true)).toBeNull();
  expect(closedBecause(open, false)).toEqual({ because: "offline" });
  expect(closedBecause(null, true)).toEqual({ because: "not-open" });
});

test("shows a case that another moderator has claimed, and by whom, without letting it be decided", () => {
  expect(closedBecause({ ...open, claim: mine }, true)).toBeNull();
  expect(closedBecause({ ...open, claim: byVera }, true)).toEqual({ because: "lost", to: "Vera" });
  expect(closedBecause({ ...open, claim: byVera, closed_because: "claimed" }, true)).toEqual({
    because: "lost",
    to: "Vera",
  });
});

test("keeps a claim that is granted before the case is loaded", () => {
  expect(withOwnClaim(open, caseRow("a", { claim: mine })).claim).toEqual(mine);
  expect(withOwnClaim(open, caseRow("a", { claim: byVera })).claim).toBeNull();
  expect(withOwnClaim({ ...open, claim: byVera }, caseRow("a", { claim: mine })).claim).toEqual(byVera);
  expect(withOwnClaim(open, undefined).claim).toBeNull();
});

test("renews an own claim that has grown old on a key press", () => {
  expect(isClaimOld(mine, deskNowMs + 10_000)).toBe(false);
  expect(isClaimOld(mine, deskNowMs + 61_000)).toBe(true);
  expect(isClaimOld(byVera, deskNowMs + 61_000)).toBe(false);
  expect(isClaimOld(null, deskNowMs)).toBe(false);
});

test("rejects decisions about oneself, a colleague, or a decided case", () => {
  for (const because of ["own", "moderator", "decided", "administrators"] as const)
    expect(closedBecause({ ...open, closed_because: because }, true)).toEqual({ because });
  expect(closedBecause({ ...open, state: "second" }, true)).toEqual({ because: "second" });
});

test("prefetches the next free case, but none in the restricted queue, where each view is logged", () => {
  expect(caseToPrefetch("reports", rows, "a")).toBe("c");
  expect(caseToPrefetch("reports", rows, null)).toBe("a");
  expect(caseToPrefetch("reports", rows, "d")).toBeNull();
  expect(caseToPrefetch("restricted", rows, "a")).toBeNull();
});

test("moves by J and K from row to row and stops at both ends; the first press opens the first row", () => {
  expect(rowBeside(rows, "a", 1)?.id).toBe("b");
  expect(rowBeside(rows, "b", -1)?.id).toBe("a");
  expect(rowBeside(rows, "a", -1)).toBeNull();
  expect(rowBeside(rows, "d", 1)).toBeNull();
  expect(rowBeside(rows, null, -1)?.id).toBe("a");
  expect(nextUnclaimed(rows, "a")?.id).toBe("c");
});

test("keeps a decided case out of the list and the count when an older response arrives", () => {
  const left = waitingRows(list, new Map([["a", true]]));
  expect(left.waiting).toBe(3);
  expect(left.undecided.map(({ id }) => id)).toEqual(["b", "c", "d"]);
  // Once the server's list leaves the case out, the count is not reduced a second time.
  const newer = { ...list, data: { rows: rows.slice(1), first: { waiting: 3, oldest_at: deskNowMs } } };
  expect(waitingRows(newer, new Map([["a", true]])).waiting).toBe(3);
  const none = waitingRows(list, new Map(rows.map(({ id }) => [id, true])));
  expect([none.waiting, none.oldestAt]).toEqual([0, null]);
  // After Undo or a rejection by the server, the case is back in its place.
  expect(waitingRows(list, new Map()).undecided.map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
});
