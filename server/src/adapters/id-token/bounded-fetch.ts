/** Answer of a provider: small by contract, read whole. */
export interface BoundedAnswer {
  status: number;
  body: Buffer<ArrayBuffer>;
}

export interface FetchBounds {
  timeoutMs: number;
  bytesMax: number;
}

/**
 * GET of a provider's address: no redirects, a deadline over the whole answer and a limit on its size.
 *
 * @throws Error when the provider is away, slow or answers more than `bytesMax`.
 */
export async function fetchBounded(address: URL | string, bounds: FetchBounds): Promise<BoundedAnswer> {
  const response = await fetch(address, {
    redirect: "error",
    signal: AbortSignal.timeout(bounds.timeoutMs),
    headers: { accept: "application/json" },
  });
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > bounds.bytesMax) throw new Error(`answer is larger than ${bounds.bytesMax} bytes`);
    parts.push(part);
  }
  return { status: response.status, body: Buffer.concat(parts) };
}
