import { channelsOf, convolutionKernel, depthwiseKernel } from "./kernel-order.ts";
import { addActivation, paddingOf } from "./layers-to-onnx.ts";
import type { GraphNode, ModelSource } from "./model-source.ts";
import { inputName, type OnnxGraph, type Tensor } from "./onnx-graph.ts";

/** One operator, with what comes in: values that are computed, or weights, by place. */
interface Operator {
  readonly graph: OnnxGraph;
  readonly node: GraphNode;
  readonly value: (place: number) => string;
  readonly weight: (place: number) => Tensor;
}

const elementwise: Readonly<Record<string, string | undefined>> = { Mul: "Mul", Sub: "Sub", AddV2: "Add" };

/** Adds the operators of a TensorFlow graph in their order, and answers the name of the last one's value. */
export function addOperators(graph: OnnxGraph, nodes: readonly GraphNode[], weights: ModelSource["weights"]): string {
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
      return addConvolution(operator, convolutionKernel(weight(1)), 1);
    case "FusedDepthwiseConv2dNative":
      return addConvolution(operator, depthwiseKernel(weight(1)), channelsOf(weight(1)));
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

function addConvolution(operator: Operator, kernel: Tensor, group: number): string {
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
