import { afterEach, expect, test } from "vitest";
import { readStored, type StoredKey, writeStored } from "#lib/storage.ts";

afterEach(() => globalThis.localStorage?.clear());

/** Every key of the specification, with a valid value and its stored text. */
const specified = {
  loginToken: ["tok", "tok"],
  tencentCloudToken: ["sign", "sign"],
  uid: [7, "7"],
  user_avatar: ["/media/a.webp", "/media/a.webp"],
  nickname: ["ana", "ana"],
  externalId: ["x-ana", "x-ana"],
  role: [2, "2"],
  language: ["zh-CN", "zh-CN"],
  neverShowRule: [1, "1"],
  filterGender: [2, "2"],
  filterCountry: [{ mode: "country", id: 18 }, '{"mode":"country","id":18}'],
  rechargeToken: ["r", "r"],
  roomId: ["room-1", "room-1"],
  agoraToken: ["room-token", "room-token"],
  holdPageKey: [100_000, "100000"],
  chargeStatus: [1, "1"],
  rechargePrice: ["9.99", "9.99"],
} as const;

test.each(Object.entries(specified))("[STORE-11] stores %s as text and reads its value back", (key, [value, text]) => {
  const store = new Map<string, string>();
  const fake = {
    getItem: (name: string) => store.get(name) ?? null,
    setItem: (name: string, written: string) => void store.set(name, written),
    removeItem: (name: string) => void store.delete(name),
  };
  Object.defineProperty(globalThis, "localStorage", { value: fake, configurable: true });
  writeStored(key as StoredKey, value as never);
  expect([...store]).toEqual([[key, text]]);
  expect(readStored(key as StoredKey)).toEqual(value);
  Reflect.deleteProperty(globalThis, "localStorage");
});

test("stores nothing before the user chose it: each key is absent until then", () => {
  for (const key of Object.keys(specified)) expect([key, readStored(key as StoredKey)]).toEqual([key, null]);
});
