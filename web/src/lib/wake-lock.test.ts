import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepAwake } from "#lib/wake-lock.ts";

let page: EventTarget & { hidden: boolean };
let owner: AbortController;
let locks: { released: boolean; release: () => Promise<void> }[];
const request = vi.fn<() => Promise<object>>();

beforeEach(() => {
  owner = new AbortController();
  locks = [];
  page = Object.assign(new EventTarget(), { hidden: false });
  request.mockImplementation(async () => {
    const lock = { released: false, release: async () => void (lock.released = true) };
    locks.push(lock);
    return lock;
  });
  vi.stubGlobal("document", page);
  vi.stubGlobal("navigator", { wakeLock: { request } });
});

afterEach(() => {
  owner.abort();
  vi.clearAllMocks();
  vi.unstubAllGlobals();
});

function show(shown: boolean): void {
  page.hidden = !shown;
  page.dispatchEvent(new Event("visibilitychange"));
}

test("keeps the screen on until it is aborted", async () => {
  keepAwake(owner.signal);
  await vi.waitFor(() => expect(locks).toHaveLength(1));
  owner.abort();
  await vi.waitFor(() => expect(locks[0]?.released).toBe(true));
  show(true);
  expect(request).toHaveBeenCalledTimes(1);
});

test("requests the lock again when a hidden page returns, because the browser released it", async () => {
  keepAwake(owner.signal);
  await vi.waitFor(() => expect(locks).toHaveLength(1));
  show(true);
  expect(request).toHaveBeenCalledTimes(1);
  await locks[0]?.release();
  show(false);
  expect(request).toHaveBeenCalledTimes(1);
  show(true);
  await vi.waitFor(() => expect(locks).toHaveLength(2));
});

test("releases a lock that is granted too late", async () => {
  keepAwake(owner.signal);
  owner.abort();
  await vi.waitFor(() => expect(locks[0]?.released).toBe(true));
});

test("changes nothing when the lock is denied or not supported", async () => {
  vi.spyOn(console, "info").mockImplementation(() => undefined);
  request.mockRejectedValueOnce(new DOMException("no", "NotAllowedError"));
  keepAwake(owner.signal);
  await vi.waitFor(() => expect(console.info).toHaveBeenCalled());
  vi.stubGlobal("navigator", {});
  expect(() => keepAwake(owner.signal)).not.toThrow();
});
