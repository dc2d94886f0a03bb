import { createVerify, generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { isSignedByPayermax, payermaxPrivateKey, payermaxPublicKey, signPayermax } from "./payermax-gateway.ts";

const pair = generateKeyPairSync("rsa", {
  modulusLength: 2_048,
  publicKeyEncoding: { type: "spki", format: "der" },
  privateKeyEncoding: { type: "pkcs8", format: "der" },
});
const bare = { privateKey: pair.privateKey.toString("base64"), publicKey: pair.publicKey.toString("base64") };
const body = `{"data":{"totalAmount":9.90,"subject":"豆"}}`;

test("signs as PayerMax's own libraries do: PEM around the bare key, SHA256withRSA", () => {
  const signature = signPayermax(body, payermaxPrivateKey(bare.privateKey));
  const pem = `-----BEGIN PUBLIC KEY-----\n${bare.publicKey.replace(/.{64}/g, "$&\n")}\n-----END PUBLIC KEY-----`;
  expect(createVerify("RSA-SHA256").update(body).verify(pem, signature, "base64")).toBe(true);
});

test("signs the bytes, so that the same JSON in another form has another signature", () => {
  const key = payermaxPublicKey(bare.publicKey);
  const signature = signPayermax(body, payermaxPrivateKey(bare.privateKey));
  expect(isSignedByPayermax(Buffer.from(body), signature, key)).toBe(true);
  const rewritten = Buffer.from(JSON.stringify(JSON.parse(body)));
  expect(isSignedByPayermax(rewritten, signature, key)).toBe(false);
  for (const none of [undefined, null, "", "AAAA", [signature], "no base64 ä"]) {
    expect(isSignedByPayermax(Buffer.from(body), none, key)).toBe(false);
  }
});

test.each(["", "bm8ga2V5", bare.publicKey])("rejects an invalid private key at start", (text) => {
  expect(() => payermaxPrivateKey(text)).toThrow(Error);
});
