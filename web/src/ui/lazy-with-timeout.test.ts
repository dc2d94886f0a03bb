import { afterEach, expect, test, vi } from "vitest";
import { chunkTimeoutMs } from "@fava/wire/limits.ts";
import { ChunkLoadError, loadWithTimeout } from "#ui/lazy-with-timeout.ts";

afterEach(() => void vi.useRealTimers());

test("tries a part that fails to load once more", async () => {
  const load = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new TypeError("gone"))
    .mockResolvedValueOnce("part");
  await expect(loadWithTimeout(load)).resolves.toBe("part");
});

test("throws a ChunkLoadError for a part that fails twice", async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValue(new TypeError("gone"));
  await expect(loadWithTimeout(load)).rejects.toBeInstanceOf(ChunkLoadError);
  expect(load).toHaveBeenCalledTimes(2);
});

test("throws a ChunkLoadError for a part that does not load within 120 s", async () => {
  vi.useFakeTimers();
  const outcome = loadWithTimeout(() => new Promise<string>(() => undefined)).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(chunkTimeoutMs - 1);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await outcome).toBeInstanceOf(ChunkLoadError);
});
