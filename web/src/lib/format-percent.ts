import { isolate } from "#lib/format.ts";
import { currentLanguage } from "#lib/i18n.ts";
import { numberFormat } from "#lib/intl.ts";

/** Percent of 0 to 100, as the language writes it: 62%. `digits`: behind the point, at most. */
export function formatPercent(percent: number, digits = 0): string {
  return isolate(numberFormat(currentLanguage(), { style: "percent", maximumFractionDigits: digits })(percent / 100));
}
