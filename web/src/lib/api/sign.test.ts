import { expect, test } from "vitest";
import { signingHeaders } from "@fava/wire/signing.ts";
import { fromBase64Url, randomHex, toHex } from "#lib/api/hex.ts";
import { importKey } from "#lib/api/sign-keys.ts";
import { signatureOf, signedHeaders } from "#lib/api/sign.ts";
import { multipartBytes } from "./request.ts";

const key = () => importKey(Uint8Array.from({ length: 32 }, (_, index) => index));
const documented = () =>
  multipartBytes(
    [
      ["userId", "1"],
      ["language", "en"],
    ],
    `b${"0".repeat(32)}`,
  );

test("[SIGN-1] makes the form and the signature of the documented test vector", async () => {
  const { bytes, contentType } = documented();
  expect(contentType).toBe(`multipart/form-data; boundary=b${"0".repeat(32)}`);
  expect(bytes.length).toBe(220);
  const request = { path: "/api/user/follow", token: "tok_example", key: await key(), body: bytes };
  expect(await signatureOf(request, "1767225600000", "ab".repeat(16))).toBe(
    "5df5dca89ac239effd6cd327e4188a48611a6fc825f99883c9f70dad569ada4e",
  );
});

test("[SIGN-2] adds a fresh nonce and a time of 13 digits to every signed request", async () => {
  const request = { path: "/api/active", token: "", key: await key(), body: documented().bytes };
  const [first, second] = [await signedHeaders(request), await signedHeaders(request)];
  expect(first[signingHeaders.nonce]).toMatch(/^[0-9a-f]{32}$/);
  expect(first[signingHeaders.timestamp]).toMatch(/^\d{13}$/);
  expect(first[signingHeaders.signature]).toMatch(/^[0-9a-f]{64}$/);
  expect(second[signingHeaders.nonce]).not.toBe(first[signingHeaders.nonce]);
});

test("[SIGN-3] does not let the key of a session be exported", async () => {
  await expect(crypto.subtle.exportKey("raw", await key())).rejects.toThrow(/extract/i);
});

test("sends text of every script unchanged, including line breaks", () => {
  const value = "a\nb\r\nc مرحبا 你好 😀";
  const { bytes } = multipartBytes([["text", value]], "b0");
  expect(new TextDecoder().decode(bytes)).toContain(`\r\n\r\n${value}\r\n`);
});

test("encodes and decodes hexadecimal and base64url as the wire does", () => {
  expect(toHex(Uint8Array.from([0, 15, 255]))).toBe("000fff");
  expect(randomHex(32)).toHaveLength(32);
  expect([...fromBase64Url("-_8")]).toEqual([251, 255]);
});
