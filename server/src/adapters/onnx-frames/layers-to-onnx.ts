import { channelsOf, convolutionKernel, depthwiseKernel } from "./kernel-order.ts";
import type { KerasLayer, ModelSource } from "./model-source.ts";
import { inputName, type OnnxGraph, type Tensor } from "./onnx-graph.ts";

/** One layer, with what comes in and what its weights are. */
interface Layer {
  readonly graph: OnnxGraph;
  readonly config: LayerConfig;
  readonly inputs: readonly string[];
  /** The first of the inputs. */
  readonly input: string;
  readonly weight: (name: string) => Tensor;
  readonly optionalWeight: (name: string) => Tensor | undefined;
}

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
export function addLayers(graph: OnnxGraph, layers: readonly KerasLayer[], weights: ModelSource["weights"]): string {
  const values = new Map<string, string>();
  let last = inputName;
  for (const { class_name, config, inbound_nodes } of layers) {
    const convert = converters[class_name];
    if (!convert) throw new Error(`layers of the class ${class_name} are not known`);
    const inputs = (inbound_nodes?.[0] ?? []).map(([name]) => valueOf(values, String(name)));
    const optionalWeight = (name: string) => weights.get(`${config.name}/${name}`);
    last = convert({
      graph,
      config: config as unknown as LayerConfig,
      inputs,
      input: inputs[0] ?? inputName,
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
  ZeroPadding2D: addPadding,
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

/** Adds what follows a layer: nothing for null and linear. */
export function addActivation(graph: OnnxGraph, input: string, activation: string | null): string {
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
export function paddingOf(padding: unknown): "SAME_UPPER" | "VALID" {
  const name = String(padding).toLowerCase();
  if (name !== "same" && name !== "valid") throw new Error(`the padding ${name} is not known`);
  return name === "same" ? "SAME_UPPER" : "VALID";
}

function addClip(graph: OnnxGraph, input: string, max: number): string {
  return graph.add("Clip", [input, graph.scalar(0), graph.scalar(max)]);
}

function addPadding({ graph, input, config: { padding } }: Layer): string {
  if (typeof padding === "string") throw new Error("padding with zeros needs its sizes");
  const [[top, bottom], [left, right]] = padding;
  const sizes = graph.integers([0, 0, top, left, 0, 0, bottom, right]);
  return graph.add("Pad", [input, sizes, graph.scalar(0)], { mode: "constant" });
}

function addConvolution(
  { graph, input, config, weight }: Layer,
  kernel: Tensor,
  attributes: { dilations: readonly number[] } | { group: number },
): string {
  const inputs = [input, graph.constant(kernel), ...(config.use_bias ? [graph.constant(weight("bias"))] : [])];
  const value = graph.add("Conv", inputs, {
    strides: config.strides,
    auto_pad: paddingOf(config.padding),
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
