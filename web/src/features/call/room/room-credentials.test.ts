import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RequestFailure } from "#lib/api/request-failure.ts";
import type { request as sendRequest } from "#lib/api/request.ts";
import { readStored, removeStored } from "#lib/storage.ts";
import { isCredentialValid, RoomCredentials } from "./offer-cache.ts";

const minuteMs = 60_000;
const request = vi.fn<typeof sendRequest>();

let signs: RoomCredentials;

beforeEach(() => {
  vi.useFakeTimers();
  signs = new RoomCredentials(request);
  let made = 0;
  request.mockImplementation(async () => {
    made += 1;
    return { token: `sign-${made}`, iceServers: [], policy: "relay", expiresAt: Date.now() + 10 * minuteMs };
  });
});

afterEach(() => {
  removeStored("agoraToken");
  vi.resetAllMocks();
  vi.useRealTimers();
});

test("uses credentials until a minute before they expire, then fetches new ones", async () => {
  const first = await signs.current();
  await vi.advanceTimersByTimeAsync(9 * minuteMs - 1);
  expect(await signs.current()).toBe(first);
  await vi.advanceTimersByTimeAsync(1);
  expect((await signs.current()).token).toBe("sign-2");
  expect(request).toHaveBeenCalledTimes(2);
  expect(isCredentialValid(first)).toBe(true);
  await vi.advanceTimersByTimeAsync(minuteMs);
  expect(isCredentialValid(first)).toBe(false);
});

test("shares one request between concurrent callers", async () => {
  const [one, other] = await Promise.all([signs.current(), signs.current()]);
  expect(one).toBe(other);
  expect(request).toHaveBeenCalledTimes(1);
});

test("tries again after a failed request", async () => {
  request.mockRejectedValueOnce(new RequestFailure({ code: 0, reason: "network" }));
  await expect(signs.current()).rejects.toThrow(RequestFailure);
  expect((await signs.current()).token).toBe("sign-1");
});

test("stores the token of the room", async () => {
  await signs.current();
  expect(readStored("agoraToken")).toBe("sign-1");
});

test("forgets the credentials of the previous user, including those being fetched", async () => {
  await signs.current();
  signs.forget();
  removeStored("agoraToken");
  const late = signs.current();
  signs.forget();
  await late;
  expect(readStored("agoraToken")).toBeNull();
  expect((await signs.current()).token).toBe("sign-3");
});
