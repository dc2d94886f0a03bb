import { isolate } from "#lib/format.ts";
import { currentLanguage } from "#lib/i18n.ts";
import { numberFormat } from "#lib/intl.ts";

const steps = [
  { unit: "megabyte", bytes: 1_048_576 },
  { unit: "kilobyte", bytes: 1_024 },
  { unit: "byte", bytes: 1 },
] as const;

/** The size of a file in the largest unit that it reaches: 4.2 MB, 8 MB, 640 kB. A megabyte is 1,048,576 bytes. */
export function formatSize(bytes: number): string {
  const { unit, bytes: unitBytes } = steps.find((step) => bytes >= step.bytes) ?? steps[2];
  const format = numberFormat(currentLanguage(), { style: "unit", unit, maximumFractionDigits: 1 });
  return isolate(format(bytes / unitBytes));
}

/** A percentage, 0 to 100, in the notation of the language: 62%. `digits`: fraction digits at most. */
export function formatPercent(percent: number, digits = 0): string {
  return isolate(numberFormat(currentLanguage(), { style: "percent", maximumFractionDigits: digits })(percent / 100));
}
