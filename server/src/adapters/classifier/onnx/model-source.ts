import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { FrameModel } from "#ports/frame-classifier.ts";
import type { Tensor } from "./onnx-graph.ts";

/** One of the models inside the package `nsfwjs`, as TensorFlow.js stores it. */
export interface ModelSource {
  readonly topology: Topology;
  readonly weights: ReadonlyMap<string, Tensor>;
}

/** A network of Keras layers, or a graph of TensorFlow operators. */
export type Topology =
  | { readonly model_config: { readonly config: { readonly layers: readonly KerasLayer[] } } }
  | { readonly node: readonly GraphNode[] };

export interface KerasLayer {
  readonly class_name: string;
  readonly config: Readonly<Record<string, unknown>> & { readonly name: string };
  /** For each use of the layer, the names of the layers before it. */
  readonly inbound_nodes?: readonly (readonly (readonly unknown[])[])[];
}

export interface GraphNode {
  readonly name: string;
  readonly op: string;
  readonly input?: readonly string[];
  readonly attr?: Readonly<Record<string, GraphAttribute | undefined>>;
}

/** Numbers are text, and texts are base64, as JSON of protobuf has them. */
export interface GraphAttribute {
  readonly s?: string;
  readonly list?: { readonly i?: readonly (string | number)[]; readonly s?: readonly string[] };
}

interface StoredModel {
  readonly modelTopology: Topology;
  readonly weightsManifest: readonly { readonly paths: readonly string[]; readonly weights: readonly StoredWeight[] }[];
}

interface StoredWeight {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly quantization?: { readonly dtype: string; readonly scale: number; readonly min: number };
}

/** Edge of the square picture that a model wants, in pixels. */
export const modelEdgePx: Readonly<Record<FrameModel, number>> = { mobilenet: 224, mid: 224, inception: 299 };

const folders: Readonly<Record<FrameModel, string>> = {
  mobilenet: "mobilenet_v2",
  mid: "mobilenet_v2_mid",
  inception: "inception_v3",
};
const requireModule = createRequire(import.meta.url);

/** Where the package is, without running any of it but its data files. */
function packageFolder(): string {
  return join(requireModule.resolve("nsfwjs"), "..", "..", "..");
}

/** Version of the package that brings the models. */
export function modelVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8")) as { version: string };
  return version;
}

/** Reads a model out of the package: the larger one takes 150 MB of memory while it is read. */
export function readModel(model: FrameModel): ModelSource {
  const folder = join(packageFolder(), "dist", "models", folders[model]);
  const stored = readModule(join(folder, "model.min.js")) as StoredModel;
  const weights = new Map<string, Tensor>();
  for (const group of stored.weightsManifest) {
    const parts = group.paths.map((path) =>
      Buffer.from(readModule(join(folder, `${path}.min.js`)) as string, "base64"),
    );
    readWeights(Buffer.concat(parts), group.weights, weights);
  }
  return { topology: stored.modelTopology, weights };
}

/** A data file of the package is a module with one value. */
function readModule(file: string): unknown {
  const module = requireModule(file) as { default?: unknown };
  return module.default ?? module;
}

function readWeights(bytes: Buffer, stored: readonly StoredWeight[], into: Map<string, Tensor>): void {
  let offset = 0;
  for (const weight of stored) {
    const read = readerOf(weight, bytes);
    const count = weight.shape.reduce((product, size) => product * size, 1);
    const data = new Float32Array(count);
    for (let index = 0; index < count; index += 1) data[index] = read.at(offset + index * read.byteCount);
    offset += count * read.byteCount;
    into.set(weight.name, { shape: weight.shape, data });
  }
}

/** How one number of a weight is stored: in fewer bits with a scale, or as it is. */
function readerOf(weight: StoredWeight, bytes: Buffer): { byteCount: number; at: (offset: number) => number } {
  const { quantization } = weight;
  const stored = quantization?.dtype ?? weight.dtype;
  const { scale, min } = quantization ?? { scale: 1, min: 0 };
  switch (stored) {
    case "uint8":
      return { byteCount: 1, at: (offset) => bytes.readUInt8(offset) * scale + min };
    case "uint16":
      return { byteCount: 2, at: (offset) => bytes.readUInt16LE(offset) * scale + min };
    case "float32":
      return { byteCount: 4, at: (offset) => bytes.readFloatLE(offset) };
    case "int32":
      return { byteCount: 4, at: (offset) => bytes.readInt32LE(offset) };
    default:
      throw new Error(`weights stored as ${stored} are not known`);
  }
}
