import { blobKeyOf } from "#lib/blob-key.ts";
import type { Blobs } from "#ports/blobs.ts";

export function memoryBlobs(kept: Map<string, Buffer>): Blobs {
  return {
    put: async (bytes, extension) => {
      const key = blobKeyOf(bytes, extension);
      kept.set(key, bytes);
      return key;
    },
    get: async (key) => kept.get(key) ?? null,
    delete: async (key) => void kept.delete(key),
  };
}
