/** Answer of a provider: small by contract, read whole. */
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
 * GET of a provider's address, or POST where there is something to send: no redirects, a deadline over the whole answer
 * and a limit on its size.
 *
 * @throws Error when the provider is away, slow or answers more than `bytesMax`.
 */
export async function fetchBounded(
  address: URL | string,
  bounds: FetchBounds,
  post?: { body: string | Uint8Array<ArrayBuffer>; headers: Readonly<Record<string, string>> },
): Promise<BoundedAnswer> {
  const response = await fetch(address, {
    redirect: "error",
    signal: AbortSignal.timeout(bounds.timeoutMs),
    headers: { accept: "application/json", ...post?.headers },
    ...(post ? { method: "POST", body: post.body } : {}),
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
