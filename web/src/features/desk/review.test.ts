import { expect, test } from "vitest";
import { claimOf, deskNowMs } from "#testing/desk-makers.ts";
import {
  belongsTo,
  isCovered,
  type ReviewState,
  pictureMovedBy,
  nextWaiting,
  pictureClosed,
  type PictureFilter,
  type PictureRow,
  approvableTogether,
} from "./review.ts";

function row(id: string, why: PictureRow["why"], change: Partial<PictureRow> = {}): PictureRow {
  return {
    id,
    user_id: 1,
    user_no: "1",
    nickname: id,
    url: `/media/${id}.webp`,
    thumb: `/media/${id}-s.webp`,
    status: "pending",
    reason_id: null,
    at: deskNowMs,
    joined_at: deskNowMs,
    why,
    explicit: null,
    earlier: { approved: 0, rejected: 0 },
    claim: null,
    ...change,
  };
}

const rows = [
  row("a", "random"),
  row("b", "unsure"),
  row("c", "reported"),
  row("d", "random"),
  row("e", "contact"),
  row("f", "new", { explicit: 0.02 }),
  row("g", "new"),
];
const [first, flagged] = rows as [PictureRow, PictureRow];

const state = (change: Partial<ReviewState> = {}): ReviewState => ({
  isBlurred: true,
  byHand: new Map(),
  seen: new Set(),
  decided: new Map(),
  isOnline: true,
  ...change,
});

test("filters the images by the reason for their review", () => {
  const shown = (filter: PictureFilter) => rows.filter((one) => belongsTo(filter, one)).map(({ id }) => id);
  expect(shown("all")).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
  expect(shown("unsure")).toEqual(["b", "e"]);
  expect(shown("reported")).toEqual(["c"]);
  expect(shown("random")).toEqual(["a", "d"]);
});

test("covers flagged and unchecked images at first; the others are clear", () => {
  expect(rows.map((one) => isCovered(state(), one))).toEqual([false, true, true, false, true, false, true]);
  expect(isCovered(state({ byHand: new Map([["b", false]]) }), flagged)).toBe(false);
});

test("neither approves nor rejects an image that was not shown", () => {
  expect(pictureClosed(state(), flagged)).toBe("unseen");
  expect(pictureClosed(state({ seen: new Set(["b"]) }), flagged)).toBeNull();
});

test("shows everything to a moderator who turned the covers off, who can still cover an image", () => {
  expect(rows.some((one) => isCovered(state({ isBlurred: false }), one))).toBe(false);
  const covered = state({ isBlurred: false, byHand: new Map([["b", true]]) });
  expect(rows.filter((one) => isCovered(covered, one)).map(({ id }) => id)).toEqual(["b"]);
});

test("approves only the random checks that were seen together", () => {
  const ids = (now: ReviewState) => approvableTogether(now, rows).map(({ id }) => id);
  expect(ids(state({ seen: new Set(["a", "b"]) }))).toEqual(["a"]);
  expect(ids(state({ seen: new Set(["a", "b", "d"]) }))).toEqual(["a", "d"]);
  expect(ids(state())).toEqual([]);
});

test("selects the next waiting image after a decision, from there on and then from the first", () => {
  expect(nextWaiting(rows, 0, new Map([["a", 1]]))?.id).toBe("b");
  expect(nextWaiting(rows, 6, new Map([["g", 1]]))?.id).toBe("a");
  const taken = [first, row("b", "unsure", { claim: claimOf("Vera") }), row("c", "reported")];
  expect(nextWaiting(taken, 0, new Map([["a", 1]]))?.id).toBe("c");
  expect(nextWaiting([first], 0, new Map([["a", 1]]))).toBeNull();
});

test("decides nothing offline", () => {
  expect(pictureClosed(state({ seen: new Set(["a"]), isOnline: false }), first)).toBe("offline");
});

test("rejects a decision on another moderator's image, and on a decided one", () => {
  const seen = new Set(["a"]);
  expect(pictureClosed(state({ seen }), { ...first, claim: claimOf("Vera") })).toBe("claimed");
  expect(pictureClosed(state({ seen }), { ...first, claim: claimOf(null) })).toBeNull();
  expect(pictureClosed(state({ seen, decided: new Map([["a", 1]]) }), first)).toBe("marked");
});

test("stops the arrow keys at both ends", () => {
  expect(pictureMovedBy(rows, 0, -1)?.id).toBe("a");
  expect(pictureMovedBy(rows, 0, 9)?.id).toBe("g");
  expect(pictureMovedBy([], -1, 1)).toBeNull();
});
