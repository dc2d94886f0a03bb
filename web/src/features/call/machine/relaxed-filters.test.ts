import { expect, test } from "vitest";
import { relaxedFilters } from "./relaxed-filters.ts";

test("[MATCH-7] widens two filters one by one or together", () => {
  expect(relaxedFilters({ sex: 2, country: 18 })).toEqual([
    { sex: 2, country: -1 },
    { sex: 0, country: 18 },
    { sex: 0, country: -1 },
  ]);
});

test("[MATCH-7] drops a single filter, and widens nothing in an unfiltered search", () => {
  expect(relaxedFilters({ sex: 1, country: -1 })).toEqual([{ sex: 0, country: -1 }]);
  expect(relaxedFilters({ sex: 0, country: 18 })).toEqual([{ sex: 0, country: -1 }]);
  expect(relaxedFilters({ sex: 0, country: -1 })).toEqual([]);
  expect(relaxedFilters({ sex: 0, country: 0 })).toEqual([]);
});
