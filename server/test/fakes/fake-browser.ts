import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import type { PushTarget } from "#ports/pusher.ts";

export interface FakeBrowser {
  readonly target: PushTarget;
  /** Decrypts a message to this browser. Throws for any other message. */
  read(body: Uint8Array): string;
}

/** A browser with a push subscription, which only it can decrypt. */
export function fakeBrowser(endpoint: string): FakeBrowser {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  const auth = randomBytes(16);
  const target = { endpoint, p256dh: pair.getPublicKey("base64url"), auth: auth.toString("base64url") };
  return { target, read: (body) => decrypted(Buffer.from(body), { pair, auth }) };
}

/** Decrypts as the receiver of RFC 8291 and RFC 8188, with the offsets of each field written out. */
function decrypted(body: Buffer, { pair, auth }: { pair: ReturnType<typeof createECDH>; auth: Buffer }): string {
  const [salt, theirs, record] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)];
  if (body.readUInt32BE(16) !== 4_096 || body[20] !== 65) throw new Error("a header that no browser reads");
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), pair.getPublicKey(), theirs]);
  const secret = Buffer.from(hkdfSync("sha256", pair.computeSecret(theirs), auth, info, 32));
  const key = Buffer.from(hkdfSync("sha256", secret, salt, "Content-Encoding: aes128gcm\0", 16));
  const nonce = Buffer.from(hkdfSync("sha256", secret, salt, "Content-Encoding: nonce\0", 12));
  const decipher = createDecipheriv("aes-128-gcm", key, nonce, { authTagLength: 16 });
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error("padding that no browser reads");
  return padded.subarray(0, end).toString("utf8");
}
