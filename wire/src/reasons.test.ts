import { expect, test } from "vitest";
import {
  banReasonIds,
  banReasonOf,
  harmOf,
  queueOf,
  reasonsOfferedIn,
  reportReasonIds,
  reportReasonOf,
} from "./reasons.ts";

test("[BAN-3] numbers ban reasons 1 to 8", () => {
  expect(banReasonIds).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test("derives harm and queue from the reason", () => {
  expect(reportReasonIds.map((id) => [id, harmOf(id), queueOf(id)])).toEqual([
    [4, 1, "reports"],
    [5, 2, "reports"],
    [6, 3, "reports"],
    [7, 3, "reports"],
    [8, 1, "restricted"],
    [9, 1, "reports"],
    [10, 4, "reports"],
    [11, 3, "reports"],
  ]);
});

test("maps a report reason to its ban reason, and back", () => {
  expect(reportReasonIds.map((id) => [id, banReasonOf(id)])).toEqual([
    [4, 1],
    [5, 2],
    [6, 3],
    [7, 4],
    [8, 5],
    [9, 6],
    [10, 7],
    [11, 8],
  ]);
  expect(reportReasonIds.map((id) => reportReasonOf(banReasonOf(id)))).toEqual(reportReasonIds);
});

test("offers reasons in the order of their ids, and after the panic key the general one last", () => {
  const offered = (list: Parameters<typeof reasonsOfferedIn>[0]) => reasonsOfferedIn(list).map(({ id }) => id);
  expect(offered("report")).toEqual(reportReasonIds);
  expect(offered("panic")).toEqual([4, 5, 9, 8, 11, 7]);
  expect(offered("ban")).toEqual(reportReasonIds.filter((id) => id !== 10));
});
