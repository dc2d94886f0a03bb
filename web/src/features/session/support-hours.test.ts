import { expect, test } from "vitest";
import { localSupportHours } from "./ContactSheet.tsx";

const nowMs = Date.parse("2026-11-21T12:00:00Z");
const inZone = (timeZone: string) => {
  const { first, last, from, to, overMidnight } = localSupportHours({ nowMs, language: "en", timeZone });
  return `${first} to ${last}, ${from} to ${to}${overMidnight ? " the next day" : ""}`;
};

test.each([
  ["UTC", "Monday to Friday, 02:00 to 10:00"],
  ["Asia/Shanghai", "Monday to Friday, 10:00 to 18:00"],
  ["Asia/Kolkata", "Monday to Friday, 07:30 to 15:30"],
  ["America/New_York", "Sunday to Thursday, 21:00 to 05:00 the next day"],
  ["America/Noronha", "Monday to Friday, 00:00 to 08:00"],
  ["Pacific/Kiritimati", "Monday to Friday, 16:00 to 00:00"],
  ["Pacific/Pago_Pago", "Sunday to Thursday, 15:00 to 23:00"],
])("converts the support hours in %s to %s", (timeZone, told) => {
  expect(inZone(timeZone)).toBe(told);
});

test("uses the summer time of the coming week", () => {
  const before = Date.parse("2026-03-25T12:00:00Z");
  const hours = localSupportHours({ nowMs: before, language: "en", timeZone: "Europe/Berlin" });
  expect(hours.from).toBe("04:00");
  expect(localSupportHours({ nowMs, language: "en", timeZone: "Europe/Berlin" }).from).toBe("03:00");
});

test("names the days in the language", () => {
  expect(localSupportHours({ nowMs, language: "ar", timeZone: "UTC" }).first).toBe("الاثنين");
  expect(localSupportHours({ nowMs, language: "tr", timeZone: "UTC" }).last).toBe("Cuma");
});

test("shows no second line in the GMT time zone", () => {
  const same = (timeZone: string) => localSupportHours({ nowMs, language: "en", timeZone }).sameAsGmt;
  expect([same("UTC"), same("Europe/London"), same("Asia/Kolkata")]).toEqual([true, true, false]);
});
