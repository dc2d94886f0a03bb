import { expect, test } from "vitest";
import { widerWishes } from "./wider-wishes.ts";

test("[MATCH-7] two filters can be widened one by one or together", () => {
  expect(widerWishes({ sex: 2, country: 18 })).toEqual([
    { sex: 2, country: -1 },
    { sex: 0, country: 18 },
    { sex: 0, country: -1 },
  ]);
});

test("[MATCH-7] one filter can only be given up, and a search without filters has nothing to widen", () => {
  expect(widerWishes({ sex: 1, country: -1 })).toEqual([{ sex: 0, country: -1 }]);
  expect(widerWishes({ sex: 0, country: 18 })).toEqual([{ sex: 0, country: -1 }]);
  expect(widerWishes({ sex: 0, country: -1 })).toEqual([]);
  expect(widerWishes({ sex: 0, country: 0 })).toEqual([]);
});
