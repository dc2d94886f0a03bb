import { expect, test } from "vitest";
import { firstAsk, type Page, type PagedList, stepPaged } from "./people-lists.ts";

const keyOf = (row: number) => row;
const page = (rows: number[], next: string | null = null): Page<number> => ({ rows, next, total: 9 });
const loaded = (list: PagedList<number>, answer: Page<number>) =>
  stepPaged(list, { type: "loaded", ask: list.ask, page: answer, keyOf });
const two = loaded(firstAsk, page([1, 2], "b"));

test("[PEOPLE-116] more rows come after those that are shown, and nobody comes twice", () => {
  const asked = stepPaged(two, { type: "more" });
  expect(asked).toMatchObject({ ask: { cursor: "b" }, rows: [1, 2], more: "loading" });
  expect(stepPaged(asked, { type: "more" })).toBe(asked);
  expect(loaded(asked, page([2, 3]))).toMatchObject({ rows: [1, 2, 3], next: null, total: 9, more: "idle" });
});

test("[PEOPLE-116] a late answer to an older question changes nothing", () => {
  const anew = stepPaged(two, { type: "anew" });
  expect(stepPaged(anew, { type: "loaded", ask: two.ask, page: page([7]), keyOf })).toBe(anew);
  expect(stepPaged(anew, { type: "failed", ask: two.ask })).toBe(anew);
});

test("[PEOPLE-116] a failure is shown where there is nothing else, and beside the button for more", () => {
  expect(stepPaged<number>(firstAsk, { type: "failed", ask: firstAsk.ask })).toMatchObject({ status: "failed" });
  const asked = stepPaged(two, { type: "more" });
  expect(stepPaged(asked, { type: "failed", ask: asked.ask })).toMatchObject({ rows: [1, 2], more: "failed" });
});

test("[PEOPLE-116] a refresh keeps the rows until its answer takes their place, and where none comes", () => {
  const asked = stepPaged(two, { type: "refresh" });
  expect(asked).toMatchObject({ rows: [1, 2], ask: { cursor: undefined } });
  expect(loaded(asked, page([5, 1]))).toMatchObject({ rows: [5, 1] });
  expect(stepPaged(asked, { type: "failed", ask: asked.ask })).toMatchObject({ rows: [1, 2], more: "idle" });
});
