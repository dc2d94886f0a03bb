/**
 * Order number of the payment that waits, for as long as the tab lives: a phone may throw the page away while the
 * payment window is in front. Where storing is refused, the payment is found in the statement instead.
 */
const key = "waitingOrder";

export function rememberOrder(userId: number, orderNo: string | null): void {
  try {
    if (orderNo === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, `${userId} ${orderNo}`);
  } catch (error) {
    console.info("the waiting payment is not kept", error);
  }
}

/** Null without one, and for another person's. */
export function rememberedOrder(userId: number): string | null {
  try {
    const [owner, orderNo] = (sessionStorage.getItem(key) ?? "").split(" ", 2);
    return orderNo && owner === String(userId) ? orderNo : null;
  } catch (error) {
    console.info("no payment can be kept here", error);
    return null;
  }
}
