import { useEffect, useReducer } from "react";
import { type Order, orderStatus } from "@fava/wire/endpoints/shop.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { call } from "#lib/api/call.ts";
import { openOverlay } from "#lib/overlays.ts";
import { useUser } from "#lib/session.ts";

type LoadedOrder = { status: "loading" } | { status: "failed" } | { status: "ready"; order: Order };

/** An order of the signed-in person; `retry` asks again. */
export function useOrder(orderNo: string): { state: LoadedOrder; retry: () => void } {
  const userId = useUser()?.user_id;
  const [{ state, attempt }, change] = useReducer(
    (before: { state: LoadedOrder; attempt: number }, next: LoadedOrder) => ({
      state: next,
      attempt: before.attempt + (next.status === "loading" ? 1 : 0),
    }),
    { state: { status: "loading" }, attempt: 0 },
  );
  useEffect(() => {
    if (userId === undefined) return undefined;
    const owner = new AbortController();
    call(orderStatus, { user_id: userId, order_no: orderNo }, { quiet: true, signal: owner.signal }).then(
      (order) => change({ status: "ready", order }),
      (error: unknown) => {
        if (!(error instanceof CallFailure)) throw error;
        if (error.reason !== "aborted") change({ status: "failed" });
      },
    );
    return () => owner.abort();
  }, [userId, orderNo, attempt]);
  return { state, retry: () => change({ status: "loading" }) };
}

/** The purchase whose receipt or withdrawal is open; the dialogs are opened by name and cannot be told. */
let orderNo = "";

export function chosenOrder(): string {
  return orderNo;
}

export function showReceipt(order: string): void {
  orderNo = order;
  void openOverlay("receipt");
}

/** `done`: it was withdrawn. */
export function askToWithdraw(order: string): Promise<"done" | "closed"> {
  orderNo = order;
  return openOverlay("withdraw");
}
