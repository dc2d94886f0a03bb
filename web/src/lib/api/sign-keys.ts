import { fromBase64Url } from "#lib/api/hex.ts";

/**
 * The keys that sign requests. IndexedDB keeps them as non-extractable `CryptoKey`s under their tokens: a script that
 * was injected into the page can sign while it runs, but cannot copy the key, and a tab never signs with the key of
 * another tab's account. Without IndexedDB a key lives as long as the page.
 */
const databaseName = "fava";
const storeName = "signKeys";
const inMemory = new Map<string, CryptoKey>();
/** Delays before a key that cannot be read is read again: a temporary failure must not end its session. */
const readAgainMs = [100, 1_000, 5_000] as const;

/** Stores the key of a new session and deletes the earlier ones. */
export async function keepSignKey(token: string, signKey: string): Promise<void> {
  const key = await importKey(fromBase64Url(signKey));
  inMemory.clear();
  inMemory.set(token, key);
  await withStore("readwrite", (store) => {
    store.clear();
    return store.put(key, token);
  });
}

/**
 * The key of a session, or null if this browser has lost it. Retries first, because a closing page or a temporary
 * database error is no loss.
 */
export async function signKeyOf(token: string): Promise<CryptoKey | null> {
  const known = inMemory.get(token);
  if (known) return known;
  let read = await readKey(token);
  for (const delayMs of hasDatabases() ? readAgainMs : []) {
    if (read) break;
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    read = await readKey(token);
  }
  const stored = read?.result;
  if (!(stored instanceof CryptoKey)) return null;
  inMemory.clear();
  inMemory.set(token, stored);
  return stored;
}

/** Deletes the key of one session, but not the key that another tab has stored meanwhile. */
export async function dropSignKey(token: string): Promise<void> {
  inMemory.delete(token);
  await withStore("readwrite", (store) => store.delete(token));
}

/** Requests before sign-in are signed with the public app key: integrity and replay protection, but no secret. */
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

function readKey(token: string): Promise<Done | null> {
  return withStore("readonly", (store) => store.get(token));
}

interface Done {
  readonly result: unknown;
}

/** Runs one request in its own transaction; resolves to null if that fails, as where IndexedDB is denied. */
async function withStore(mode: IDBTransactionMode, run: (store: IDBObjectStore) => IDBRequest): Promise<Done | null> {
  const database = await openDatabase();
  if (!database) return null;
  try {
    const transaction = database.transaction(storeName, mode);
    const request = run(transaction.objectStore(storeName));
    return await new Promise((resolve) => {
      transaction.oncomplete = () => resolve({ result: request.result });
      transaction.onabort = () => resolve(null);
    });
  } catch {
    // The browser has closed the connection.
    return null;
  } finally {
    database.close();
  }
}

function hasDatabases(): boolean {
  return typeof indexedDB !== "undefined";
}

function openDatabase(): Promise<IDBDatabase | null> {
  if (!hasDatabases()) return Promise.resolve(null);
  return new Promise((resolve) => {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(null);
    request.onblocked = () => resolve(null);
  });
}
