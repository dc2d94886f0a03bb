import { createHash, randomBytes } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { signingHeaders, stringToSign } from "../../wire/src/signing.ts";

type Fields = Readonly<Record<string, string | number>>;

/** Sends one signed request as the signed-in user of the page, and resolves to its data. */
export async function callAs(page: Page, path: string, fields: Fields): Promise<Record<string, unknown>> {
  const boundary = `b${randomBytes(16).toString("hex")}`;
  const parts = Object.entries({ ...fields, language: "en" }).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const body = Buffer.from(`${parts.join("")}--${boundary}--\r\n`);
  const token = await page.evaluate(() => localStorage.getItem("loginToken") ?? "");
  const signed = {
    method: "POST",
    path,
    timestamp: String(Date.now()),
    nonce: randomBytes(16).toString("hex"),
    token,
    bodySha256Hex: createHash("sha256").update(body).digest("hex"),
  };
  const answer = await page.request.post(path, {
    // Retries a kept-alive connection that the server closes at that moment, as browsers do.
    maxRetries: 1,
    data: body,
    headers: {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      [signingHeaders.timestamp]: signed.timestamp,
      [signingHeaders.nonce]: signed.nonce,
      [signingHeaders.token]: token,
      [signingHeaders.signature]: await signIn(page, token, stringToSign(signed)),
    },
  });
  const { code, data } = (await answer.json()) as { code: number; data: Record<string, unknown> };
  expect(code, `${path} ${JSON.stringify(data)}`).toBe(200);
  return data;
}

/** The key cannot leave the browser: it signs there. */
function signIn(page: Page, token: string, text: string): Promise<string> {
  return page.evaluate(
    async ([name, toSign]) => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open("fava", 1);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(new Error("no database of keys"));
      });
      const key = await new Promise<CryptoKey>((resolve) => {
        const asking = database.transaction("signKeys").objectStore("signKeys").get(name);
        asking.onsuccess = () => resolve(asking.result as CryptoKey);
      });
      database.close();
      const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(toSign));
      return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, "0")).join("");
    },
    [token, text] as const,
  );
}

export interface Self {
  user_id: number;
  user_no: string;
  externalId: string;
}

/** The signed-in user of the page. */
export async function selfOf(page: Page): Promise<Self> {
  const userId = Number(await page.evaluate(() => localStorage.getItem("uid")));
  return (await callAs(page, "/api/user/info/my", { user_id: userId })) as unknown as Self;
}

/** Finds the other user by number and follows them. */
async function followBy(page: Page, other: Self): Promise<void> {
  const { user_id: userId } = await selfOf(page);
  await callAs(page, "/api/user/search", { user_id: userId, text: other.user_no });
  await callAs(page, "/api/user/follow", { userId, followUserId: other.user_id, on: 1 });
}

/** Makes two users friends by mutual follows. */
export async function befriend(one: Page, other: Page): Promise<void> {
  await followBy(one, await selfOf(other));
  await followBy(other, await selfOf(one));
}
