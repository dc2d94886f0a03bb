import { afterEach, expect, test, vi } from "vitest";
import { keepSignKey, signKeyOf } from "./sign-keys.ts";

const signKey = btoa("a key of a session, of 32 bytes.").replaceAll("=", "");
// oxlint-disable-next-line typescript/unbound-method -- called with the database
const begin = IDBDatabase.prototype.transaction;

afterEach(() => {
  vi.restoreAllMocks();
});

/** A fresh copy of the module without keys in memory, as after a reload. */
async function loadedAgain(): Promise<typeof signKeyOf> {
  const path = "./sign-keys.ts?fresh";
  return ((await import(/* @vite-ignore */ path)) as { signKeyOf: typeof signKeyOf }).signKeyOf;
}

test("reads a key again that the browser temporarily cannot read, and reports a missing one as lost", async () => {
  await keepSignKey("token", signKey);
  const readKey = await loadedAgain();
  // Makes the first attempt fail, by opening a version that is older than the stored one.
  const newer = indexedDB.open("newer", 2);
  await new Promise((resolve) => (newer.onsuccess = resolve));
  newer.result.close();
  const failing = indexedDB.open("newer", 1);
  const opened = vi.spyOn(IDBFactory.prototype, "open");
  opened.mockImplementationOnce(() => failing);
  const begun = vi.spyOn(IDBDatabase.prototype, "transaction");
  begun.mockImplementationOnce(function (this: IDBDatabase, ...names) {
    const transaction = begin.apply(this, names);
    // Aborts the transaction, as the browser does while a page closes.
    queueMicrotask(() => transaction.abort());
    return transaction;
  });
  expect(await readKey("token")).toBeInstanceOf(CryptoKey);
  expect([opened.mock.calls.length, begun.mock.calls.length]).toEqual([3, 2]);
  opened.mockClear();
  expect(await readKey("another token")).toBeNull();
  expect(opened).toHaveBeenCalledOnce();
});
