import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { type BlobExtension, blobKeyOf, isBlobKey } from "#lib/blob-key.ts";
import type { Blobs } from "#ports/blobs.ts";

export interface S3Settings {
  /** Origin of the service; the bucket is a part of the path. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const mediaTypes: Readonly<Record<BlobExtension, string>> = {
  webp: "image/webp",
  zip: "application/zip",
  sealed: "application/octet-stream",
};
const attemptsMax = 3;
/** Limits an operation with its retries, without the transfer of an upload; in a download, each pause between bytes. */
const callTimeoutMs = 6_000;
const bytesPerMsMin = 1_000;
/** The caller of a deletion may hold a database connection. */
const deletionTimeoutMs = 3_000;
const objectBytesMax = 268_435_456;

/** A private S3-compatible bucket: users get pictures from this server. */
export class S3Blobs implements Blobs, Disposable {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor({ endpoint, region, bucket, accessKeyId, secretAccessKey }: S3Settings) {
    this.#bucket = bucket;
    this.#client = new S3Client({
      endpoint,
      region,
      credentials: { accessKeyId, secretAccessKey },
      forcePathStyle: true,
      maxAttempts: attemptsMax,
      // Services other than Amazon's do not know its default checksums; the signature covers the body.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
    });
  }

  async put(bytes: Buffer, extension: BlobExtension): Promise<string> {
    const key = blobKeyOf(bytes, extension);
    const object = { ...this.#object(key), Body: bytes, ContentType: mediaTypes[extension] };
    await this.#client.send(
      new PutObjectCommand(object),
      inTime(callTimeoutMs + Math.ceil(bytes.length / bytesPerMsMin)),
    );
    return key;
  }

  async get(key: string): Promise<Buffer | null> {
    if (!isBlobKey(key)) return null;
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), callTimeoutMs);
    const request = { abortSignal: silence.signal };
    try {
      const { Body: body } = await this.#client.send(new GetObjectCommand(this.#object(key)), request);
      if (!(body instanceof Readable)) throw new Error(`the bucket answered nothing for ${key}`);
      silence.signal.addEventListener("abort", () => body.destroy(new Error(`the bucket stopped sending ${key}`)));
      return await wholeOf(body, () => timer.refresh());
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async delete(key: string): Promise<void> {
    if (isBlobKey(key)) await this.#client.send(new DeleteObjectCommand(this.#object(key)), inTime(deletionTimeoutMs));
  }

  async isListed(key: string): Promise<boolean> {
    const question = new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: key, MaxKeys: 1 });
    const { Contents: found = [] } = await this.#client.send(question, inTime(callTimeoutMs));
    return found.some((object) => object.Key === key);
  }

  [Symbol.dispose](): void {
    this.#client.destroy();
  }

  #object(key: string) {
    return { Bucket: this.#bucket, Key: key };
  }
}

async function wholeOf(body: Readable, onPiece: () => void): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    onPiece();
    size += piece.length;
    if (size > objectBytesMax) throw new Error(`an object is larger than ${objectBytesMax} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function inTime(timeoutMs: number): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(timeoutMs) };
}
