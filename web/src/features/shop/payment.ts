import { useStore } from "zustand";
import { orderStatus, type Order } from "@fava/wire/endpoints/shop.ts";
import { majorText } from "@fava/wire/money.ts";
import { call } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { chargeStatus } from "#lib/charge-status.ts";
import { formatBeans } from "#lib/format.ts";
import { GatewayFailure, requestPayment } from "#lib/gateway.ts";
import { t } from "#lib/i18n.ts";
import { isOverlayOpen } from "#lib/overlays.ts";
import { currentUser, refreshUser, session } from "#lib/session.ts";
import { onStoredElsewhere, readStored, writeStored } from "#lib/storage.ts";
import { showToast } from "#ui/toast-store.ts";
import { PaymentController, type PaymentPorts } from "./payment-controller.ts";
import type { PaymentState } from "./payment-state.ts";
import { openPaymentWindow } from "./payment-window.ts";
import { rememberedOrder, rememberOrder } from "./waiting-order.ts";

const ports: PaymentPorts = {
  openWindow: openPaymentWindow,
  requestLink: async ({ purchase, method }) => {
    const user = currentUser();
    if (!user || !method) throw new GatewayFailure("bad_token");
    return requestPayment(user, purchase, method);
  },
  problemOf: (error) => {
    if (error instanceof GatewayFailure) return error.reason;
    return error instanceof CallFailure ? "silence" : undefined;
  },
  askOrder,
  fetchBalance: async () => {
    const user = await refreshUser().catch(unlessSilent);
    return user?.credit5 ?? null;
  },
  setChargeStatus: (value) => writeStored("chargeStatus", value),
  setPrice: ({ purchase }) =>
    writeStored("rechargePrice", majorText(BigInt(purchase.priceMinor), purchase.currencyCode)),
  rememberOrder: (orderNo) => rememberOrder(currentUser()?.user_id ?? 0, orderNo),
  isHidden: () => document.visibilityState === "hidden",
  tellEnd,
};

/** The one payment of this page: it goes on when its dialog is closed, and ends with the page. */
export const payments = new PaymentController(ports);

export function usePayment(): PaymentState {
  return useStore(payments.store);
}

/** Takes up the payment that was waiting when the page was loaded anew. */
export async function restorePayment(): Promise<void> {
  const user = currentUser();
  const orderNo = user && rememberedOrder(user.user_id);
  if (!orderNo || payments.store.getState().name !== "idle") return;
  const order = await askOrder(orderNo, false);
  if (order) payments.dispatch({ type: "restored", order });
}

/** What became of an order; null when the server does not say, or says that it is not this person's. */
export async function askOrder(orderNo: string, check: boolean): Promise<Order | null> {
  const user = currentUser();
  if (!user) return null;
  const input = { user_id: user.user_id, order_no: orderNo, ...(check && { check: 1 as const }) };
  return (await call(orderStatus, input, { quiet: true }).catch(unlessSilent)) ?? null;
}

function unlessSilent(error: unknown): undefined {
  if (!(error instanceof CallFailure)) throw error;
}

/** Where the dialog is closed, a toast says how the payment ended. */
function tellEnd(state: PaymentState): void {
  if (isOverlayOpen("payment")) return;
  if (state.name === "complete") {
    showToast({ type: "success", text: t("pay.toastComplete", { count: formatBeans(state.order.beans) }) });
  } else if (state.name === "review") showToast({ type: "info", text: t("pay.toastReview") });
  else showToast({ type: "warning", text: t("pay.toastFailed") });
}

session.subscribe((now, before) => {
  const [user, previous] = [now, before].map((state) => (state.status === "signed-in" ? state.user : null));
  if (user?.user_id !== previous?.user_id) {
    if (now.status !== "restoring") payments.dispatch({ type: "reset" });
  } else if (user && user.credit5 !== previous?.credit5) {
    payments.dispatch({ type: "news" });
    payments.dispatch({ type: "balance", beans: user.credit5 });
  }
});
onStoredElsewhere("chargeStatus", () => {
  if (readStored("chargeStatus") === chargeStatus.paid) payments.dispatch({ type: "news" });
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") payments.looked();
});
