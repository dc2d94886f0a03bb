import { hash } from "node:crypto";

/** `sealed`: encrypted, and of use only to whoever holds the key. */
export type BlobExtension = "webp" | "zip" | "sealed";

const keyShape = /^[0-9a-f]{64}\.(?:webp|zip|sealed)$/;

/** The key under which these bytes are kept: their SHA-256 in hex, and what they are. */
export function blobKeyOf(bytes: Uint8Array, extension: BlobExtension): string {
  return `${hash("sha256", bytes, "hex")}.${extension}`;
}

/** Whether this could be a key; a text of another shape never becomes a path or an address. */
export function isBlobKey(text: string): boolean {
  return keyShape.test(text);
}
