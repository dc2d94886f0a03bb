import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Order } from "@fava/wire/endpoints/shop.ts";
import type { OutsideWindow } from "#lib/outside-window.ts";
import { card, orderOf } from "#testing/shop-world.ts";
import { GatewayFailure, type PaymentLink } from "./gateway.ts";
import { PaymentController, type PaymentPorts } from "./payment-controller.ts";
import { pollDelaysMs } from "./payment-machine.ts";

/** A browser whose window, server and storage the test controls. */
class World implements PaymentPorts {
  readonly log: string[] = [];
  blocked = false;
  windowGone = false;
  hidden = false;
  balance: number | null = 10_000;
  answers: (Order | null)[] = [];
  readonly links: { resolve: (link: PaymentLink) => void; reject: (error: unknown) => void }[] = [];

  openWindow(url?: string): OutsideWindow | null {
    this.log.push(`open ${url ?? "empty"}`);
    if (this.blocked) return null;
    this.windowGone = false;
    return {
      goTo: (address) => void this.log.push(`go ${address}`),
      show: () => !this.windowGone,
      close: () => void this.log.push("close"),
    };
  }
  requestLink(): Promise<PaymentLink> {
    return new Promise((resolve, reject) => this.links.push({ resolve, reject }));
  }
  problemOf(error: unknown) {
    return error instanceof GatewayFailure ? error.reason : undefined;
  }
  askOrder(orderNo: string, check: boolean): Promise<Order | null> {
    this.log.push(`ask ${orderNo}${check ? " now" : ""}`);
    return Promise.resolve(this.answers.shift() ?? null);
  }
  fetchBalance = () => Promise.resolve(this.balance);
  setChargeStatus = (value: number) => void this.log.push(`chargeStatus ${value}`);
  setPrice = () => void this.log.push("price");
  rememberOrder = (orderNo: string | null) => void this.log.push(`remember ${orderNo ?? "nothing"}`);
  isHidden = () => this.hidden;
  tellEnd = () => void this.log.push("end");
}

const purchase = { packId: 6, beans: 10_000, priceMinor: 999, currencyCode: "USD" };
const link = { url: "https://pay.example/1", orderNo: "ord1" };
let world: World;
let payments: PaymentController;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "debug").mockReturnValue();
  world = new World();
  payments = new PaymentController(world);
  payments.dispatch({ type: "chosen", purchase, methods: [card], method: null });
});
afterEach(() => {
  payments.dispose();
  vi.useRealTimers();
});

async function untilWaiting(): Promise<void> {
  payments.pay();
  world.links[0]?.resolve(link);
  await vi.advanceTimersByTimeAsync(0);
  world.log.length = 0;
}

test("opens the window in the press, and sends it to the payment page when that is known", async () => {
  payments.pay();
  expect(world.log).toEqual(["open empty", "chargeStatus 1", "price"]);
  world.links[0]?.resolve(link);
  await vi.advanceTimersByTimeAsync(0);
  expect(world.log.slice(3)).toEqual(["go https://pay.example/1", "remember ord1"]);
  expect(payments.store.getState()).toMatchObject({ name: "waiting", isBlocked: false });
});

test("opens no second window on another press while the link is requested", () => {
  payments.pay();
  payments.pay();
  expect(world.log.filter((line) => line.startsWith("open"))).toHaveLength(1);
  expect(world.links).toHaveLength(1);
});

test("reports a blocked window, with the address to open by hand", async () => {
  world.blocked = true;
  payments.pay();
  world.links[0]?.resolve(link);
  await vi.advanceTimersByTimeAsync(0);
  expect(payments.store.getState()).toMatchObject({ name: "waiting", isBlocked: true, link });
});

test("closes the empty window when the link request fails, and says why", async () => {
  payments.pay();
  world.links[0]?.reject(new GatewayFailure("provider_failed"));
  await vi.advanceTimersByTimeAsync(0);
  expect(world.log).toContain("close");
  expect(world.log).toContain("chargeStatus 0");
  expect(payments.store.getState()).toMatchObject({ name: "pay", problem: "provider_failed" });
});

test("drops a link that arrives after another user has signed in", async () => {
  payments.pay();
  payments.dispatch({ type: "reset" });
  world.links[0]?.resolve(link);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(payments.store.getState().name).toBe("idle");
  expect(world.log).not.toContain("go https://pay.example/1");
});

test("detects by itself that the order is paid, and shows the new balance", async () => {
  await untilWaiting();
  world.answers = [orderOf(), orderOf({ state: "paid" })];
  await vi.advanceTimersByTimeAsync(pollDelaysMs[0]);
  expect(payments.store.getState().name).toBe("waiting");
  await vi.advanceTimersByTimeAsync(pollDelaysMs[1]);
  expect(payments.store.getState()).toMatchObject({ name: "complete", balance: 10_000 });
  expect(world.log).toEqual(["ask ord1", "ask ord1", "chargeStatus 0", "remember nothing", "end"]);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(world.log.filter((line) => line === "ask ord1")).toHaveLength(2);
});

test("does not poll while the page is hidden, and polls when it is shown", async () => {
  await untilWaiting();
  world.hidden = true;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(world.log).toEqual([]);
  world.hidden = false;
  world.answers = [orderOf({ state: "paid" })];
  payments.looked();
  payments.looked();
  await vi.advanceTimersByTimeAsync(0);
  expect(world.log.filter((line) => line === "ask ord1")).toHaveLength(1);
  expect(payments.store.getState().name).toBe("complete");
});

test("brings the window to the front, or opens it again when it is closed", async () => {
  await untilWaiting();
  payments.showWindow();
  expect(world.log).toEqual([]);
  world.windowGone = true;
  payments.showWindow();
  expect(world.log).toEqual(["open https://pay.example/1"]);
  world.windowGone = true;
  world.blocked = true;
  payments.showWindow();
  expect(payments.store.getState()).toMatchObject({ isBlocked: true });
});

test("closes the window on cancelling, and stops polling", async () => {
  await untilWaiting();
  payments.dispatch({ type: "ask-cancel" });
  payments.dispatch({ type: "cancel" });
  await vi.advanceTimersByTimeAsync(600_000);
  expect(world.log).toEqual(["chargeStatus 0", "remember nothing", "close"]);
  expect(vi.getTimerCount()).toBe(0);
});
