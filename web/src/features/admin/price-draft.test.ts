import { expect, test } from "vitest";
import { priceDraftOf, readPriceDraft } from "./PriceForm.tsx";

const current = { gender: 1_600, country: 800, both: 2_000 };
const drafted = (fields: Partial<Record<keyof typeof current, string>>) =>
  readPriceDraft({ ...priceDraftOf(current), ...fields }, current);

test("fields as they came change nothing", () => {
  expect(readPriceDraft(priceDraftOf(current), current)).toEqual({ kind: "unchanged" });
});

test("a change is named with old and new price", () => {
  expect(drafted({ country: "700" })).toEqual({
    kind: "changed",
    prices: { gender: 1_600, country: 700, both: 2_000 },
    changes: [{ name: "country", before: 800, after: 700 }],
    drastic: false,
  });
});

test.each(["0", "799"])("a gender price of %s is asked once more", (gender) => {
  expect(drafted({ gender, both: "700" })).toMatchObject({ kind: "changed", drastic: true });
});

test.each(["", "-1", "1.5", "1e3", "1000001", "beans"])("the price %j is refused", (gender) => {
  expect(drafted({ gender })).toEqual({ kind: "wrong", field: "gender", why: "number" });
});

test("[BEANS-1] both together never cost more than the two", () => {
  expect(drafted({ both: "2401" })).toEqual({ kind: "wrong", field: "both", why: "both" });
});
