import { join } from "node:path";
import { FileBlobs } from "#adapters/file-blobs/file-blobs.ts";
import type { Config } from "#config.ts";
import type { Blobs } from "#ports/blobs.ts";

/** The bucket where one is configured, otherwise files in the data directory. Part of the composition root. */
export async function chooseBlobs({ bucket, dataDirectory }: Config): Promise<Blobs & Partial<Disposable>> {
  if (!bucket) return new FileBlobs(join(dataDirectory, "blobs"));
  // Loaded only where it is used: the library takes 20 MB of memory.
  const { S3Blobs } = await import("#adapters/s3-blobs/s3-blobs.ts");
  return new S3Blobs(bucket);
}
