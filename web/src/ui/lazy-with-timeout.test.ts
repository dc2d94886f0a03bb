import { afterEach, expect, test, vi } from "vitest";
import { chunkTimeoutMs } from "@fava/wire/limits.ts";
import { ChunkLoadError, loadWithTimeout } from "#ui/lazy-with-timeout.ts";

afterEach(() => void vi.useRealTimers());

test("a part that fails to load is tried once more", async () => {
  const load = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new TypeError("gone"))
    .mockResolvedValueOnce("part");
  await expect(loadWithTimeout(load)).resolves.toBe("part");
});

test("a part that fails twice is a ChunkLoadError", async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValue(new TypeError("gone"));
  await expect(loadWithTimeout(load)).rejects.toBeInstanceOf(ChunkLoadError);
  expect(load).toHaveBeenCalledTimes(2);
});

test("a part that does not come within 120 s is a ChunkLoadError", async () => {
  vi.useFakeTimers();
  const outcome = loadWithTimeout(() => new Promise<string>(() => undefined)).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(chunkTimeoutMs - 1);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await outcome).toBeInstanceOf(ChunkLoadError);
});
