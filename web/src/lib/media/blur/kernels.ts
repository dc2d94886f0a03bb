/** Values in rows of pixels, the channels of a pixel together. */
export interface Grid {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly values: Float64Array;
}

export interface Layer {
  /** In the order of `packed` for `pointwise`, else rows, columns and channels. */
  readonly weights: Float64Array;
  readonly bias: Float64Array;
}

export function newGrid(width: number, height: number, channels: number): Grid {
  return { width, height, channels, values: new Float64Array(width * height * channels) };
}

/** Sorts weights by four outputs, which `pointwise` computes together. `inputs` is the number of weights an output. */
export function packed(weights: Float64Array, inputs: number): Float64Array {
  const sorted = new Float64Array(weights.length);
  for (let at = 0; at < weights.length; at += 1) {
    const output = Math.floor(at / inputs);
    sorted[(output >> 2) * 4 * inputs + 4 * (at % inputs) + (output & 3)] = weights[at]!;
  }
  return sorted;
}

/** A convolution of single pixels. `output.channels` is a multiple of 4. Two pixels share each load of a weight. */
export function pointwise(input: Grid, output: Grid, { weights, bias }: Layer): void {
  const { values: from, channels: inputs } = input;
  const { values: to, channels: outputs } = output;
  const pixels = output.width * output.height;
  for (let first = 0; first < outputs; first += 4) {
    const bias0 = bias[first]!;
    const bias1 = bias[first + 1]!;
    const bias2 = bias[first + 2]!;
    const bias3 = bias[first + 3]!;
    for (let pixel = 0; pixel < pixels; pixel += 2) {
      let left0 = bias0;
      let left1 = bias1;
      let left2 = bias2;
      let left3 = bias3;
      let right0 = bias0;
      let right1 = bias1;
      let right2 = bias2;
      let right3 = bias3;
      // A last pixel without a neighbour is computed twice.
      const next = pixel + 1 < pixels ? 1 : 0;
      const start = pixel * inputs;
      const ahead = next * inputs;
      let weight = first * inputs;
      for (let at = start; at < start + inputs; at += 1, weight += 4) {
        const left = from[at]!;
        const right = from[at + ahead]!;
        const weight0 = weights[weight]!;
        const weight1 = weights[weight + 1]!;
        const weight2 = weights[weight + 2]!;
        const weight3 = weights[weight + 3]!;
        left0 += left * weight0;
        left1 += left * weight1;
        left2 += left * weight2;
        left3 += left * weight3;
        right0 += right * weight0;
        right1 += right * weight1;
        right2 += right * weight2;
        right3 += right * weight3;
      }
      const place = pixel * outputs + first;
      to[place] = left0;
      to[place + 1] = left1;
      to[place + 2] = left2;
      to[place + 3] = left3;
      const beside = place + next * outputs;
      to[beside] = right0;
      to[beside + 1] = right1;
      to[beside + 2] = right2;
      to[beside + 3] = right3;
    }
  }
}

export interface Window {
  readonly size: number;
  readonly stride: number;
}

/** The size of a border around the input, so that each output pixel has a whole window (source: "SAME" of TensorFlow). */
function bordered(input: Grid, output: Grid, { size, stride }: Window): { width: number; height: number } {
  return {
    width: Math.max((output.width - 1) * stride + size, input.width),
    height: Math.max((output.height - 1) * stride + size, input.height),
  };
}

/** A grid for `withBorder`. */
export function newBordered(input: Grid, output: Grid, window: Window): Grid {
  const { width, height } = bordered(input, output, window);
  return newGrid(width, height, input.channels);
}

/** Copies the input into the middle of a larger grid, whose border stays zero. */
export function withBorder(input: Grid, into: Grid): void {
  const left = (into.width - input.width) >> 1;
  const top = (into.height - input.height) >> 1;
  const row = input.width * input.channels;
  for (let y = 0; y < input.height; y += 1)
    into.values.set(input.values.subarray(y * row, (y + 1) * row), ((y + top) * into.width + left) * input.channels);
}

/** Lists the window of each output pixel as its channels, so that `pointwise` is the whole convolution. */
export function windows(input: Grid, output: Grid, { size, stride }: Window): void {
  const run = size * input.channels;
  let to = 0;
  for (let y = 0; y < output.height; y += 1)
    for (let x = 0; x < output.width; x += 1)
      for (let row = 0; row < size; row += 1) {
        const from = ((y * stride + row) * input.width + x * stride) * input.channels;
        for (let at = 0; at < run; at += 1, to += 1) output.values[to] = input.values[from + at]!;
      }
}

/** A convolution of each channel by itself; `input` has a border. */
export function depthwise(input: Grid, output: Grid, layer: Layer & Window): void {
  const { bias, size, stride } = layer;
  const { values: to, channels, width, height } = output;
  const row = input.width * channels;
  for (let y = 0; y < height; y += 1) {
    const line = to.subarray(y * width * channels, (y + 1) * width * channels);
    for (let at = 0; at < line.length; at += channels) line.set(bias, at);
    for (let step = 0; step < size; step += 1) {
      const from = input.values.subarray((y * stride + step) * row, (y * stride + step + 1) * row);
      const weights = layer.weights.subarray(step * size * channels, (step + 1) * size * channels);
      if (size === 3) addThree(from, line, { weights, channels, stride });
      else addFive(from, line, { weights, channels, stride });
    }
  }
}

