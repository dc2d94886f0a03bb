import { isolate } from "#lib/format.ts";
import type { Key, Translate } from "#lib/i18n.ts";

const known: Readonly<Record<string, Key>> = {
  "pay.card": "pay.card",
  "pay.bank": "pay.bank",
  "pay.wallet": "pay.wallet",
};

/** A payment method's name: a text of the catalogs, or a brand as it writes itself. */
export function payName(t: Translate, name: string): string {
  const key = known[name];
  if (key) return t(key);
  return name.startsWith("pay.") ? t("pay.other") : isolate(name);
}
