import { fromBase64Url } from "#lib/api/hex.ts";

/**
 * Keys of the signed calls. They are kept in IndexedDB as non-extractable `CryptoKey`s under the token they belong to:
 * a script that got into the page can sign while it runs, but cannot carry the key away, and a tab never signs with the
 * key of another tab's account. Without IndexedDB the key lives as long as the page.
 */
const databaseName = "fava";
const storeName = "signKeys";
const inMemory = new Map<string, CryptoKey>();

/** Keeps the key of a new session and drops those of earlier ones. */
export async function keepSignKey(token: string, signKey: string): Promise<void> {
  const key = await importKey(fromBase64Url(signKey));
  inMemory.clear();
  inMemory.set(token, key);
  await withStore("readwrite", (store) => {
    store.clear();
    return store.put(key, token);
  });
}

/** The key of a session, or null when this browser no longer has it. */
export async function signKeyOf(token: string): Promise<CryptoKey | null> {
  const known = inMemory.get(token);
  if (known) return known;
  const stored: unknown = await withStore("readonly", (store) => store.get(token));
  if (!(stored instanceof CryptoKey)) return null;
  inMemory.clear();
  inMemory.set(token, stored);
  return stored;
}

/** Drops one session's key; the key that another tab has stored since stays. */
export async function dropSignKey(token: string): Promise<void> {
  inMemory.delete(token);
  await withStore("readwrite", (store) => store.delete(token));
}

/** Before login everybody signs with the public app key: integrity and replay protection, no secret. */
export async function appSignKey(): Promise<CryptoKey> {
  const known = inMemory.get("");
  if (known) return known;
  const name = typeof document === "undefined" ? null : document.querySelector('meta[name="app-key"]');
  const key = await importKey(new TextEncoder().encode(name?.getAttribute("content") ?? "fava-web"));
  inMemory.set("", key);
  return key;
}

export function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/** Runs one request in its own transaction; undefined where IndexedDB is refused. */
async function withStore(mode: IDBTransactionMode, run: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const database = await openDatabase();
  if (!database) return undefined;
  try {
    const transaction = database.transaction(storeName, mode);
    const request = run(transaction.objectStore(storeName));
    return await new Promise((resolve) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => resolve(undefined);
    });
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase | null> {
  if (typeof indexedDB === "undefined") return Promise.resolve(null);
  return new Promise((resolve) => {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(null);
    request.onblocked = () => resolve(null);
  });
}
