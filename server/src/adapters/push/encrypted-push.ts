import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import type { PushTarget } from "#ports/pusher.ts";

const saltBytes = 16;
const nonceBytes = 12;
const keyBytes = 32;
const contentKeyBytes = 16;
/** Larger than any message: one record holds it. */
const recordBytes = 4_096;
/** All that push services see of a message is its length, so that all have the same up to a few. */
const paddedToBytes = 1_024;
const payloadBytesMax = 3_000;
/** Says that no record follows. */
const lastRecord = 2;

interface Chosen {
  /** Of the pair that is made for this message alone. */
  readonly privateKey: Buffer;
  readonly salt: Buffer;
  readonly paddedToBytes: number;
}

/**
 * The body that only this browser can read: `aes128gcm` of RFC 8188 with the keys of RFC 8291.
 *
 * @param chosen what is random otherwise; the vectors of the RFC name theirs.
 * @throws Error for a key that is no point of the curve, and for a payload of more than 3,000 bytes.
 */
export function encryptPush(
  payload: string,
  { p256dh, auth }: Pick<PushTarget, "p256dh" | "auth">,
  chosen: Partial<Chosen> = {},
): Buffer<ArrayBuffer> {
  const text = Buffer.from(payload, "utf8");
  if (text.length > payloadBytesMax) throw new Error("a message is longer than push services take");
  const pair = createECDH("prime256v1");
  if (chosen.privateKey) pair.setPrivateKey(chosen.privateKey);
  else pair.generateKeys();
  const [theirs, ours] = [Buffer.from(p256dh, "base64url"), pair.getPublicKey()];
  const salt = chosen.salt ?? randomBytes(saltBytes);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), theirs, ours]);
  const secret = derived(pair.computeSecret(theirs), { salt: Buffer.from(auth, "base64url"), info, bytes: keyBytes });
  const contentKey = derived(secret, { salt, info: "Content-Encoding: aes128gcm\0", bytes: contentKeyBytes });
  const nonce = derived(secret, { salt, info: "Content-Encoding: nonce\0", bytes: nonceBytes });
  const cipher = createCipheriv("aes-128-gcm", contentKey, nonce);
  const padding = Buffer.alloc(Math.max(0, (chosen.paddedToBytes ?? paddedToBytes) - text.length));
  const record = Buffer.concat([text, Buffer.of(lastRecord), padding]);
  const header = Buffer.alloc(saltBytes + 5);
  salt.copy(header);
  header.writeUInt32BE(recordBytes, saltBytes);
  header.writeUInt8(ours.length, saltBytes + 4);
  return Buffer.concat([header, ours, cipher.update(record), cipher.final(), cipher.getAuthTag()]);
}

function derived(
  secret: Uint8Array,
  { salt, info, bytes }: { salt: Uint8Array; info: Uint8Array | string; bytes: number },
): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));
}
