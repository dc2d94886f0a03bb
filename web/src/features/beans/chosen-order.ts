import { openOverlay } from "#lib/overlays.ts";

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
