import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { codes } from "@fava/wire/codes.ts";
import { type Order, orderStatus } from "@fava/wire/endpoints/shop.ts";
import type { RequestFailure } from "#lib/api/request-failure.ts";
import type { Key } from "#lib/i18n.ts";
import { openOverlay } from "#lib/overlays.ts";
import { useEndpointQuery } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";

/** The purchase of the open receipt or withdrawal; dialogs are opened by name and take no arguments. */
let orderNo = "";

/** The purchase for which the dialog was opened. */
export function useChosenOrder(): UseQueryResult<Order> {
  const [chosen] = useState(() => orderNo);
  const userId = useUser()?.user_id;
  return useEndpointQuery(orderStatus, userId === undefined ? null : { user_id: userId, order_no: chosen });
}

export function showReceipt(order: string): void {
  orderNo = order;
  void openOverlay("receipt");
}

/** Resolves to `done` if it was withdrawn. */
export function askToWithdraw(order: string): Promise<"done" | "closed"> {
  orderNo = order;
  return openOverlay("withdraw");
}

/** Why a withdrawal failed. A missing response is no rejection: the refund may be on its way. */
export function withdrawProblem({ code, reason }: Pick<RequestFailure, "code" | "reason">): Key {
  if (code === codes.refused && reason === "refund_failed") return "withdraw.refused";
  if (code === codes.refused || code === codes.badInput) return "withdraw.gone";
  return code === codes.slowDown ? "withdraw.slow" : "withdraw.silence";
}
