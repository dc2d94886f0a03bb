import { expect, test } from "vitest";
import { ExportTooLargeError, ExportZip } from "./export-writer.ts";

test("rejects an export of more than 64 MB before it exhausts the memory", () => {
  const zip = new ExportZip(new Date("2026-11-21"));
  const bytes = new Uint8Array(22_000_000);
  zip.addBytes("one", bytes);
  zip.addBytes("two", bytes);
  expect(() => zip.addBytes("three", bytes)).toThrow(ExportTooLargeError);
});
