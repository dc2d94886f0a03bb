import { expect, test } from "vitest";
import { ExportTooLargeError, ExportZip } from "./export-writer.ts";

test("an export of more than 64 MB is given up, before the memory of all is taken", () => {
  const zip = new ExportZip(new Date("2026-11-21"));
  const bytes = new Uint8Array(22_000_000);
  zip.addBytes("one", bytes);
  zip.addBytes("two", bytes);
  expect(() => zip.addBytes("three", bytes)).toThrow(ExportTooLargeError);
});
