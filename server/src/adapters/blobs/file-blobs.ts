import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type BlobExtension, blobKeyOf, isBlobKey } from "#lib/blob-key.ts";
import type { Blobs } from "#ports/blobs.ts";

/** Files in the data directory, in 256 folders by the first byte of their hash. */
export class FileBlobs implements Blobs {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async put(bytes: Buffer, extension: BlobExtension): Promise<string> {
    const key = blobKeyOf(bytes, extension);
    const path = this.#path(key);
    if (await exists(path)) return key;
    await mkdir(dirname(path), { recursive: true });
    // A temporary file is renamed, so that neither a reader nor a crash sees a partial file.
    const aside = `${path}.${randomUUID()}.part`;
    try {
      await writeFile(aside, bytes);
      await rename(aside, path);
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
    return key;
  }

  async get(key: string): Promise<Buffer | null> {
    if (!isBlobKey(key)) return null;
    try {
      return await readFile(this.#path(key));
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    if (isBlobKey(key)) await rm(this.#path(key), { force: true });
  }

  #path(key: string): string {
    return join(this.#directory, key.slice(0, 2), key);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
