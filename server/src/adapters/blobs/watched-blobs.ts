import type { Logger } from "pino";
import type { BlobExtension } from "#lib/blob-key.ts";
import { type Blobs, BlobsUnavailableError } from "#ports/blobs.ts";
import type { Clock } from "#ports/clock.ts";

interface WatchedBlobsOptions {
  blobs: Blobs & Partial<Disposable>;
  clock: Pick<Clock, "monotonicMs">;
  logger: Pick<Logger, "error" | "info">;
}

type BlobOperation = "put" | "get" | "delete";

/** How long the last result is reused by checks, in milliseconds: a bucket charges for each request. */
const checkEveryMs = 10_000;
/** A key without an object. */
const nothing = `${"0".repeat(64)}.webp`;

/** Failures become `BlobsUnavailableError` and are counted; an outage is logged at its start and end. */
export class WatchedBlobs implements Blobs, Disposable {
  readonly failures: Record<BlobOperation, number> = { put: 0, get: 0, delete: 0 };
  readonly #options: WatchedBlobsOptions;
  #failedSinceMs: number | null = null;
  #answeredAtMs: number | null = null;
  #failure: BlobsUnavailableError | null = null;

  constructor(options: WatchedBlobsOptions) {
    this.#options = options;
  }

  put(bytes: Buffer, extension: BlobExtension): Promise<string> {
    return this.#watch("put", this.#options.blobs.put(bytes, extension));
  }

  get(key: string): Promise<Buffer | null> {
    return this.#watch("get", this.#options.blobs.get(key));
  }

  delete(key: string): Promise<void> {
    return this.#watch("delete", this.#options.blobs.delete(key));
  }

  /** Checks the storage, unless it answered in the last 10 s. @throws BlobsUnavailableError */
  async check(): Promise<void> {
    const nowMs = this.#options.clock.monotonicMs();
    const isKnown = this.#answeredAtMs !== null && nowMs - this.#answeredAtMs < checkEveryMs;
    if (!isKnown) await this.get(nothing);
    else if (this.#failure) throw this.#failure;
  }

  [Symbol.dispose](): void {
    this.#options.blobs[Symbol.dispose]?.();
  }

  async #watch<Result>(operation: BlobOperation, asked: Promise<Result>): Promise<Result> {
    const { clock, logger } = this.#options;
    try {
      const result = await asked;
      this.#answeredAtMs = clock.monotonicMs();
      this.#failure = null;
      if (this.#failedSinceMs !== null) {
        const lastedMs = Math.round(this.#answeredAtMs - this.#failedSinceMs);
        logger.info({ lastedMs }, "blob storage is available again");
      }
      this.#failedSinceMs = null;
      return result;
    } catch (error) {
      this.failures[operation] += 1;
      this.#answeredAtMs = clock.monotonicMs();
      this.#failure = new BlobsUnavailableError(error);
      if (this.#failedSinceMs === null)
        logger.error({ err: error, operation }, "blob storage is unavailable, answering requests with 503");
      this.#failedSinceMs ??= this.#answeredAtMs;
      throw this.#failure;
    }
  }
}
