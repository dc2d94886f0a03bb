import { banReasonIds } from "@fava/wire/reasons.ts";
import type { Translate } from "#lib/i18n.ts";

/** The reason of a ban in words; one that the lists do not know is "Incorrect content". */
export function banReasonText(t: Translate, reasonId: number): string {
  const known = banReasonIds.find((id) => id === reasonId);
  return t(known ? `ban.reason.${known}` : "ban.reason.other");
}
