import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzz } from "@fava/wire/testing/depth.ts";
import { DecimalNumber, plainDecimal, readJson, writeJson } from "./lossless-json.ts";

const text = fc.string({ unit: "binary", maxLength: 20 });

test("keeps every digit of a transaction id with 19 digits", () => {
  expect(readJson('{"txnId": 6850822175662776971, "list": [1, -2.50, 1.0E7], "text": "a \\" 12 \\\\"}')).toEqual({
    txnId: "6850822175662776971",
    list: ["1", "-2.50", "1.0E7"],
    text: 'a " 12 \\',
  });
});

test("throws for invalid JSON", () => {
  for (const text of ["", "{", "1 2", '{"a": 1"b"}', "nonsense", '{"a":01}x'])
    expect(() => readJson(text)).toThrow(SyntaxError);
});

test("writes an amount as a JSON number with all its digits", () => {
  const text = writeJson({ price: new DecimalNumber("9.90"), country: 360n, items: [true, null, 'a"b'] });
  expect(text).toBe('{"price":9.90,"country":360,"items":[true,null,"a\\"b"]}');
  expect(() => new DecimalNumber("9,90")).toThrow(RangeError);
  expect(() => new DecimalNumber('1,"x":2')).toThrow(RangeError);
});

test("reads back strings of any kind unchanged", () => {
  fc.assert(
    fc.property(fc.dictionary(text, fc.array(text, { maxLength: 3 }), { maxKeys: 5 }), (value) => {
      expect(JSON.parse(writeJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      expect(readJson(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    fuzz(100),
  );
});

test.each([
  ["1", "1"],
  ["9.99", "9.99"],
  ["5000.0", "5000.0"],
  ["1.0E7", "10000000"],
  ["1.2345E2", "123.45"],
  ["0.5e1", "5"],
  ["-1", null],
  ["1e-3", null],
  ["abc", null],
  ["", null],
])("writes the number %s as %s in plain digits", (text, plain) => {
  expect(plainDecimal(text)).toBe(plain);
});
