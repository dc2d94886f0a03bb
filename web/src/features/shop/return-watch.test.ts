import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Order } from "@fava/wire/endpoints/shop.ts";
import { orderOf } from "#testing/shop-world.ts";
import { followReturn, returnDelaysMs, type ReturnState } from "./return-watch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watch(answers: readonly (Order | null)[]) {
  const shown: ReturnState[] = [];
  const rest = [...answers];
  const ask = vi.fn<() => Promise<Order | null>>(() => Promise.resolve(rest.shift() ?? null));
  const tellPaid = vi.fn<() => void>();
  const owner = new AbortController();
  const done = followReturn({ ask, show: (state) => shown.push(state), tellPaid, signal: owner.signal });
  return { shown, ask, tellPaid, owner, done };
}

test("polls until the order is paid, then tells the other tabs", async () => {
  const paid = orderOf({ state: "paid", balance: 10_000 });
  const { shown, tellPaid, ask } = watch([orderOf(), null, paid]);
  await vi.runAllTimersAsync();
  expect(shown).toEqual([{ name: "checking" }, { name: "complete", order: paid }]);
  expect(ask).toHaveBeenCalledTimes(3);
  expect(tellPaid).toHaveBeenCalledTimes(1);
});

test("says when it takes long, keeps polling, and gives up at last", async () => {
  const { shown, tellPaid, ask, done } = watch([]);
  await vi.runAllTimersAsync();
  await done;
  expect(shown).toEqual([{ name: "checking" }, { name: "late" }]);
  expect(ask).toHaveBeenCalledTimes(returnDelaysMs.length);
  expect(tellPaid).not.toHaveBeenCalled();
});

test.each(["failed", "expired", "review"] as const)(
  "shows an order that is %s, and does not report it as paid",
  async (state) => {
    const { shown, tellPaid } = watch([orderOf({ state })]);
    await vi.runAllTimersAsync();
    expect(shown.at(-1)).toEqual({ name: state });
    expect(tellPaid).not.toHaveBeenCalled();
  },
);

test("ends with its page", async () => {
  const { ask, owner, done } = watch([]);
  await vi.advanceTimersByTimeAsync(0);
  owner.abort();
  await done;
  expect(ask).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});
