import { codes } from "@fava/wire/codes.ts";
import type { RequestFailure } from "#lib/api/request-failure.ts";
import type { Key } from "#lib/i18n.ts";

/** Why a withdrawal did not come about. Silence is not a no: the refund may be on its way (rule BEANS-366). */
export function withdrawProblem({ code, reason }: Pick<RequestFailure, "code" | "reason">): Key {
  if (code === codes.refused && reason === "refund_failed") return "withdraw.refused";
  if (code === codes.refused || code === codes.badInput) return "withdraw.gone";
  return code === codes.slowDown ? "withdraw.slow" : "withdraw.silence";
}
