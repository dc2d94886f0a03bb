export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Random lower-case hexadecimal digits; works on plain http too, where `randomUUID` does not exist. */
export function randomHex(digits: number): string {
  return toHex(crypto.getRandomValues(new Uint8Array(Math.ceil(digits / 2)))).slice(0, digits);
}

/** Decodes unpadded base64url, the encoding of `sign_key`. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

export function toBase64Url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
