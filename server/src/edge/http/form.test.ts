import fc from "fast-check";
import { expect, test } from "vitest";
import { formFieldBytesMax, formFieldsMax } from "@fava/wire/limits.ts";
import { fuzz } from "@fava/wire/testing/depth.ts";
import { EndpointError } from "#lib/errors.ts";
import { formBytes } from "#test/fixtures/signed-call.ts";
import { readForm } from "./form.ts";

const contentType = "multipart/form-data; boundary=bb";
const part = (name: string, value: string, more = "") =>
  `--bb\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const form = (...parts: string[]) => Buffer.from(`${parts.join("")}--bb--\r\n`);

async function read(body: Buffer, type: string | undefined = contentType) {
  return { ...(await readForm(body, type)).fields };
}

test("reads the fields of a form", async () => {
  expect(await read(form(part("a", "1"), part("b", ""), part("c", "\r\n--b")))).toEqual({
    a: "1",
    b: "",
    c: "\r\n--b",
  });
  expect(await read(form())).toEqual({});
});

test.each([
  ["an empty body", Buffer.alloc(0), contentType],
  ["a body that stops in the middle", Buffer.from(part("a", "1")), contentType],
  ["a part with a broken header", Buffer.from("--bb\r\n\u0001\u0002: x\r\n\r\n1\r\n--bb--\r\n"), contentType],
  ["a repeated field", form(part("a", "1"), part("a", "1")), contentType],
  ["a field without a name", form("--bb\r\nContent-Disposition: form-data\r\n\r\n1\r\n"), contentType],
  ["a file", form(part("a", "1", '; filename="f"')), contentType],
  [
    "bytes without a file name",
    form('--bb\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: application/octet-stream\r\n\r\n1\r\n'),
    contentType,
  ],
  ["a part without a disposition", form("--bb\r\nContent-Type: text/plain\r\n\r\n1\r\n", part("a", "1")), contentType],
  ["a part that is an attachment", form('--bb\r\nContent-Disposition: attachment; name="a"\r\n\r\n1\r\n'), contentType],
  ["a name on two lines", form(part("a\r\n b", "1")), contentType],
  ["a head on two lines", form('--bb\r\nContent-Disposition: form-data;\r\n name="a"\r\n\r\n1\r\n'), contentType],
  ["a name with a line break, as browsers write it", form(part("a%0D%0Ab", "1")), contentType],
  ["a name with a line feed", form(part("a\nb", "1")), contentType],
  [
    "a name in a charset of its own",
    form("--bb\r\nContent-Disposition: form-data; name*=iso-8859-1''a\r\n\r\n1\r\n"),
    contentType,
  ],
  ["two dispositions", form(part("a", "1", '\r\nContent-Disposition: form-data; name="b"')), contentType],
  ["a charset of the part", form(part("a", "1", "\r\nContent-Type: text/plain; charset=iso-8859-1")), contentType],
  [
    "a charset of the part with zeros",
    form(part("a", "1\0", '\r\nContent-Type: text/plain; charset="utf-16le"')),
    contentType,
  ],
  ["a delimiter that goes on", form(part("a", "1"), part("b", "2").replace("--bb\r\n", "--bb \r\n")), contentType],
  ["a NUL character", form(part("a", "1\u00002")), contentType],
  ["a field that is too long", form(part("a", "x".repeat(formFieldBytesMax + 1))), contentType],
  [
    "too many fields",
    form(...Array.from({ length: formFieldsMax + 1 }, (_, index) => part(`f${index}`, "1"))),
    contentType,
  ],
  [
    "too many parts that are no fields",
    form(...Array.from({ length: 100 }, () => "--bb\r\nX: y\r\n\r\n1\r\n")),
    contentType,
  ],
  ["JSON", Buffer.from("{}"), "application/json"],
  ["another kind of form", Buffer.from("a=1"), "application/x-www-form-urlencoded"],
  ["no boundary", form(part("a", "1")), "multipart/form-data"],
  ["an empty boundary", form(part("a", "1")), "multipart/form-data; boundary="],
])("rejects %s as bad input", async (_what, body, type) => {
  await expect(readForm(body, type)).rejects.toMatchObject({ name: "EndpointError", code: 400 });
});

test("reads a part that declares UTF-8, whatever its other headers", async () => {
  const typed = part("a", "ä", "\r\nContent-Type: text/plain; charset=UTF-8\r\nContent-Length: 2");
  expect(await read(form("\r\n", typed, part("b", "2")))).toEqual({ a: "ä", b: "2" });
  const unquoted = "--bb\r\ncontent-disposition: form-data; name=c\r\n\r\n3\r\n";
  expect(await read(form(unquoted), 'multipart/form-data; boundary="bb"')).toEqual({ c: "3" });
});

test("rejects a form without content type as bad input", async () => {
  await expect(readForm(form(), undefined)).rejects.toMatchObject({ code: 400 });
});

test("reads the largest form that is allowed", async () => {
  const fields = Object.fromEntries(
    Array.from({ length: formFieldsMax }, (_, index) => [
      `f${index}`,
      index === 0 ? "x".repeat(formFieldBytesMax) : "1",
    ]),
  );
  const { body, contentType: type } = formBytes(fields);
  expect(await read(body, type)).toEqual(fields);
});

test("reads fields named like properties of objects", async () => {
  const { fields: read } = await readForm(form(part("__proto__", "x"), part("constructor", "y")), contentType);
  expect(Object.entries(read)).toEqual([
    ["__proto__", "x"],
    ["constructor", "y"],
  ]);
  expect(Object.getPrototypeOf(read)).toBeNull();
});

/** The fields of a body, or its rejection as bad input; throws for other errors. */
async function outcome(body: Uint8Array, type: string): Promise<unknown> {
  try {
    const { fields } = await readForm(Buffer.from(body), type);
    const values = Object.values(fields);
    return values.every((value) => typeof value === "string") ? "read" : values;
  } catch (error) {
    return error instanceof EndpointError && error.code === 400 ? "refused" : error;
  }
}

test("reads or rejects any bytes", async () => {
  const types = fc.oneof(
    fc.constant(contentType),
    fc.string(),
    fc.string().map((text) => `multipart/form-data; ${text}`),
  );
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 600 }), types, async (body, type) => {
      expect(["read", "refused"]).toContain(await outcome(body, type));
    }),
    fuzz(300),
  );
});

test("reads or rejects a form, whatever bytes are changed, lost or doubled", async () => {
  const valid = form(part("user_id", "1"), part("offer", "v=0\r\no=- 1"), part("language", "en"));
  const cut = fc.record({
    from: fc.nat(valid.length),
    length: fc.nat(40),
    insert: fc.uint8Array({ maxLength: 20 }),
    twice: fc.boolean(),
  });
  const mutated = fc.array(cut, { minLength: 1, maxLength: 4 }).map((cuts) =>
    cuts.reduce((body, { from, length, insert, twice }) => {
      const removed = body.subarray(from, from + length);
      return Buffer.concat([
        body.subarray(0, from),
        insert,
        twice ? Buffer.concat([removed, removed]) : insert,
        body.subarray(from + length),
      ]);
    }, valid),
  );
  await fc.assert(
    fc.asyncProperty(mutated, async (body) => {
      expect(["read", "refused"]).toContain(await outcome(body, contentType));
    }),
    fuzz(500),
  );
});
