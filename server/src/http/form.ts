import busboy from "busboy";
import { formFieldBytesMax, formFieldsMax } from "@fava/wire/limits.ts";
import { badInput } from "./call-error.ts";
import { readPlainForm } from "./plain-form.ts";

/** Fields of a form by name; without a prototype, so that no name means anything. */
export type Form = Record<string, string>;

const formContentType = /^multipart\/form-data\s*;[\x20-\x7e]{1,200}$/i;
const limits = {
  // One more than allowed, so that reaching the limit means having gone over it.
  fieldSize: formFieldBytesMax + 1,
  fields: formFieldsMax,
  parts: formFieldsMax + 1,
  files: 0,
};

/**
 * Parses a multipart form out of its bytes. A broken body, a repeated or nameless field, a file, NUL characters (which
 * no text column takes) and more than the limits are refused whole.
 *
 * @throws CallError 400.
 */
export async function readForm(body: Buffer, contentType: string | undefined): Promise<Form> {
  if (contentType === undefined || !formContentType.test(contentType)) {
    throw badInput("the body must be multipart/form-data");
  }
  return readPlainForm(body, contentType) ?? readAnyForm(body, contentType);
}

function readAnyForm(body: Buffer, contentType: string): Promise<Form> {
  return new Promise((resolve, reject) => {
    const form = Object.create(null) as Form;
    const parser = openParser(contentType);
    if (!parser) return reject(badInput("the content type has no usable boundary"));
    // The parser can speak up again after its first error, so it keeps its listeners; only the first word counts.
    parser.on("error", () => reject(badInput("the form is broken")));
    parser.on("fieldsLimit", () => reject(badInput("too many fields")));
    parser.on("partsLimit", () => reject(badInput("too many parts")));
    parser.on("filesLimit", () => reject(badInput("this call takes no file")));
    parser.on("field", (name: string | undefined, value, { valueTruncated }) => {
      if (name === undefined || name === "") return reject(badInput("a field has no name"));
      if (name in form) return reject(badInput("a field is repeated", shortened(name)));
      if (valueTruncated) return reject(badInput("a field is too long", shortened(name)));
      if (value.includes("\0")) return reject(badInput("a field holds a NUL character", shortened(name)));
      form[name] = value;
    });
    parser.on("finish", () => resolve(form));
    parser.end(body);
  });
}

function openParser(contentType: string): busboy.Busboy | null {
  try {
    return busboy({ headers: { "content-type": contentType }, defParamCharset: "utf8", limits });
  } catch {
    // busboy throws plain errors for content types it cannot read; to the caller they are all the same.
    return null;
  }
}

/** A name as the caller wrote it, short enough to be sent back. */
export function shortened(name: string): string {
  return name.slice(0, 64);
}
