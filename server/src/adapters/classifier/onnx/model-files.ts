import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FrameModel, frameModels } from "#ports/frame-classifier.ts";
import {
  type GraphNode,
  type KerasLayer,
  modelEdgePx,
  type ModelSource,
  modelVersion,
  readModel,
} from "./model-source.ts";
import { inputName, OnnxGraph, type Tensor } from "./onnx-graph.ts";

/** Goes up when the conversion changes, so that files of an earlier one are not used. */
const conversion = 2;

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
function toOnnx(model: FrameModel): Buffer {
  const { topology, weights } = readModel(model);
  const graph = new OnnxGraph();
  const output =
    "node" in topology
      ? addOperators(graph, topology.node, weights)
      : addLayers(graph, topology.model_config.config.layers, weights);
  return graph.toBytes({ output, edgePx: modelEdgePx[model] });
}

/** One layer, with what comes in and what its weights are. */
interface Layer {
  readonly graph: OnnxGraph;
  readonly config: LayerConfig;
  readonly inputs: readonly string[];
  /** The first of the inputs. */
  readonly input: string;
  /** To be added around the first input. */
  readonly zeros: Zeros | undefined;
  readonly weight: (name: string) => Tensor;
  readonly optionalWeight: (name: string) => Tensor | undefined;
}

/** How many at the top, left, bottom and right. */
type Zeros = readonly [number, number, number, number];

/** What of a layer's settings is read; which of them are there depends on its class. */
interface LayerConfig {
  readonly activation: string | null;
  readonly use_bias: boolean;
  readonly strides: readonly number[];
  readonly pool_size: readonly number[];
  readonly dilation_rate: readonly number[];
  readonly padding: string | readonly [readonly [number, number], readonly [number, number]];
  readonly epsilon: number;
  readonly max_value: number | null;
}

/** Adds the layers of a Keras model in their order, and answers the name of the last one's value. */
function addLayers(graph: OnnxGraph, layers: readonly KerasLayer[], weights: ModelSource["weights"]): string {
  const values = new Map<string, string>();
  const zerosOf = new Map<string, Zeros>();
  let last = inputName;
  for (const { class_name, config, inbound_nodes } of layers) {
    const convert = converters[class_name];
    if (!convert) throw new Error(`layers of the class ${class_name} are not known`);
    const before = (inbound_nodes?.[0] ?? []).map(([name]) => String(name));
    const inputs = before.map((name) => valueOf(values, name));
    const zeros = before.map((name) => zerosOf.get(name)).find(Boolean);
    if (zeros && !takesZeros.has(class_name)) throw new Error(`zeros come before a layer of the class ${class_name}`);
    if (class_name === "ZeroPadding2D") zerosOf.set(config.name, zerosIn(config));
    const optionalWeight = (name: string) => weights.get(`${config.name}/${name}`);
    last = convert({
      graph,
      config: config as unknown as LayerConfig,
      inputs,
      input: inputs[0] ?? inputName,
      zeros,
      optionalWeight,
      weight: (name) => {
        const weight = optionalWeight(name);
        if (!weight) throw new Error(`the layer ${config.name} has no ${name}`);
        return weight;
      },
    });
    values.set(config.name, last);
  }
  return last;
}

const converters: Readonly<Record<string, ((layer: Layer) => string) | undefined>> = {
  InputLayer: () => inputName,
  Dropout: ({ input }) => input,
  // The convolution after it adds them.
  ZeroPadding2D: ({ input }) => input,
  Conv2D: ({ weight, ...layer }) => {
    const kernel = convolutionKernel(weight("kernel"));
    return addConvolution({ ...layer, weight }, kernel, { dilations: layer.config.dilation_rate });
  },
  DepthwiseConv2D: ({ weight, ...layer }) => {
    const kernel = weight("depthwise_kernel");
    return addConvolution({ ...layer, weight }, depthwiseKernel(kernel), { group: channelsOf(kernel) });
  },
  BatchNormalization: addNormalization,
  ReLU: ({ graph, input, config: { max_value } }) =>
    max_value === null ? graph.add("Relu", [input]) : addClip(graph, input, max_value),
  Activation: ({ graph, input, config }) => addActivation(graph, input, config.activation),
  Add: ({ graph, inputs }) => inputs.reduce((sum, input) => graph.add("Add", [sum, input])),
  Concatenate: ({ graph, inputs }) => graph.add("Concat", inputs, { axis: 1 }),
  MaxPooling2D: (layer) => addPool("MaxPool", layer),
  AveragePooling2D: (layer) => addPool("AveragePool", layer),
  GlobalAveragePooling2D: ({ graph, input }) =>
    graph.add("Flatten", [graph.add("GlobalAveragePool", [input])], { axis: 1 }),
  Flatten: ({ graph, input }) => graph.add("Flatten", [input], { axis: 1 }),
  Dense: ({ graph, input, weight, config }) => {
    const product = graph.add("Gemm", [input, graph.constant(weight("kernel")), graph.constant(weight("bias"))]);
    return addActivation(graph, product, config.activation);
  },
};

