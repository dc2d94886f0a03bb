import { createECDH, createHmac, ECDH, timingSafeEqual } from "node:crypto";
import { importJWK, SignJWT } from "jose";

/** Identity of the sender for push services (RFC 8292). */
export interface VapidKeys {
  /** Uncompressed point of P-256, in base64url. */
  readonly publicKey: string;
  /** The private scalar, in base64url. */
  readonly privateKey: string;
  /** `mailto:` or `https:`. */
  readonly subject: string;
}

const curve = "prime256v1";
const coordinateBytes = 32;
const tokenHours = 12;

export function makeVapidPair(): Pick<VapidKeys, "publicKey" | "privateKey"> {
  const pair = createECDH(curve);
  pair.generateKeys();
  return { publicKey: pair.getPublicKey("base64url"), privateKey: secretOf(pair) };
}

/** Keys derived from the secret: for development, never for an operator. */
export function vapidOf(serverSecret: string): VapidKeys {
  const pair = createECDH(curve);
  pair.setPrivateKey(createHmac("sha256", serverSecret).update("vapid/v1").digest());
  const publicKey = pair.getPublicKey("base64url");
  return { publicKey, privateKey: secretOf(pair), subject: "mailto:developer@fava.example" };
}

/** With leading zeros, which Node.js drops in one of 256 keys. */
function secretOf(pair: ECDH): string {
  const secret = pair.getPrivateKey();
  return Buffer.concat([Buffer.alloc(coordinateBytes - secret.length), secret]).toString("base64url");
}

export function isVapidPair({ publicKey, privateKey }: Pick<VapidKeys, "publicKey" | "privateKey">): boolean {
  const secret = Buffer.from(privateKey, "base64url");
  if (secret.length !== coordinateBytes || !isPoint(publicKey)) return false;
  const pair = createECDH(curve);
  try {
    pair.setPrivateKey(secret);
  } catch {
    // Not a valid scalar of the curve.
    return false;
  }
  return timingSafeEqual(pair.getPublicKey(), Buffer.from(publicKey, "base64url"));
}

/** Uncompressed, in base64url. */
export function isPoint(text: string): boolean {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length !== 1 + 2 * coordinateBytes || bytes[0] !== 4) return false;
  try {
    ECDH.convertKey(bytes, curve);
    return true;
  } catch {
    // Not on the curve: using it would leak the private key bit by bit.
    return false;
  }
}

/** `Authorization` header of messages to this origin. */
export async function vapidHeader(
  keys: VapidKeys,
  { origin, nowMs }: { origin: string; nowMs: number },
): Promise<string> {
  const point = Buffer.from(keys.publicKey, "base64url");
  const coordinate = (from: number) => point.subarray(from, from + coordinateBytes).toString("base64url");
  // The prefix byte says that the point is uncompressed.
  const jwk = { kty: "EC", crv: "P-256", x: coordinate(1), y: coordinate(1 + coordinateBytes), d: keys.privateKey };
  const nowSeconds = Math.floor(nowMs / 1_000);
  const token = await new SignJWT()
    .setProtectedHeader({ typ: "JWT", alg: "ES256" })
    .setAudience(origin)
    .setExpirationTime(nowSeconds + tokenHours * 3_600)
    .setSubject(keys.subject)
    .sign(await importJWK(jwk, "ES256"));
  return `vapid t=${token}, k=${keys.publicKey}`;
}
