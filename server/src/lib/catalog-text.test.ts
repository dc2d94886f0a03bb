import { expect, test } from "vitest";
import { interfaceLanguages } from "@fava/wire/languages.ts";
import { banReasonIds, reportReasonIds } from "@fava/wire/reasons.ts";
import { catalogText } from "./catalog-text.ts";

test.each(interfaceLanguages)("what the server says itself is whole in $value", ({ value: language }) => {
  const reasons = reportReasonIds.map((id) => catalogText(language, `reason.report.${id}`));
  const outcomes = ["acted", "nothing_found", "warned"].flatMap((outcome) =>
    reasons.map((reason) => catalogText(language, `report.outcome.${outcome}`, { reason })),
  );
  const bans = [...banReasonIds, "other"].map((id) => catalogText(language, `ban.reason.${id}`));
  for (const text of [...reasons, ...outcomes, ...bans]) expect(text).toMatch(/^[^{}]+$/);
});

test("an unknown language is English, and never an address of a file", () => {
  expect(catalogText("xx", "ban.reason.3")).toBe("Spam");
  expect(catalogText("../../package", "ban.reason.2")).toBe("Harassment");
});

test("a key that no catalog has is a fault", () => {
  expect(() => catalogText("en", "ban.reason.99")).toThrow("ban.reason.99");
});
