import * as kernels from "./kernels.ts";
import type { Grid } from "./kernels.ts";
import { type Model, type Operator, operatorCodes } from "./tflite.ts";

/** Finds the person in a small picture. */
export interface Segmenter {
  /** Red, green and blue of each pixel, from 0 to 1. */
  readonly picture: Float64Array;
  /** How surely each pixel belongs to a person, from 0 to 1. */
  readonly mask: Float64Array;
  /** Computes the mask of the picture. */
  run(): void;
}

/** Width and height of a segmenter's picture: multiples of 16, because the model halves it four times. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const transposed = "Convolution2DTransposeBias";

/** Prepares the model of `@mediapipe/selfie_segmentation` for pictures of one size: it has no size of its own. */
export function newSegmenter(model: Model, { width, height }: PictureSize): Segmenter {
  const plan = new Plan(model);
  const picture = kernels.newGrid(width, height, 3);
  plan.grids.set(model.input, picture);
  for (const operator of model.operators) plan.add(operator);
  const { steps } = plan;
  return {
    picture: picture.values,
    mask: plan.grid(model.output).values,
    run: () => {
      for (const step of steps) step();
    },
  };
}

/** The steps that compute the grids of a model, and the constants that they use. */
class Plan {
  readonly steps: (() => void)[] = [];
  readonly grids = new Map<number, Grid>();
  readonly #constants = new Map<number, Float64Array>();
  readonly #model: Model;

  constructor(model: Model) {
    this.#model = model;
  }

  grid(tensor: number): Grid {
    const grid = this.grids.get(tensor);
    if (!grid) throw new Error(`the model reads tensor ${tensor} before it is computed`);
    return grid;
  }

  add(operator: Operator): void {
    const { code, inputs, output } = operator;
    if (code === operatorCodes.dequantize) this.#constants.set(output, this.#constant(inputs[0]));
    else if (code === operatorCodes.convolution || code === operatorCodes.depthwise) this.#addConvolution(operator);
    else this.#addOther(operator);
  }

  #addConvolution(operator: Operator): void {
    const [from, kernel, offsets] = operator.inputs;
    const input = this.grid(from ?? -1);
    const shape = this.#model.tensors[kernel ?? -1]?.shape ?? [];
    const isDepthwise = operator.code === operatorCodes.depthwise;
    const window = { size: shape[1] ?? 0, stride: operator.stride };
    const weights = this.#constant(kernel);
    const bias = this.#constant(offsets);
    // Neither `/` nor `**`: V8 would keep the sizes as fractions, and the loops of the kernels would take twice as long.
    const shift = window.stride - 1;
    const output = kernels.newGrid(
      (input.width + shift) >> shift,
      (input.height + shift) >> shift,
      (isDepthwise ? shape[3] : shape[0]) ?? 0,
    );
    this.grids.set(operator.output, output);
    if (window.size === 1) {
      const layer = { weights: kernels.packed(weights, input.channels), bias };
      this.steps.push(() => kernels.pointwise(input, output, layer));
      return;
    }
    const edged = kernels.newBordered(input, output, window);
    this.steps.push(() => kernels.withBorder(input, edged));
    if (isDepthwise) {
      this.steps.push(() => kernels.depthwise(edged, output, { weights, bias, ...window }));
      return;
    }
    const inputs = window.size * window.size * input.channels;
    const columns = kernels.newGrid(output.width, output.height, inputs);
    const layer = { weights: kernels.packed(weights, inputs), bias };
    this.steps.push(() => kernels.windows(edged, columns, window));
    this.steps.push(() => kernels.pointwise(columns, output, layer));
  }

  #addOther(operator: Operator): void {
    const { code, custom, inputs } = operator;
    const input = this.grid(inputs[0] ?? -1);
    const add = (width: number, height: number, channels: number): Grid => {
      const grid = kernels.newGrid(width, height, channels);
      this.grids.set(operator.output, grid);
      return grid;
    };
    const alike = () => add(input.width, input.height, input.channels);
    if (code === operatorCodes.mean) {
      const output = add(1, 1, input.channels);
      this.steps.push(() => kernels.mean(input, output));
    } else if (code === operatorCodes.sigmoid) {
      const output = alike();
      this.steps.push(() => kernels.sigmoid(input, output));
    } else if (code === operatorCodes.add || code === operatorCodes.multiply) {
      const other = this.grid(inputs[1] ?? -1);
      const output = alike();
      const combine = code === operatorCodes.add ? kernels.add : kernels.scale;
      this.steps.push(() => combine(input, other, output));
    } else if (code === operatorCodes.resize) {
      const output = add(2 * input.width, 2 * input.height, input.channels);
      this.steps.push(() => kernels.enlarge(input, output));
    } else if (code === operatorCodes.custom && custom === transposed) {
      const layer = { weights: this.#constant(inputs[1]), bias: this.#constant(inputs[2]) };
      const output = add(2 * input.width, 2 * input.height, 1);
      this.steps.push(() => kernels.spread(input, output, layer));
    } else if (code === operatorCodes.relu || code === operatorCodes.hardSwish) {
      const activate = code === operatorCodes.relu ? kernels.relu : kernels.hardSwish;
      // In place, unless another operator reads the values as they are.
      const readers = this.#model.operators.filter((other) => other.inputs.includes(inputs[0] ?? -1));
      const output = readers.length === 1 ? input : alike();
      this.grids.set(operator.output, output);
      this.steps.push(() => activate(input, output));
    } else throw new Error(`the model has an unknown operator ${code} ${custom}`);
  }

  #constant(tensor = -1): Float64Array {
    const values = this.#constants.get(tensor) ?? this.#model.tensors[tensor]?.values;
    if (!values) throw new Error(`tensor ${tensor} of the model is not constant`);
    return values;
  }
}
