import type { Tensor } from "./onnx-graph.ts";

/** TensorFlow keeps a kernel as height, width, input, output; ONNX as output, input, height, width. */
export function convolutionKernel({ shape, data }: Tensor): Tensor {
  const [height, width, inputs, outputs] = sizesOf(shape);
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
export function depthwiseKernel({ shape, data }: Tensor): Tensor {
  const [height, width, channels, multiplier] = sizesOf(shape);
  const { data: ordered } = convolutionKernel({ shape: [height, width, 1, channels * multiplier], data });
  return { shape: [channels * multiplier, 1, height, width], data: ordered };
}

/** How many channels a depthwise kernel reads. */
export function channelsOf({ shape }: Tensor): number {
  return sizesOf(shape)[2];
}

function sizesOf(shape: readonly number[]): [number, number, number, number] {
  const [one, two, three, four] = shape;
  if (one === undefined || two === undefined || three === undefined || four === undefined) {
    throw new Error(`a kernel has four dimensions, not ${shape.length}`);
  }
  return [one, two, three, four];
}
