import type { Page } from "@playwright/test";
import { userUpdate } from "@fava/wire/endpoints/profile.ts";
import { login } from "@fava/wire/endpoints/session.ts";
import { type CallAnswer, signedCall } from "@fava/server/test/fixtures/signed-call.ts";

/** A page of the product that runs no script. */
export const emptyPath = "/robots.txt";

/** The key of a sandbox person, or a new person by a name that no other test uses. */
export type Who = string | { name: string };

/**
 * Signs a user in without the provider's window, which has its own tests: stores the server's session in the browser as
 * the page would. A new user has given birthday and gender. The page then opens `address`, by default home.
 */
export async function beginSession(page: Page, who: Who, address = new URL("/", page.url()).href): Promise<void> {
  const { origin } = new URL(address);
  const session = await signInByApi(origin, who);
  await page.goto(origin + emptyPath);
  await page.evaluate(keepSession, session);
  await page.goto(address);
}

export interface KeptSession {
  token: string;
  signKey: string;
  stored: Record<string, string>;
}

/** The server's session of a user; a new one has given birthday and gender. */
export async function signInByApi(baseUrl: string, who: Who): Promise<KeptSession> {
  const identity = await sandboxToken(baseUrl, who);
  const answer = accepted(
    await signedCall({ target: baseUrl }, login, { ...identity, login_type: 1, source: 1, language: "en" }),
  );
  if (answer.sex === 0 && typeof who !== "string") {
    const caller = { target: baseUrl, token: answer.token, signKey: answer.sign_key };
    const known = { user_id: answer.user_id, language: "en" };
    accepted(await signedCall(caller, userUpdate, { ...known, birth_year: 1995, birthday: "1995-05-15" }));
    accepted(await signedCall(caller, userUpdate, { ...known, sex: 2 }));
  }
  return {
    token: answer.token,
    signKey: answer.sign_key,
    stored: {
      loginToken: answer.token,
      tencentCloudToken: answer.tencent_sign,
      externalId: answer.tencent_id,
      uid: String(answer.user_id),
      nickname: answer.nickname,
      user_avatar: answer.avatar,
    },
  };
}

export interface SandboxIdentity {
  third_party_id: string;
  third_party_token: string;
  nickname: string;
  avatar: string;
}

export async function sandboxToken(baseUrl: string, who: Who): Promise<SandboxIdentity> {
  const answer = await fetch(`${baseUrl}/sandbox/identity/google/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(typeof who === "string" ? { person: who } : who),
  });
  if (!answer.ok) throw new Error(`the sandbox does not know ${JSON.stringify(who)}: ${await answer.text()}`);
  return (await answer.json()) as SandboxIdentity;
}

/** The data of a response. @throws Error for a rejection */
export function accepted<Data>({ code, data, msg }: CallAnswer<Data>): Data {
  if (code !== 200) throw new Error(`the server answered ${code} ${msg ?? ""} ${JSON.stringify(data)}`);
  return data;
}

/** Runs in the page. Stores the key where the page reads it, not extractable. */
export async function keepSession({ token, signKey, stored }: KeptSession): Promise<void> {
  const bytes = Uint8Array.from(atob(signKey.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open("fava", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("signKeys");
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(new Error("no database of keys"));
  });
  await new Promise((resolve, reject) => {
    const transaction = database.transaction("signKeys", "readwrite");
    transaction.objectStore("signKeys").put(key, token);
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(new Error("the key could not be kept"));
  });
  database.close();
  for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, value);
}
