import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Random } from "#ports/random.ts";

const ivBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
const idShape = /^[\w-]{22}$/;
const byShape = /^\d{1,18}$/;
const untilShape = /^\d{13}$/;
const signShape = /^[0-9a-f]{64}$/;
/** An address of evidence opens for this long. */
const addressMs = 60_000;

/** Who may open an address, and what. */
export interface Opened {
  readonly publicId: string;
  readonly moderatorId: bigint;
}

/**
 * Seals evidence with a key of its own for each piece, derived from the server's secret, so that a copy of the storage
 * shows nothing (rule CASE-51); and signs the addresses under which moderators look at it (rule CASE-52).
 */
export class EvidenceSeal {
  readonly #secret: string;
  readonly #random: Random;

  constructor(options: { serverSecret: string; random: Random }) {
    this.#secret = options.serverSecret;
    this.#random = options.random;
  }

  seal(publicId: string, bytes: Uint8Array): Buffer {
    const iv = this.#random.bytes(ivBytes);
    const cipher = createCipheriv("aes-256-gcm", this.#keyOf(publicId), iv).setAAD(Buffer.from(publicId));
    const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
  }

  /** @throws Error where the bytes are not what was sealed under this id. */
  open(publicId: string, sealed: Buffer): Buffer {
    const decipher = createDecipheriv("aes-256-gcm", this.#keyOf(publicId), sealed.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(Buffer.from(publicId)).setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]);
  }

  address({ publicId, moderatorId }: Opened, nowMs: number): string {
    const [by, until] = [String(moderatorId), String(nowMs + addressMs)];
    const sign = this.#sign(publicId, by, until).toString("hex");
    return `/admin/evidence/${publicId}?by=${by}&until=${until}&sign=${sign}`;
  }

  /** What an address opens that is ours and has not run out; null for any other. */
  opened(publicId: string, query: { by?: unknown; until?: unknown; sign?: unknown }, nowMs: number): Opened | null {
    const { by, until, sign } = query;
    if (typeof by !== "string" || typeof until !== "string" || typeof sign !== "string") return null;
    if (!idShape.test(publicId) || !byShape.test(by) || !untilShape.test(until) || !signShape.test(sign)) return null;
    if (Number(until) <= nowMs) return null;
    if (!timingSafeEqual(this.#sign(publicId, by, until), Buffer.from(sign, "hex"))) return null;
    return { publicId, moderatorId: BigInt(by) };
  }

  #keyOf(publicId: string): Buffer {
    return Buffer.from(hkdfSync("sha256", this.#secret, publicId, "evidence/v1", keyBytes));
  }

  #sign(publicId: string, by: string, until: string): Buffer {
    return createHmac("sha256", this.#secret).update(`evidence-look/v1\0${publicId}\0${by}\0${until}`).digest();
  }
}
