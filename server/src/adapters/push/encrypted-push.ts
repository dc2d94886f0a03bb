import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import type { PushTarget } from "#ports/pusher.ts";

const saltBytes = 16;
const nonceBytes = 12;
const keyBytes = 32;
const contentKeyBytes = 16;
/** Larger than any message: one record contains it. */
const recordBytes = 4_096;
/** Push services see only the length of a message, so messages are padded to the same length. */
const paddedToBytes = 1_024;
const payloadBytesMax = 3_000;
const lastRecord = 2;

interface Chosen {
  readonly privateKey: Buffer;
  readonly salt: Buffer;
  readonly paddedToBytes: number;
}

/**
 * `aes128gcm` of RFC 8188 with the keys of RFC 8291.
 * @param chosen random by default; fixed for the test vectors of the RFC.
 * @throws Error for a key that is no point of the curve, and for a payload of more than 3,000 bytes.
 */
export function encryptPush(
  payload: string,
  { p256dh, auth }: Pick<PushTarget, "p256dh" | "auth">,
  chosen: Partial<Chosen> = {},
): Buffer<ArrayBuffer> {
  const text = Buffer.from(payload, "utf8");
  if (text.length > payloadBytesMax) throw new Error("the message is longer than push services accept");
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
