/**
 * Bytes of a multipart form, built by us: those very bytes are hashed and sent. A form made by the browser rewrites
 * line breaks and lone surrogates, so that what was signed would not be what travels.
 */
export interface FormBytes {
  contentType: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** `boundary` must not occur in a value; a random one of 32 digits does not. Field names are ours and plain ASCII. */
export function multipartBytes(
  fields: readonly (readonly [name: string, value: string])[],
  boundary: string,
): FormBytes {
  const parts = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: new TextEncoder().encode(`${parts.join("")}--${boundary}--\r\n`),
  };
}
