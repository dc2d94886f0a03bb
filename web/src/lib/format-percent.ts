import { isolate } from "#lib/format.ts";
import { currentLanguage } from "#lib/i18n.ts";

/** Whole percent of 0 to 100, as the language writes it: 62%. */
export function formatPercent(percent: number): string {
  const format = new Intl.NumberFormat(currentLanguage(), { style: "percent", maximumFractionDigits: 0 });
  return isolate(format.format(percent / 100));
}
