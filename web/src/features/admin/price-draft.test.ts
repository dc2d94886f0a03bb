import { expect, test } from "vitest";
import { priceDraftOf, readPriceDraft } from "./PriceForm.tsx";

const current = { gender: 1_600, country: 800, both: 2_000 };
const drafted = (fields: Partial<Record<keyof typeof current, string>>) =>
  readPriceDraft({ ...priceDraftOf(current), ...fields }, current);

test("changes nothing while the fields are unchanged", () => {
  expect(readPriceDraft(priceDraftOf(current), current)).toEqual({ kind: "unchanged" });
});

test("names a change with the old and the new price", () => {
  expect(drafted({ country: "700" })).toEqual({
    kind: "changed",
    prices: { gender: 1_600, country: 700, both: 2_000 },
    changes: [{ name: "country", before: 800, after: 700 }],
    drastic: false,
  });
});

test.each(["0", "799"])("asks for a confirmation of a gender price of %s", (gender) => {
  expect(drafted({ gender, both: "700" })).toMatchObject({ kind: "changed", drastic: true });
});

test.each(["", "-1", "1.5", "1e3", "1000001", "beans"])("rejects the price %j", (gender) => {
  expect(drafted({ gender })).toEqual({ kind: "wrong", field: "gender", why: "number" });
});

test("[BEANS-1] never lets both filters together cost more than the two", () => {
  expect(drafted({ both: "2401" })).toEqual({ kind: "wrong", field: "both", why: "both" });
});
