import { expect, test } from "vitest";
import { firstSignIns, orderedSignIns, type SignInRow } from "./AccountSheet.tsx";

const row = (at: number, current: 0 | 1 = 0): SignInRow => ({
  current,
  source: 1,
  login_type: 1,
  browser: "Chrome",
  system: "Linux",
  country_name: "Germany",
  at,
  ended_at: current ? null : at + 1,
  end_reason: current ? null : "kicked",
});

test("orders the current sign-in first, then the others from the newest on", () => {
  expect(orderedSignIns([row(3), row(1, 1), row(2), row(5)]).map(({ at }) => at)).toEqual([1, 5, 3, 2]);
});

test("shortens a long history, but hides no single row", () => {
  const rows = (count: number) => Array.from({ length: count }, (_, at) => row(at));
  expect(firstSignIns(rows(6))).toMatchObject({ hidden: 0 });
  expect(firstSignIns(rows(7))).toMatchObject({ hidden: 2 });
  expect(firstSignIns(rows(7)).shown).toHaveLength(5);
});
