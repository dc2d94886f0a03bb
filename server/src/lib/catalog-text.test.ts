import { expect, test } from "vitest";
import { interfaceLanguages } from "@fava/wire/languages.ts";
import { banReasonIds, reportReasonIds } from "@fava/wire/reasons.ts";
import { catalogText } from "./catalog-text.ts";

test.each(interfaceLanguages)("has all texts of the server in $value", ({ value: language }) => {
  const reasons = reportReasonIds.map((id) => catalogText(language, `reason.report.${id}`));
  const outcomes = ["acted", "nothing_found", "warned"].flatMap((outcome) =>
    reasons.map((reason) => catalogText(language, `report.outcome.${outcome}`, { reason })),
  );
  const bans = [...banReasonIds, "other"].map((id) => catalogText(language, `ban.reason.${id}`));
  for (const text of [...reasons, ...outcomes, ...bans]) expect(text).toMatch(/^[^{}]+$/);
});

test("uses English for an unknown language, and never takes it for a file path", () => {
  expect(catalogText("xx", "ban.reason.3")).toBe("Spam");
  expect(catalogText("../../package", "ban.reason.2")).toBe("Harassment");
});

test("throws for a key without a text", () => {
  expect(() => catalogText("en", "ban.reason.99")).toThrow("ban.reason.99");
});
