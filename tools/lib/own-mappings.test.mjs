import { SourceMap } from "node:module";
import { expect, test } from "vitest";
import { ownMappings } from "./own-mappings.mjs";

/** Columns 0 and 30 of both lines come from our own file, column 10 from a package. */
const map = {
  version: 3,
  sources: ["../../src/main.ts", "../../../node_modules/package/index.js"],
  names: [],
  // [0 <- own 1:1], [10 <- package 1:1], [30 <- own 5:3]; the second line steps on from there.
  mappings: "AAAA,UCAA,oBDIE;AACA,UCLF,oBDKE",
};

function placeAt(mappings, line, column) {
  const { originalSource, originalLine } = new SourceMap({ ...map, mappings }).findEntry(line, column);
  return originalSource && `${originalSource}:${originalLine}`;
}

test("keeps only mappings of our own files in a source map", () => {
  const places = [
    [0, 0],
    [0, 9],
    [0, 10],
    [0, 29],
    [0, 30],
    [1, 0],
    [1, 12],
    [1, 31],
  ];
  const { mappings } = ownMappings(map, (source) => !source.includes("node_modules"));
  for (const [line, column] of places) {
    const before = placeAt(map.mappings, line, column);
    expect(placeAt(mappings, line, column)).toBe(before?.includes("node_modules") ? undefined : before);
  }
  expect(mappings.length).toBeLessThan(map.mappings.length);
});

test("leaves a source map of our own files unchanged", () => {
  expect(ownMappings(map, () => true)).toEqual(map);
});
