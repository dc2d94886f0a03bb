export interface BoundedAnswer {
  status: number;
  headers: Headers;
  body: Buffer<ArrayBuffer>;
}

export interface FetchBounds {
  timeoutMs: number;
  bytesMax: number;
}

/**
 * A GET, or a POST of `body`. No redirects.
 * @throws Error if the provider is unreachable or slow, or its response exceeds `bytesMax`.
 */
export async function fetchBounded(
  address: URL | string,
  bounds: FetchBounds,
  request?: { body?: string | Uint8Array<ArrayBuffer>; headers: Readonly<Record<string, string>> },
): Promise<BoundedAnswer> {
  const response = await fetch(address, {
    redirect: "error",
    signal: AbortSignal.timeout(bounds.timeoutMs),
    headers: { accept: "application/json", ...request?.headers },
    ...(request?.body === undefined ? {} : { method: "POST", body: request.body }),
  });
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > bounds.bytesMax) throw new Error(`answer is larger than ${bounds.bytesMax} bytes`);
    parts.push(part);
  }
  return { status: response.status, headers: response.headers, body: Buffer.concat(parts) };
}
