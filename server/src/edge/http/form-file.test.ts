import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzz } from "@fava/wire/testing/depth.ts";
import { EndpointError } from "#lib/errors.ts";
import { formBytes } from "#test/fixtures/signed-call.ts";
import { readForm } from "./form.ts";

const part = { field: "file", bytesMax: 1_000 };
const picture = Buffer.concat([randomBytes(500), Buffer.from("\r\n--b\r\n\0\r\n")]);

function read(fields: Record<string, string>, files: Record<string, Buffer>) {
  const { body, contentType } = formBytes(fields, files);
  return readForm(body, contentType, part);
}

test("reads a file byte for byte, with the fields of its form", async () => {
  const { fields, file } = await read({ user_id: "1" }, { file: picture });
  expect({ ...fields }).toEqual({ user_id: "1" });
  expect(file?.equals(picture)).toBe(true);
});

test("accepts a file of the maximum size, and answers 413 for one byte more", async () => {
  const largest = randomBytes(part.bytesMax);
  expect((await read({}, { file: largest })).file?.equals(largest)).toBe(true);
  await expect(read({}, { file: randomBytes(part.bytesMax + 1) })).rejects.toMatchObject({ code: 413 });
});

test.each<[string, Record<string, Buffer>]>([
  ["no file", {}],
  ["an empty file", { file: Buffer.alloc(0) }],
  ["a file of another name", { other: picture }],
  ["two files", { file: picture, other: picture }],
])("rejects %s as bad input", async (_what, files) => {
  await expect(read({ user_id: "1" }, files)).rejects.toMatchObject({ name: "EndpointError", code: 400 });
});

test("rejects a text in place of the file as bad input", async () => {
  await expect(read({ file: "text" }, {})).rejects.toMatchObject({ code: 400 });
});

test("reads or rejects a form with a file, whatever bytes are changed or lost", async () => {
  const { body, contentType } = formBytes({ user_id: "1" }, { file: picture });
  await fc.assert(
    fc.asyncProperty(
      fc.nat(body.length),
      fc.nat(60),
      fc.uint8Array({ maxLength: 20 }),
      async (from, length, insert) => {
        const changed = Buffer.concat([body.subarray(0, from), insert, body.subarray(from + length)]);
        const outcome = await readForm(changed, contentType, part).then(
          ({ file }) => file !== null,
          (error: unknown) => error instanceof EndpointError && (error.code === 400 || error.code === 413),
        );
        expect(outcome).toBe(true);
      },
    ),
    fuzz(400),
  );
});
