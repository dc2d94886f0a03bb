import busboy from "busboy";
import { codes } from "@fava/wire/codes.ts";
import type { FilePart } from "@fava/wire/endpoint.ts";
import { formFieldBytesMax, formFieldsMax } from "@fava/wire/limits.ts";
import { badInput, EndpointError } from "#lib/errors.ts";

interface Form {
  /** Without a prototype, so that no field name has a meaning. */
  fields: Record<string, string>;
  /** Null where the endpoint takes none. */
  file: Buffer | null;
}

const formContentType = /^multipart\/form-data\s*;[\x20-\x7e]{1,200}$/i;

/**
 * Rejects a malformed body, part headers that no browser writes, a repeated or unnamed field, an unexpected or missing
 * file, NUL characters, and exceeded limits.
 * @throws EndpointError 400; 413 for a file that is too large.
 */
export async function readForm(
  body: Buffer,
  contentType: string | undefined,
  part: FilePart | null = null,
): Promise<Form> {
  if (contentType === undefined || !formContentType.test(contentType)) {
    throw badInput("the body must be multipart/form-data");
  }
  const fields = part ? null : readPlainForm(body, contentType);
  return fields ? { fields, file: null } : readAnyForm(body, contentType, part);
}

function readAnyForm(body: Buffer, contentType: string, part: FilePart | null): Promise<Form> {
  return new Promise((resolve, reject) => {
    const fields = Object.create(null) as Record<string, string>;
    let file: Buffer | null = null;
    const parser = openParser(contentType, part);
    if (!parser) return reject(badInput("the content type has no usable boundary"));
    if (!hasPlainHeads(body, contentType)) return reject(badInput("a part of the form has malformed headers"));
    // The parser may emit further errors after the first one and keeps its listeners; only the first rejection counts.
    parser.on("error", () => reject(badInput("the form is malformed")));
    parser.on("fieldsLimit", () => reject(badInput("too many fields")));
    parser.on("partsLimit", () => reject(badInput("too many parts")));
    parser.on("filesLimit", () =>
      reject(badInput(part ? "this endpoint takes one file" : "this endpoint takes no file")),
    );
    parser.on("field", (name: string | undefined, value, { valueTruncated }) => {
      if (name === undefined || name === "") return reject(badInput("a field has no name"));
      if (name in fields) return reject(badInput("a field is repeated", shortened(name)));
      if (valueTruncated) return reject(badInput("a field is too long", shortened(name)));
      if (value.includes("\0")) return reject(badInput("a field holds a NUL character", shortened(name)));
      fields[name] = value;
    });
    parser.on("file", (name: string | undefined, stream: FileStream) => {
      const pieces: Buffer[] = [];
      stream.on("data", (piece: Buffer) => pieces.push(piece));
      stream.on("error", () => reject(badInput("the form is malformed")));
      stream.on("end", () => {
        if (name !== part?.field) return reject(badInput("a file has another name", shortened(name ?? "")));
        if (stream.truncated) return reject(new EndpointError(codes.tooLarge, "the file is too large"));
        file = Buffer.concat(pieces);
      });
    });
    parser.on("finish", () => {
      if (part && (file === null || file.length === 0)) return reject(badInput("the file is missing", part.field));
      resolve({ fields, file });
    });
    parser.end(body);
  });
}

const boundaryParameter = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i;
const dispositionForm =
  /^content-disposition:\s*form-data((?:\s*;\s*(?:file)?name=(?:"(?:[^"\\\r\n]|\\.)*"|[\w.-]+))+)\s*$/i;
const headerForm = /^[\w-]+:[^\r\n]*$/;
const escapedLineBreak = /%0[ad]/i;
const charsetForm = /;\s*charset\s*=\s*"?([^";\s]*)/i;
/** Longer than the headers that browsers write. */
const headBytesMax = 2_048;

/** One single-line name for each part, in UTF-8: the parser could read other parts differently than the client. */
function hasPlainHeads(body: Buffer, contentType: string): boolean {
  const [, quoted, plain] = boundaryParameter.exec(contentType) ?? [];
  const delimiter = `--${quoted ?? plain}`;
  let at = body.indexOf(delimiter);
  while (at !== -1) {
    const headAt = at + delimiter.length;
    const next = body.toString("latin1", headAt, headAt + 2);
    if (next === "--") return true;
    const headEnd = body.indexOf("\r\n\r\n", headAt);
    if (next !== "\r\n" || headEnd === -1 || headEnd - headAt > headBytesMax) return false;
    if (!isPlainHead(body.toString("latin1", headAt + 2, headEnd).split("\r\n"))) return false;
    at = body.indexOf(`\r\n${delimiter}`, headEnd + 2);
    if (at !== -1) at += 2;
  }
  return false;
}

function isPlainHead(lines: readonly string[]): boolean {
  if (!lines.every((line) => headerForm.test(line))) return false;
  const named = lines.filter((line) => /^content-disposition:/i.test(line));
  if (named.length !== 1 || !dispositionForm.test(named[0]!) || escapedLineBreak.test(named[0]!)) return false;
  const typed = lines.filter((line) => /^content-type:/i.test(line));
  const charset = charsetForm.exec(typed.join())?.[1];
  return typed.length <= 1 && (charset === undefined || charset.toLowerCase() === "utf-8");
}

type FileStream = NodeJS.ReadableStream & { truncated?: boolean };

function openParser(contentType: string, part: FilePart | null): busboy.Busboy | null {
  try {
    return busboy({
      headers: { "content-type": contentType },
      defParamCharset: "utf8",
      limits: {
        // One more than allowed, so that reaching the limit means exceeding it.
        fieldSize: formFieldBytesMax + 1,
        fields: formFieldsMax,
        parts: formFieldsMax + 1,
        files: part ? 1 : 0,
        fileSize: (part?.bytesMax ?? 0) + 1,
      },
    });
  } catch {
    // busboy throws plain errors for unreadable content types, which are all the same to the client.
    return null;
  }
}

/** A name from the client, short enough to be returned. */
export function shortened(name: string): string {
  return name.slice(0, 64);
}

const boundaryForm = /^multipart\/form-data; boundary=([\w-]{1,70})$/;
const nameForm = /^[\w-]{1,64}$/;
const partHead = '\r\nContent-Disposition: form-data; name="';
const headEnd = '"\r\n\r\n';
/** A UTF-16 unit is at most three bytes of UTF-8, so a text of this length never exceeds the limit. */
const valueLengthMax = Math.floor(formFieldBytesMax / 3);

/** Fast path for forms of text fields. Null for any other body, which the general parser accepts or rejects. */
export function readPlainForm(body: Buffer, contentType: string): Record<string, string> | null {
  const boundary = boundaryForm.exec(contentType)?.[1];
  if (boundary === undefined) return null;
  // The line break before the first delimiter is optional: with it, all delimiters are equal.
  const text = `\r\n${body.toString("utf8")}`;
  if (text.includes("\0")) return null;
  const parts = text.split(`\r\n--${boundary}`, formFieldsMax + 3);
  if (parts.length > formFieldsMax + 2 || parts.shift() !== "" || parts.pop() !== "--\r\n") return null;
  const form = Object.create(null) as Record<string, string>;
  for (const part of parts) {
    const nameEnd = part.indexOf('"', partHead.length);
    const name = part.slice(partHead.length, nameEnd);
    const isPlain = part.startsWith(partHead) && part.startsWith(headEnd, nameEnd) && nameForm.test(name);
    const value = part.slice(nameEnd + headEnd.length);
    if (!isPlain || name in form || value.length > valueLengthMax) return null;
    form[name] = value;
  }
  return form;
}
