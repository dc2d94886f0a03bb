import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { Random } from "#ports/random.ts";
import type { ServerSecret } from "./server-secret.ts";

const ivBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

/** Encrypts each piece with its own key from the server's secret: copied storage is unreadable (rule CASE-51). */
export class Seal {
  readonly #secret: ServerSecret;
  readonly #random: Random;
  readonly #purpose: string;

  /** @param options.purpose separates keys: what is sealed for one purpose does not open for another. */
  constructor(options: { serverSecret: ServerSecret; random: Random; purpose: string }) {
    this.#secret = options.serverSecret;
    this.#random = options.random;
    this.#purpose = options.purpose;
  }

  seal(id: string, bytes: Uint8Array): Buffer {
    const iv = this.#random.bytes(ivBytes);
    const cipher = createCipheriv("aes-256-gcm", this.#keyOf(this.#secret.current, id), iv).setAAD(Buffer.from(id));
    const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
  }

  /** @throws Error if the bytes were not sealed under this id. */
  open(id: string, sealed: Buffer): Buffer {
    let failure: unknown;
    for (const secret of this.#secret.stored) {
      try {
        return this.#openWith(this.#keyOf(secret, id), id, sealed);
      } catch (error) {
        failure ??= error;
      }
    }
    throw failure;
  }

  /** The same bytes sealed with the current secret; null if they are. @throws Error as `open` does. */
  resealed(id: string, sealed: Buffer): Buffer | null {
    try {
      this.#openWith(this.#keyOf(this.#secret.current, id), id, sealed);
      return null;
    } catch {
      return this.seal(id, this.open(id, sealed));
    }
  }

  #openWith(key: Buffer, id: string, sealed: Buffer): Buffer {
    const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(Buffer.from(id)).setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]);
  }

  #keyOf(secret: string, id: string): Buffer {
    return Buffer.from(hkdfSync("sha256", secret, id, this.#purpose, keyBytes));
  }
}
