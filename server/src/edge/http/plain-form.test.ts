import fc from "fast-check";
import { expect, test } from "vitest";
import { formFieldBytesMax, formFieldsMax } from "@fava/wire/limits.ts";
import { fuzz } from "@fava/wire/testing/depth.ts";
import { formBytes } from "#test/fixtures/signed-call.ts";
import { readForm, readPlainForm } from "./form.ts";

const contentType = "multipart/form-data; boundary=bb";
/** A second type that only the general parser accepts, so that both can read the same bytes. */
const otherContentType = 'multipart/form-data; boundary="bb"';
const part = (name: string, value: string) =>
  `--bb\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const form = (...parts: string[]) => Buffer.from(`${parts.join("")}--bb--\r\n`);

test("reads forms of our client without the general parser", () => {
  const { body, contentType: type } = formBytes({ user_id: 7, offer: "v=0\r\na=é漢😀\r\n", language: "en" });
  expect({ ...readPlainForm(body, type) }).toEqual({ user_id: "7", offer: "v=0\r\na=é漢😀\r\n", language: "en" });
});

test("reads forms of Chromium without the general parser", () => {
  const boundary = "----WebKitFormBoundaryabcABC0123456789";
  const body = Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--${boundary}--\r\n`);
  expect({ ...readPlainForm(body, `multipart/form-data; boundary=${boundary}`) }).toEqual({ a: "1" });
});

test.each([
  ["a boundary in quotes", form(part("a", "1")), otherContentType],
  ["a body that stops in the middle", Buffer.from(part("a", "1")), contentType],
  ["words before the first part", Buffer.concat([Buffer.from("x\r\n"), form(part("a", "1"))]), contentType],
  ["words after the last part", Buffer.concat([form(part("a", "1")), Buffer.from("x")]), contentType],
  ["another header", form('--bb\r\nContent-Disposition: form-data; name="a"\r\nX: y\r\n\r\n1\r\n'), contentType],
  ["a file", form('--bb\r\nContent-Disposition: form-data; name="a"; filename="f"\r\n\r\n1\r\n'), contentType],
  ["a repeated field", form(part("a", "1"), part("a", "2")), contentType],
  ["a NUL character", form(part("a", "1\u00002")), contentType],
  ["a very long field", form(part("a", "x".repeat(formFieldBytesMax + 1))), contentType],
  [
    "too many fields",
    form(...Array.from({ length: formFieldsMax + 1 }, (_, index) => part(`f${index}`, "1"))),
    contentType,
  ],
])("leaves %s to the general parser", (_what, body, type) => {
  expect(readPlainForm(body, type)).toBeNull();
});

test("reads every form like the general parser", async () => {
  const valid = form(part("user_id", "1"), part("offer", "v=0\r\n--b\r\n--bbo=- 1 é"), part("language", "en"));
  const cut = fc.record({ from: fc.nat(valid.length), length: fc.nat(12), insert: fc.uint8Array({ maxLength: 3 }) });
  const mutated = fc
    .array(cut, { maxLength: 3 })
    .map((cuts) =>
      cuts.reduce(
        (body, { from, length, insert }) =>
          Buffer.concat([body.subarray(0, from), insert, body.subarray(from + length)]),
        form(part("user_id", "1"), part("offer", "v=0\r\n--b é"), part("language", "en")),
      ),
    );
  let read = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(mutated, fc.constant(valid)), async (body) => {
      const plain = readPlainForm(body, contentType);
      if (!plain) return;
      read += 1;
      expect({ ...(await readForm(body, otherContentType)).fields }).toEqual({ ...plain });
    }),
    fuzz(500),
  );
  expect(read).toBeGreaterThan(0);
});
