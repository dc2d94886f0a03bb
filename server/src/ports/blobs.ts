/** The storage did not do what was asked of it; what had been sent may have been done all the same. */
export class BlobsUnavailableError extends Error {
  override readonly name = "BlobsUnavailableError";
  constructor(cause: unknown) {
    super("the storage of pictures and files is away", { cause });
  }
}

/** Content-addressed storage of pictures and other files. Each of these may fail with `BlobsUnavailableError`. */
export interface Blobs {
  /** Stores bytes and answers their key: hex SHA-256 and extension. Storing twice is one object. */
  put(bytes: Buffer, extension: "webp" | "zip" | "sealed"): Promise<string>;
  /** The bytes behind a key, or null. Keys of another shape are null, never an error or a path. */
  get(key: string): Promise<Buffer | null>;
  /** Forgets the bytes behind a key; nothing happens where there are none. Fails rather than take longer than a few seconds. */
  delete(key: string): Promise<void>;
}
