import type { Order } from "@fava/wire/endpoints/shop.ts";

/**
 * State of the return page. `late`: no result after some polls, and polling continues. `elsewhere`: no user is signed
 * in here, or the address has no order number.
 */
export type ReturnState =
  | { name: "checking" | "late" | "failed" | "expired" | "review" | "elsewhere" }
  | { name: "complete"; order: Order };

/** Delays before each poll. */
export const returnDelaysMs = [0, 1_000, 2_000, 2_000, 3_000, 5_000, 5_000, 10_000, 15_000, 20_000] as const;
/** From this poll on the page says that it takes longer, and continues. */
const lateFrom = 7;

export interface ReturnPorts {
  ask: () => Promise<Order | null>;
  show: (state: ReturnState) => void;
  /** Tells the other tabs to load the balance again. */
  tellPaid: () => void;
  signal: AbortSignal;
}

/** Polls until the order has a result, for about a minute at most; ends with its signal. */
export async function followReturn({ ask, show, tellPaid, signal }: ReturnPorts): Promise<void> {
  show({ name: "checking" });
  for (const [index, delayMs] of returnDelaysMs.entries()) {
    if (index === lateFrom) show({ name: "late" });
    await pause(delayMs, signal);
    if (signal.aborted) return;
    const order = await ask();
    const end = order && endOf(order);
    if (signal.aborted) return;
    if (!end) continue;
    show(end);
    if (end.name === "complete") tellPaid();
    return;
  }
}

function endOf(order: Order): ReturnState | null {
  switch (order.state) {
    case "created":
    case "pending":
      return null;
    case "failed":
    case "expired":
    case "review":
      return { name: order.state };
    case "paid":
    case "refunded":
    case "disputed":
    case "charged_back":
      return { name: "complete", order };
  }
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
