/**
 * Bytes of a multipart form, built by us: those very bytes are hashed and sent. A form made by the browser rewrites
 * line breaks and lone surrogates, so that what was signed would not be what travels.
 */
export interface FormBytes {
  contentType: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export interface FormFile {
  field: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** `boundary` must not occur in a value; a random one of 32 digits does not. Field names are ours and plain ASCII. */
export function multipartBytes(
  fields: readonly (readonly [name: string, value: string])[],
  boundary: string,
  file: FormFile | null = null,
): FormBytes {
  const encoder = new TextEncoder();
  const parts = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const contentType = `multipart/form-data; boundary=${boundary}`;
  if (!file) return { contentType, bytes: encoder.encode(`${parts.join("")}--${boundary}--\r\n`) };
  // What the file is called is nobody's business: its name is always the same.
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${file.field}"; filename="f"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return {
    contentType,
    bytes: joined([encoder.encode(parts.join("") + head), file.bytes, encoder.encode(`\r\n--${boundary}--\r\n`)]),
  };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
