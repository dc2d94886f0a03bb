import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { blobsContract } from "#test/contracts/blobs-contract.ts";
import { FileBlobs } from "./file-blobs.ts";

blobsContract("files", async () => {
  const directory = await mkdtemp(join(tmpdir(), "fava-blobs-"));
  return {
    blobs: new FileBlobs(directory),
    stored: async () => {
      const files = await readdir(directory, { recursive: true });
      return files.filter((file) => file.includes(".")).map((file) => basename(file));
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
});
