/** The storage reported an error, but may have executed the request. */
export class BlobsUnavailableError extends Error {
  override readonly name = "BlobsUnavailableError";
  constructor(cause: unknown) {
    super("blob storage is unavailable", { cause });
  }
}

/** Content-addressed storage of pictures and other files. Every method may fail with `BlobsUnavailableError`. */
export interface Blobs {
  /** Stores bytes and returns their key: hex SHA-256 and extension. Storing equal bytes twice keeps one object. */
  put(bytes: Buffer, extension: "webp" | "zip" | "sealed"): Promise<string>;
  /** The bytes of a key; null if there are none or the key is malformed, so that no text becomes a path. */
  get(key: string): Promise<Buffer | null>;
  /** Deletes the bytes of a key. Idempotent. Rejects after a timeout of a few seconds. */
  delete(key: string): Promise<void>;
}
