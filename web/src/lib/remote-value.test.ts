import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RemoteValue } from "#lib/remote-value.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("shares one load between concurrent readers, and its value with later ones", async () => {
  const load = vi.fn<() => Promise<string>>().mockResolvedValue("value");
  const remote = new RemoteValue({ load, staleMs: 1_000 });
  expect(await Promise.all([remote.fetch(), remote.fetch()])).toEqual(["value", "value"]);
  await remote.fetch();
  expect(load).toHaveBeenCalledTimes(1);
});

test("loads a stale or invalidated value again", async () => {
  let count = 0;
  const remote = new RemoteValue({ load: () => Promise.resolve((count += 1)), staleMs: 1_000 });
  expect(await remote.fetch()).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(await remote.fetch()).toBe(2);
  remote.invalidate();
  expect(await remote.fetch()).toBe(3);
});

test("loads once more when the value changes during a load, for all who await it", async () => {
  const answers: ((value: string) => void)[] = [];
  const load = () => new Promise<string>((resolve) => answers.push(resolve));
  const remote = new RemoteValue({ load, staleMs: 60_000 });
  const stop = remote.subscribe(() => undefined);
  for (let times = 0; times < 2; times += 1) remote.invalidate();
  await vi.waitUntil(() => answers.length === 1);
  const waiting = remote.fetch();
  for (let times = 0; times < 2; times += 1) remote.invalidate();
  answers[0]?.("old");
  await vi.waitUntil(() => answers.length === 2);
  expect(remote.peek()).toBe("old");
  answers[1]?.("new");
  expect(await waiting).toBe("new");
  await remote.look();
  expect([remote.peek(), answers.length]).toEqual(["new", 2]);
  stop();
});

test("retries a failed load while the value is in use, and stops when it is not", async () => {
  vi.spyOn(console, "info").mockReturnValue();
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error("away")).mockResolvedValue("back");
  const remote = new RemoteValue({ load, staleMs: 60_000 });
  const seen = vi.fn<() => void>();
  const stop = remote.subscribe(seen);
  remote.invalidate();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(seen).toHaveBeenCalledTimes(1);
  expect(await remote.fetch()).toBe("back");
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

test("loads again for the next reader after a failure", async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error("away")).mockResolvedValue("back");
  const remote = new RemoteValue({ load, staleMs: 60_000 });
  await expect(remote.fetch()).rejects.toThrow("away");
  expect(await remote.fetch()).toBe("back");
});
