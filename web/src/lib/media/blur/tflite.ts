/** A tensor of a TensorFlow Lite model; `values` only for constants. */
interface Tensor {
  readonly shape: readonly number[];
  readonly values: Float64Array | null;
}

/** One operator: its code of the builtin operators, or the name of a custom one, and the indexes of its tensors. */
export interface Operator {
  readonly code: number;
  readonly custom: string;
  readonly inputs: readonly number[];
  readonly output: number;
  /** The stride of a convolution. */
  readonly stride: number;
}

export interface Model {
  readonly tensors: readonly Tensor[];
  readonly operators: readonly Operator[];
  readonly input: number;
  readonly output: number;
}

/** Codes of the builtin operators that the model has (source: TensorFlow Lite, schema.fbs). */
export const operatorCodes = {
  add: 0,
  convolution: 3,
  depthwise: 4,
  dequantize: 6,
  sigmoid: 14,
  multiply: 18,
  relu: 19,
  resize: 23,
  custom: 32,
  mean: 40,
  hardSwish: 117,
} as const;

const halfFloat = 1;

/** Reads the first graph of a TensorFlow Lite file (source: FlatBuffers, TensorFlow Lite's schema.fbs). */
export function readModel(file: ArrayBuffer): Model {
  const view = new DataView(file);
  const follow = (at: number) => at + view.getUint32(at, true);
  /** The place of a table's field; 0 if it has its default. */
  const field = (table: number, index: number) => {
    const fields = table - view.getInt32(table, true);
    const at = 4 + 2 * index;
    const offset = at < view.getUint16(fields, true) ? view.getUint16(fields + at, true) : 0;
    return offset && table + offset;
  };
  const vector = (table: number, index: number) => {
    const at = field(table, index);
    return at ? { at: follow(at) + 4, length: view.getUint32(follow(at), true) } : { at: 0, length: 0 };
  };
  const list = (table: number, index: number) => {
    const { at, length } = vector(table, index);
    return Array.from({ length }, (_, item) => at + 4 * item);
  };
  const integers = (table: number, index: number) => list(table, index).map((at) => view.getInt32(at, true));
  const tables = (table: number, index: number) => list(table, index).map(follow);
  const integer = (table: number, index: number) => {
    const at = field(table, index);
    return at ? view.getInt32(at, true) : 0;
  };
  const byte = (table: number, index: number) => {
    const at = field(table, index);
    return at ? view.getInt8(at) : 0;
  };
  const text = (table: number, index: number) => {
    const { at, length } = vector(table, index);
    return new TextDecoder().decode(new Uint8Array(file, at, length));
  };
  const numbers = (buffer: number, isHalf: boolean) => {
    const { at, length } = vector(buffer, 0);
    if (length === 0) return null;
    const values = new Float64Array(length / (isHalf ? 2 : 4));
    for (let item = 0; item < values.length; item += 1)
      values[item] = isHalf ? ofHalf(view.getUint16(at + 2 * item, true)) : view.getFloat32(at + 4 * item, true);
    return values;
  };

  const root = follow(0);
  const [graph] = tables(root, 2);
  if (graph === undefined) throw new Error("the model has no graph");
  const codes = tables(root, 1);
  const buffers = tables(root, 4);
  const operators = tables(graph, 3).map((operator): Operator => {
    const code = codes[integer(operator, 0)] ?? 0;
    const options = field(operator, 4);
    return {
      code: Math.max(byte(code, 0), integer(code, 3)),
      custom: text(code, 1),
      inputs: integers(operator, 1),
      output: integers(operator, 2)[0] ?? 0,
      stride: options ? integer(follow(options), 1) : 1,
    };
  });
  return {
    tensors: tables(graph, 0).map((tensor) => ({
      shape: integers(tensor, 0),
      values: numbers(buffers[integer(tensor, 2)] ?? 0, byte(tensor, 1) === halfFloat),
    })),
    operators,
    input: integers(graph, 1)[0] ?? 0,
    output: integers(graph, 2)[0] ?? 0,
  };
}

/** The value of a 16-bit float (source: IEEE 754, binary16). */
function ofHalf(bits: number): number {
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1_023) / 1_024;
  return exponent === 0 ? sign * fraction * 2 ** -14 : sign * (1 + fraction) * 2 ** (exponent - 15);
}