interface Row {
  readonly weights: Float64Array;
  readonly channels: number;
  readonly stride: number;
}

/** Adds one row of windows of three columns to a row of the output. */
function addThree(from: Float64Array, to: Float64Array, { weights, channels, stride }: Row): void {
  const second = channels;
  const third = 2 * channels;
  for (let place = 0, corner = 0; place < to.length; corner += stride * channels)
    for (let at = 0; at < channels; at += 1, place += 1)
      to[place]! +=
        from[corner + at]! * weights[at]! +
        from[corner + second + at]! * weights[second + at]! +
        from[corner + third + at]! * weights[third + at]!;
}

/** Adds one row of windows of five columns to a row of the output. */
function addFive(from: Float64Array, to: Float64Array, { weights, channels, stride }: Row): void {
  const second = channels;
  const third = 2 * channels;
  const fourth = 3 * channels;
  const fifth = 4 * channels;
  for (let place = 0, corner = 0; place < to.length; corner += stride * channels)
    for (let at = 0; at < channels; at += 1, place += 1)
      to[place]! +=
        from[corner + at]! * weights[at]! +
        from[corner + second + at]! * weights[second + at]! +
        from[corner + third + at]! * weights[third + at]! +
        from[corner + fourth + at]! * weights[fourth + at]! +
        from[corner + fifth + at]! * weights[fifth + at]!;
}

export function relu(input: Grid, output: Grid): void {
  for (let at = 0; at < input.values.length; at += 1) output.values[at] = Math.max(input.values[at]!, 0);
}

export function hardSwish(input: Grid, output: Grid): void {
  for (let at = 0; at < input.values.length; at += 1) {
    const value = input.values[at]!;
    output.values[at] = value <= -3 ? 0 : value >= 3 ? value : (value * (value + 3)) / 6;
  }
}

/** The mean of each channel. */
export function mean(input: Grid, output: Grid): void {
  const { values, channels } = input;
  output.values.fill(0);
  for (let at = 0; at < values.length; at += channels)
    for (let channel = 0; channel < channels; channel += 1) output.values[channel]! += values[at + channel]!;
  const pixels = values.length / channels;
  for (let channel = 0; channel < channels; channel += 1) output.values[channel]! /= pixels;
}

export function sigmoid(input: Grid, output: Grid): void {
  for (let at = 0; at < input.values.length; at += 1) output.values[at] = 1 / (1 + Math.exp(-input.values[at]!));
}

export function add(input: Grid, other: Grid, output: Grid): void {
  for (let at = 0; at < input.values.length; at += 1) output.values[at] = input.values[at]! + other.values[at]!;
}

/** Multiplies each channel by one value of `factors`. */
export function scale(input: Grid, factors: Grid, output: Grid): void {
  const { values, channels } = input;
  for (let at = 0; at < values.length; at += channels)
    for (let channel = 0; channel < channels; channel += 1)
      output.values[at + channel] = values[at + channel]! * factors.values[channel]!;
}

/** Doubles width and height, with values between the pixels (source: "half pixel centers" of TensorFlow). */
export function enlarge(input: Grid, output: Grid): void {
  const { values, channels, width, height } = input;
  let place = 0;
  for (let y = 0; y < output.height; y += 1) {
    const [upper, lower, down] = between(y, height);
    for (let x = 0; x < output.width; x += 1) {
      const [left, right, across] = between(x, width);
      const first = (upper * width + left) * channels;
      const second = (upper * width + right) * channels;
      const third = (lower * width + left) * channels;
      const fourth = (lower * width + right) * channels;
      const share1 = (1 - down) * (1 - across);
      const share2 = (1 - down) * across;
      const share3 = down * (1 - across);
      const share4 = down * across;
      for (let channel = 0; channel < channels; channel += 1, place += 1)
        output.values[place] =
          share1 * values[first + channel]! +
          share2 * values[second + channel]! +
          share3 * values[third + channel]! +
          share4 * values[fourth + channel]!;
    }
  }
}

/** The two places of a line of half the length that a place lies between, and the share of the second. */
function between(at: number, length: number): [number, number, number] {
  const exact = Math.max((at - 0.5) / 2, 0);
  const first = Math.floor(exact);
  return [first, Math.min(first + 1, length - 1), exact - first];
}

/** A transposed convolution that makes four pixels of one channel from each pixel. */
export function spread(input: Grid, output: Grid, { weights, bias }: Layer): void {
  const { values, channels, width } = input;
  for (let pixel = 0; pixel < values.length / channels; pixel += 1) {
    const corner = 4 * width * Math.floor(pixel / width) + 2 * (pixel % width);
    for (let part = 0; part < 4; part += 1) {
      let sum = bias[0]!;
      for (let channel = 0; channel < channels; channel += 1)
        sum += values[pixel * channels + channel]! * weights[part * channels + channel]!;
      output.values[corner + (part >> 1) * 2 * width + (part & 1)] = sum;
    }
  }
}