/** Layers that may stand after zeros. */
const takesZeros: ReadonlySet<string> = new Set(["Conv2D", "DepthwiseConv2D"]);

/** Adds what follows a layer: nothing for null and linear. */
function addActivation(graph: OnnxGraph, input: string, activation: string | null): string {
  switch (activation) {
    case null:
    case "linear":
      return input;
    case "relu":
      return graph.add("Relu", [input]);
    case "relu6":
      return addClip(graph, input, 6);
    case "softmax":
      return graph.add("Softmax", [input], { axis: -1 });
    default:
      throw new Error(`the activation ${activation} is not known`);
  }
}

/** How TensorFlow's `same` and `valid` are called in ONNX. */
function paddingOf(padding: unknown): "SAME_UPPER" | "VALID" {
  const name = String(padding).toLowerCase();
  if (name !== "same" && name !== "valid") throw new Error(`the padding ${name} is not known`);
  return name === "same" ? "SAME_UPPER" : "VALID";
}

/**
 * A convolution that adds the zeros by itself: an operator of their own would have the whole picture brought into the
 * ordinary order of numbers and back, which took a fifth of the first model's time.
 */
function paddingWith(zeros: Zeros | undefined, padding: unknown) {
  const name = paddingOf(padding);
  if (!zeros) return { auto_pad: name };
  if (name !== "VALID") throw new Error("zeros come before a convolution that adds its own");
  return { pads: zeros };
}

function addClip(graph: OnnxGraph, input: string, max: number): string {
  return graph.add("Clip", [input, graph.scalar(0), graph.scalar(max)]);
}

function zerosIn(config: KerasLayer["config"]): Zeros {
  const { padding } = config as unknown as LayerConfig;
  if (typeof padding === "string") throw new Error("padding with zeros needs its sizes");
  const [[top, bottom], [left, right]] = padding;
  return [top, left, bottom, right];
}

function addConvolution(
  { graph, input, config, weight, zeros }: Layer,
  kernel: Tensor,
  attributes: { dilations: readonly number[] } | { group: number },
): string {
  const inputs = [input, graph.constant(kernel), ...(config.use_bias ? [graph.constant(weight("bias"))] : [])];
  const value = graph.add("Conv", inputs, {
    strides: config.strides,
    ...paddingWith(zeros, config.padding),
    ...attributes,
  });
  return addActivation(graph, value, config.activation);
}

function addNormalization({ graph, input, config, weight, optionalWeight }: Layer): string {
  const mean = weight("moving_mean");
  const same = (value: number): Tensor => ({ shape: mean.shape, data: new Float32Array(mean.data.length).fill(value) });
  const parts = [
    optionalWeight("gamma") ?? same(1),
    optionalWeight("beta") ?? same(0),
    mean,
    weight("moving_variance"),
  ];
  const inputs = [input, ...parts.map((part) => graph.constant(part))];
  return graph.add("BatchNormalization", inputs, { epsilon: { float: config.epsilon } });
}

function addPool(operator: string, { graph, input, config }: Layer): string {
  return graph.add(operator, [input], {
    kernel_shape: config.pool_size,
    strides: config.strides,
    auto_pad: paddingOf(config.padding),
  });
}

function valueOf(values: ReadonlyMap<string, string>, layer: string): string {
  const value = values.get(layer);
  if (value === undefined) throw new Error(`the layer ${layer} comes after one that needs it`);
  return value;
}

/** One operator, with what comes in: values that are computed, or weights, by place. */
interface Operator {
  readonly graph: OnnxGraph;
  readonly node: GraphNode;
  readonly value: (place: number) => string;
  readonly weight: (place: number) => Tensor;
}

const elementwise: Readonly<Record<string, string | undefined>> = { Mul: "Mul", Sub: "Sub", AddV2: "Add" };

