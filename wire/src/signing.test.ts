import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { stringToSign } from "./signing.ts";

test("[SIGN-1] the documented test vector is reproduced byte for byte", () => {
  const boundary = `b${"0".repeat(32)}`;
  const part = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const body = Buffer.from(`${part("userId", "1")}${part("language", "en")}--${boundary}--\r\n`);
  expect(body.length).toBe(220);
  const bodySha256Hex = createHash("sha256").update(body).digest("hex");
  expect(bodySha256Hex).toBe("cf487f01a396928d640f649003f50f83b4f165b407f648760c27e50e7dbe8acd");
  const text = stringToSign({
    method: "POST",
    path: "/api/user/follow",
    timestamp: "1767225600000",
    nonce: "ab".repeat(16),
    token: "tok_example",
    bodySha256Hex,
  });
  const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
  expect(createHmac("sha256", key).update(text).digest("hex")).toBe(
    "5df5dca89ac239effd6cd327e4188a48611a6fc825f99883c9f70dad569ada4e",
  );
});
