import { expect, test } from "vitest";
import { acceptedLanguages } from "./web-app.ts";

test("sorts the languages of a header by their weight", () => {
  expect(acceptedLanguages("tr-TR,tr;q=0.9,en;q=0.8")).toEqual(["tr-TR", "tr", "en"]);
  expect(acceptedLanguages("en;q=0.5, ar , id;q=0.7")).toEqual(["ar", "id", "en"]);
  expect(acceptedLanguages("*, de;q=0, fr;q=x, tr;q=0.1")).toEqual(["tr"]);
  expect(acceptedLanguages("")).toEqual([]);
});

test("reads only a few languages of an endless header", () => {
  expect(acceptedLanguages("tr,".repeat(10_000)).length).toBeLessThan(100);
});