/** Adds the operators of a TensorFlow graph in their order, and answers the name of the last one's value. */
function addOperators(graph: OnnxGraph, nodes: readonly GraphNode[], weights: ModelSource["weights"]): string {
  const values = new Map<string, string>();
  let last = inputName;
  for (const node of nodes) {
    if (node.op === "Const") continue;
    const names = (node.input ?? []).filter((name) => !name.startsWith("^")).map((name) => name.split(":")[0] ?? "");
    const nameAt = (place: number) => names[place] ?? "";
    const weightAt = (place: number) => weights.get(nameAt(place));
    last = addOperator({
      graph,
      node,
      value: (place) => {
        const weight = weightAt(place);
        const value = weight ? graph.constant(weight) : values.get(nameAt(place));
        if (value === undefined) throw new Error(`${node.name} needs ${nameAt(place)}, which is not there`);
        return value;
      },
      weight: (place) => {
        const weight = weightAt(place);
        if (!weight) throw new Error(`${node.name} needs weights for ${nameAt(place)}`);
        return weight;
      },
    });
    values.set(node.name, last);
  }
  return last;
}

function addOperator(operator: Operator): string {
  const { graph, node, value, weight } = operator;
  const binary = elementwise[node.op];
  if (binary) return graph.add(binary, [value(0), value(1)]);
  switch (node.op) {
    case "Placeholder":
      return inputName;
    case "Identity":
      return value(0);
    case "_FusedConv2D":
      return addFusedConvolution(operator, convolutionKernel(weight(1)), 1);
    case "FusedDepthwiseConv2dNative":
      return addFusedConvolution(operator, depthwiseKernel(weight(1)), channelsOf(weight(1)));
    case "AvgPool": {
      const attributes = { kernel_shape: sizesOf(node, "ksize"), strides: sizesOf(node, "strides") };
      return graph.add("AveragePool", [value(0)], { ...attributes, auto_pad: paddingIn(node) });
    }
    case "Squeeze":
      return graph.add("Flatten", [value(0)], { axis: 1 });
    case "_FusedMatMul":
      return addFused(operator, graph.add("Gemm", [value(0), graph.constant(weight(1)), graph.constant(weight(2))]));
    case "Softmax":
      return graph.add("Softmax", [value(0)], { axis: -1 });
    default:
      throw new Error(`the operator ${node.op} is not known`);
  }
}

function addFusedConvolution(operator: Operator, kernel: Tensor, group: number): string {
  const { graph, node, value, weight } = operator;
  const inputs = [value(0), graph.constant(kernel), graph.constant(weight(2))];
  const attributes = { strides: sizesOf(node, "strides"), auto_pad: paddingIn(node), group };
  return addFused(operator, graph.add("Conv", inputs, attributes));
}

/** Adds the activation that was merged into an operator. Adding a bias, the other thing that is, is part of it. */
function addFused({ graph, node }: Operator, value: string): string {
  const fused = (node.attr?.["fused_ops"]?.list?.s ?? []).map(fromBase64);
  const activation = fused.find((name) => name !== "BiasAdd");
  return addActivation(graph, value, activation?.toLowerCase() ?? null);
}

/** Height and width out of batch, height, width and channels. */
function sizesOf(node: GraphNode, name: string): number[] {
  return (node.attr?.[name]?.list?.i ?? []).map(Number).slice(1, 3);
}

function paddingIn(node: GraphNode) {
  return paddingOf(fromBase64(node.attr?.["padding"]?.s ?? ""));
}

function fromBase64(text: string): string {
  return Buffer.from(text, "base64").toString();
}

/** TensorFlow keeps a kernel as height, width, input, output; ONNX as output, input, height, width. */
function convolutionKernel({ shape, data }: Tensor): Tensor {
  const [height, width, inputs, outputs] = kernelSizes(shape);
  const area = height * width;
  const ordered = new Float32Array(data.length);
  let from = 0;
  for (let place = 0; place < area; place += 1) {
    for (let input = 0; input < inputs; input += 1) {
      for (let output = 0; output < outputs; output += 1) {
        ordered[(output * inputs + input) * area + place] = data[from] ?? 0;
        from += 1;
      }
    }
  }
  return { shape: [outputs, inputs, height, width], data: ordered };
}

/** A kernel for each channel by itself: height, width, channel, multiplier becomes channel times multiplier, 1, ... */
function depthwiseKernel({ shape, data }: Tensor): Tensor {
  const [height, width, channels, multiplier] = kernelSizes(shape);
  const { data: ordered } = convolutionKernel({ shape: [height, width, 1, channels * multiplier], data });
  return { shape: [channels * multiplier, 1, height, width], data: ordered };
}

/** How many channels a depthwise kernel reads. */
function channelsOf({ shape }: Tensor): number {
  return kernelSizes(shape)[2];
}

function kernelSizes(shape: readonly number[]): [number, number, number, number] {
  const [one, two, three, four] = shape;
  if (one === undefined || two === undefined || three === undefined || four === undefined) {
    throw new Error(`a kernel has four dimensions, not ${shape.length}`);
  }
  return [one, two, three, four];
}
