import { useStore } from "zustand";
import { type Order, orderStatus } from "@fava/wire/endpoints/shop.ts";
import { majorText } from "@fava/wire/money.ts";
import { ignoreRequestFailure, RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { formatBeans } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { openOutsideWindow } from "#lib/outside-window.ts";
import { isOverlayOpen } from "#lib/overlays.ts";
import { currentUser, refreshUser, session } from "#lib/session.ts";
import { onStoredElsewhere, readStored, writeStored } from "#lib/storage.ts";
import { showToast } from "#ui/toast-store.ts";
import { chargeStatus } from "./charge-status.ts";
import { GatewayFailure, requestPayment } from "./gateway.ts";
import { PaymentController, type PaymentPorts } from "./payment-controller.ts";
import type { PaymentState } from "./payment-machine.ts";

const ports: PaymentPorts = {
  openWindow: (url) => openOutsideWindow({ title: t("pay.title"), text: t("pay.openingText") }, url),
  requestLink: async ({ purchase, method }) => {
    const user = currentUser();
    if (!user || !method) throw new GatewayFailure("bad_token");
    return requestPayment(user, purchase, method);
  },
  problemOf: (error) => {
    if (error instanceof GatewayFailure) return error.reason;
    return error instanceof RequestFailure ? "silence" : undefined;
  },
  askOrder,
  fetchBalance: async () => {
    const user = await refreshUser().catch(ignoreRequestFailure);
    return user?.credit5 ?? null;
  },
  setChargeStatus: (value) => writeStored("chargeStatus", value),
  setPrice: ({ purchase }) =>
    writeStored("rechargePrice", majorText(BigInt(purchase.priceMinor), purchase.currencyCode)),
  rememberOrder: (orderNo) => rememberOrder(currentUser()?.user_id ?? 0, orderNo),
  isHidden: () => document.visibilityState === "hidden",
  tellEnd,
};

/** The one payment of this page: it continues when its dialog closes, and ends with the page. */
export const payments = new PaymentController(ports);

export function usePayment(): PaymentState {
  return useStore(payments.store);
}

/** Restores the payment that was waiting when the page was reloaded. */
export async function restorePayment(): Promise<void> {
  const user = currentUser();
  const orderNo = user && rememberedOrder(user.user_id);
  if (!orderNo || payments.store.getState().name !== "idle") return;
  const order = await askOrder(orderNo, false);
  if (order) payments.dispatch({ type: "restored", order });
}

/** The state of an order; null without a response, or if it is not this user's. */
export async function askOrder(orderNo: string, check: boolean): Promise<Order | null> {
  const user = currentUser();
  if (!user) return null;
  const input = { user_id: user.user_id, order_no: orderNo, ...(check && { check: 1 as const }) };
  return (await request(orderStatus, input, { quiet: true }).catch(ignoreRequestFailure)) ?? null;
}

/** If the dialog is closed, a toast shows the result of the payment. */
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

/**
 * The order number of the waiting payment, for the life of the tab: a phone may discard the page while the payment
 * window is in front. If storing is denied, the statement shows the payment instead.
 */
const key = "waitingOrder";

function rememberOrder(userId: number, orderNo: string | null): void {
  try {
    if (orderNo === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, `${userId} ${orderNo}`);
  } catch (error) {
    console.info("could not store the payment", error);
  }
}

/** The number of this user's waiting order; null without one. */
function rememberedOrder(userId: number): string | null {
  try {
    const [owner, orderNo] = (sessionStorage.getItem(key) ?? "").split(" ", 2);
    return orderNo && owner === String(userId) ? orderNo : null;
  } catch (error) {
    console.info("could not read the stored payment", error);
    return null;
  }
}
