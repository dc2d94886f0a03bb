import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clearForSignOut, readStored, removeStored, writeStored } from "#lib/storage.ts";

/** The parts of a browser's localStorage that are used. */
class FakeStorage {
  readonly map = new Map<string, string>();
  full = false;
  get length(): number {
    return this.map.size;
  }
  key(index: number): string | null {
    return [...this.map.keys()][index] ?? null;
  }
  getItem(key: string): string | null {
    return this.map.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    if (this.full) throw new DOMException("full", "QuotaExceededError");
    this.map.set(key, value);
  }
  removeItem(key: string): void {
    this.map.delete(key);
  }
}

let store: FakeStorage;

beforeEach(() => {
  store = new FakeStorage();
  vi.stubGlobal("localStorage", store);
});

afterEach(() => {
  clearForSignOut();
  vi.unstubAllGlobals();
});

test("stores values under the names of the specification, as text", () => {
  writeStored("loginToken", "tok");
  writeStored("uid", 42);
  writeStored("user_avatar", "/media/a.webp");
  writeStored("filterGender", 2);
  writeStored("filterCountry", { mode: "country", id: 18 });
  expect(Object.fromEntries(store.map)).toEqual({
    loginToken: "tok",
    uid: "42",
    user_avatar: "/media/a.webp",
    filterGender: "2",
    filterCountry: '{"mode":"country","id":18}',
  });
  expect(readStored("uid")).toBe(42);
  expect(readStored("filterCountry")).toEqual({ mode: "country", id: 18 });
});

test("treats an invalid value as absent", () => {
  store.map.set("uid", "1e3");
  store.map.set("filterGender", "7");
  store.map.set("filterCountry", "{broken");
  store.map.set("language", "xx");
  store.map.set("holdPageKey", "100001");
  store.map.set("chargeStatus", "3");
  for (const key of ["uid", "filterGender", "filterCountry", "language", "holdPageKey", "chargeStatus"] as const)
    expect(readStored(key)).toBeNull();
});

test("[STORE-1] clears everything at sign-out but the never-show flag, the language and the theme", () => {
  writeStored("loginToken", "tok");
  writeStored("neverShowRule", 1);
  writeStored("language", "ar");
  writeStored("theme", "dark");
  store.map.set("something of another script", "1");
  clearForSignOut();
  expect([...store.map.keys()].toSorted()).toEqual(["language", "neverShowRule", "theme"]);
});

test("keeps values for the life of the page when storing is denied", () => {
  store.full = true;
  writeStored("nickname", "ana");
  expect(readStored("nickname")).toBe("ana");
  expect(store.map.size).toBe(0);
  removeStored("nickname");
  expect(readStored("nickname")).toBeNull();
  vi.stubGlobal("localStorage", null);
  writeStored("nickname", "bo");
  expect(readStored("nickname")).toBe("bo");
});

test("never hides another tab's change by a copy of its own", () => {
  writeStored("loginToken", "mine");
  store.map.set("loginToken", "theirs");
  expect(readStored("loginToken")).toBe("theirs");
});
