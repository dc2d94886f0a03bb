/** An attribute of an operator: whole numbers, a whole number, or a text. Fractions are wrapped so that 1 stays one. */
type Attribute = readonly number[] | number | string | { readonly float: number };
type Attributes = Readonly<Record<string, Attribute>>;

export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** Field numbers and enumerations of onnx.proto. */
const model = { irVersion: 1, producer: 2, graph: 7, operators: 8 } as const;
const graph = { node: 1, name: 2, constant: 5, input: 11, output: 12 } as const;
const nodeField = { input: 1, output: 2, name: 3, operator: 4, attribute: 5 } as const;
const attributeField = { name: 1, float: 2, integer: 3, text: 4, integers: 8, type: 20 } as const;
const attributeType = { float: 1, integer: 2, text: 3, integers: 7 } as const;
const tensorField = { dimension: 1, type: 2, name: 8, bytes: 9 } as const;
/** The element type of every tensor: 32-bit numbers. */
const float32 = 1;
const irVersion = 8;
const operatorSet = 13;

export const inputName = "picture";
/** Red, green and blue; scores of five classes. */
const channels = 3;
const classes = 5;

/** Builds the file of a network of one input, a batch of square pictures in planes, and one output. */
export class OnnxGraph {
  readonly #nodes: Buffer[] = [];
  readonly #constants: Buffer[] = [];
  #named = 0;

  /** Adds an operator, and answers the name of what comes out of it. */
  add(operator: string, inputs: readonly string[], attributes: Attributes = {}): string {
    const output = this.#name("value");
    this.#nodes.push(
      Buffer.concat([
        ...inputs.map((input) => bytesField(nodeField.input, input)),
        bytesField(nodeField.output, output),
        bytesField(nodeField.name, output),
        bytesField(nodeField.operator, operator),
        ...Object.entries(attributes).map(([name, value]) =>
          bytesField(nodeField.attribute, encodeAttribute(name, value)),
        ),
      ]),
    );
    return output;
  }

  /** Adds weights, and answers their name. */
  constant({ shape, data }: Tensor): string {
    const name = this.#name("weights");
    this.#constants.push(
      Buffer.concat([
        ...shape.map((size) => varintField(tensorField.dimension, size)),
        varintField(tensorField.type, float32),
        bytesField(tensorField.name, name),
        bytesField(tensorField.bytes, Buffer.from(data.buffer, data.byteOffset, data.byteLength)),
      ]),
    );
    return name;
  }

  scalar(value: number): string {
    return this.constant({ shape: [], data: Float32Array.of(value) });
  }

  /** The file, whose output is the value of this name. */
  toBytes({ output, edgePx }: { output: string; edgePx: number }): Buffer {
    const body = Buffer.concat([
      ...this.#nodes.map((node) => bytesField(graph.node, node)),
      bytesField(graph.name, "frames"),
      ...this.#constants.map((constant) => bytesField(graph.constant, constant)),
      bytesField(graph.input, encodeValue(inputName, [channels, edgePx, edgePx])),
      bytesField(graph.output, encodeValue(output, [classes])),
    ]);
    const operators = Buffer.concat([bytesField(1, ""), varintField(2, operatorSet)]);
    return Buffer.concat([
      varintField(model.irVersion, irVersion),
      bytesField(model.producer, "fava"),
      bytesField(model.graph, body),
      bytesField(model.operators, operators),
    ]);
  }

  #name(kind: string): string {
    this.#named += 1;
    return `${kind}${this.#named}`;
  }
}

function encodeAttribute(name: string, value: Attribute): Buffer {
  const named = bytesField(attributeField.name, name);
  const typed = (type: number, ...fields: Buffer[]) =>
    Buffer.concat([named, ...fields, varintField(attributeField.type, type)]);
  if (typeof value === "string") return typed(attributeType.text, bytesField(attributeField.text, value));
  if (typeof value === "number") return typed(attributeType.integer, varintField(attributeField.integer, value));
  if ("float" in value) return typed(attributeType.float, floatField(attributeField.float, value.float));
  return typed(attributeType.integers, ...value.map((one) => varintField(attributeField.integers, one)));
}

/** Name, element type and shape of an input or output; the first dimension, the batch, is left open. */
function encodeValue(name: string, sizes: readonly number[]): Buffer {
  const dimensions = [bytesField(2, "batch"), ...sizes.map((size) => varintField(1, size))];
  const shape = Buffer.concat(dimensions.map((dimension) => bytesField(1, dimension)));
  const tensor = Buffer.concat([varintField(1, float32), bytesField(2, shape)]);
  return Buffer.concat([bytesField(1, name), bytesField(2, bytesField(1, tensor))]);
}

/* The little of the protobuf wire format that an ONNX file needs. Each function writes one field with its number. */

const wireType = { varint: 0, bytes: 2, float32: 5 } as const;

/** A whole number, an enumeration or a boolean. Negative numbers take ten bytes, as the format has it. */
function varintField(number: number, value: number | bigint): Buffer {
  return Buffer.concat([tag(number, wireType.varint), varint(BigInt(value))]);
}

/** A text, bytes or an embedded message. */
function bytesField(number: number, value: string | Buffer): Buffer {
  const bytes = typeof value === "string" ? Buffer.from(value) : value;
  return Buffer.concat([tag(number, wireType.bytes), varint(BigInt(bytes.length)), bytes]);
}

function floatField(number: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([tag(number, wireType.float32), bytes]);
}

function tag(number: number, type: number): Buffer {
  return varint(BigInt((number << 3) | type));
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest === 0n ? low : low | 128);
  } while (rest !== 0n);
  return Buffer.from(bytes);
}
