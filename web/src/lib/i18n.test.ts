import { reportReasonIds } from "@fava/wire/reasons.ts";
import { afterEach, expect, test, vi } from "vitest";
import { formatBeans, formatClock, formatMoney, isolate } from "#lib/format.ts";
import { formatDay, formatMoment, formatMonth } from "#lib/format-date.ts";
import { activateLanguage, currentLanguage, onLanguageChange, t } from "#lib/i18n.ts";
import { splitTags } from "#lib/rich-text.tsx";
import { readStored } from "#lib/storage.ts";

afterEach(() => activateLanguage("en"));

test("changes the texts with the language and stores the choice", async () => {
  await activateLanguage("tr");
  expect(currentLanguage()).toBe("tr");
  expect(t("common.close")).toBe("Kapat");
  expect(readStored("language")).toBe("tr");
});

test("publishes a change of language, and applies only the last request", async () => {
  const heard: string[] = [];
  const stop = onLanguageChange((language) => heard.push(language));
  await Promise.all([activateLanguage("ar"), activateLanguage("id")]);
  stop();
  expect(heard).toEqual(["id"]);
  expect(t("common.close")).toBe("Tutup");
});

test("loads the texts of the home screen first, and the others with the first lazy part", async () => {
  vi.resetModules();
  vi.stubGlobal("navigator", { languages: ["tr"] });
  vi.stubGlobal("location", { search: "" });
  const fresh = await import("#lib/i18n.ts");
  await fresh.activateInitialLanguage();
  vi.unstubAllGlobals();
  expect(fresh.currentLanguage()).toBe("tr");
  expect(fresh.t("common.close")).toBe("Kapat");
  expect(fresh.t("pay.title")).toBe("pay.title");
  await fresh.loadLazyTexts();
  expect(fresh.t("pay.title")).toBe("Ödeme");
});

test("updates lists of reasons on a change of language", async () => {
  const reasons = () => reportReasonIds.map((id) => t(`reason.report.${id}`));
  await activateLanguage("en");
  const english = reasons();
  await activateLanguage("el");
  // Nothing of the list is left in the previous language.
  expect(reasons().filter((reason) => english.includes(reason))).toEqual([]);
  expect(new Set(reasons()).size).toBe(reportReasonIds.length);
});

test("fills in values, and chooses plurals by the language", async () => {
  await activateLanguage("en");
  expect(t("appeal.count", { count: "1", max: "2" })).toBe("1 of 2 characters");
  expect(t("page.minutes", { count: 1, minutes: "1" })).toBe("1 minute to read");
  await activateLanguage("ar");
  expect(t("page.minutes", { count: 2, minutes: "2" })).toBe("القراءة في دقيقتين");
});

test("keeps a message with links inside as one message", () => {
  expect(splitTags("accept <terms>Terms</terms> and <privacy>Privacy</privacy>.")).toEqual([
    { tag: null, text: "accept " },
    { tag: "terms", text: "Terms" },
    { tag: null, text: " and " },
    { tag: "privacy", text: "Privacy" },
    { tag: null, text: "." },
  ]);
  expect(splitTags("no links, 1 < 2")).toEqual([{ tag: null, text: "no links, 1 < 2" }]);
});

test("writes numbers, money and dates in the active language", async () => {
  await activateLanguage("en");
  expect(formatBeans(48_200)).toBe("48,200");
  expect(formatMoney(999, "USD")).toBe("$9.99");
  expect(formatMoney(999, "JPY")).toBe("¥999");
  expect([formatMoney(1_609_900, "UGX"), formatMoney(1_609_950, "UGX")]).toEqual([
    "UGX\u00a016,099",
    "UGX\u00a016,099.50",
  ]);
  expect(formatDay("2006-10-28")).toBe("October 28, 2006");
  expect(formatMoment("2026-11-21T23:30:00Z")).toBe("November 21, 2026 at 11:30 PM UTC");
  expect(formatMonth(2)).toBe("February");
  expect([formatClock(5.9), formatClock(134), formatClock(3_725)]).toEqual(["0:05", "2:14", "1:02:05"]);
  await activateLanguage("tr");
  expect(formatDay("2006-10-28")).toBe("28 Ekim 2006");
});

test("isolates only the number in right-to-left languages", async () => {
  expect(isolate("1,600")).toBe("1,600");
  await activateLanguage("ar");
  expect(formatBeans(1_600)).toMatch(/^\u2068[^\u2068\u2069]+\u2069$/);
});
