import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FrameModel, frameModels } from "#ports/frame-classifier.ts";
import { addLayers } from "./layers-to-onnx.ts";
import { modelEdgePx, modelVersion, readModel } from "./model-source.ts";
import { OnnxGraph } from "./onnx-graph.ts";
import { addOperators } from "./operators-to-onnx.ts";

/** Goes up when the conversion changes, so that files of an earlier one are not used. */
const conversion = 1;

/** Files of the models that this version of the package has, converted or not. */
export function modelFiles(directory: string): Record<FrameModel, string> {
  const file = (model: FrameModel) => join(directory, `${model}-${modelVersion()}-${conversion}.onnx`);
  return { mobilenet: file("mobilenet"), mid: file("mid"), inception: file("inception") };
}

export function areModelsConverted(directory: string): boolean {
  return Object.values(modelFiles(directory)).every((file) => existsSync(file));
}

/**
 * Converts the models that are missing, and waits until they are on disk: three seconds, and 300 MB of memory, so in a
 * thread of its own. A file is there whole or not at all, also with two processes at it.
 */
export function convertModels(directory: string): void {
  mkdirSync(directory, { recursive: true });
  const files = modelFiles(directory);
  for (const model of frameModels) {
    if (existsSync(files[model])) continue;
    const unfinished = `${files[model]}.${process.pid}`;
    try {
      writeFileSync(unfinished, toOnnx(model), { flush: true });
      renameSync(unfinished, files[model]);
    } finally {
      rmSync(unfinished, { force: true });
    }
  }
}

/** A model of the package as an ONNX file with 32-bit weights, which takes pictures as planes of numbers from 0 to 1. */
export function toOnnx(model: FrameModel): Buffer {
  const { topology, weights } = readModel(model);
  const graph = new OnnxGraph();
  const output =
    "node" in topology
      ? addOperators(graph, topology.node, weights)
      : addLayers(graph, topology.model_config.config.layers, weights);
  return graph.toBytes({ output, edgePx: modelEdgePx[model] });
}
