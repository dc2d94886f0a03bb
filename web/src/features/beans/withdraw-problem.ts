import { codes } from "@fava/wire/codes.ts";
import type { CallFailure } from "#lib/api/call-failure.ts";
import type { Key } from "#lib/i18n.ts";

/** Why a withdrawal did not come about. Silence is not a no: the refund may be on its way (rule BEANS-366). */
export function problemOf({ code, reason }: Pick<CallFailure, "code" | "reason">): Key {
  if (code === codes.refused && reason === "refund_failed") return "withdraw.refused";
  if (code === codes.refused || code === codes.badInput) return "withdraw.gone";
  return code === codes.slowDown ? "withdraw.slow" : "withdraw.silence";
}
