/** The little of the protobuf wire format that an ONNX file needs. Each function writes one field with its number. */

const wireType = { varint: 0, bytes: 2, float32: 5 } as const;

/** A whole number, an enumeration or a boolean. Negative numbers take ten bytes, as the format has it. */
export function varintField(number: number, value: number | bigint): Buffer {
  return Buffer.concat([tag(number, wireType.varint), varint(BigInt(value))]);
}

/** A text, bytes or an embedded message. */
export function bytesField(number: number, value: string | Buffer): Buffer {
  const bytes = typeof value === "string" ? Buffer.from(value) : value;
  return Buffer.concat([tag(number, wireType.bytes), varint(BigInt(bytes.length)), bytes]);
}

export function floatField(number: number, value: number): Buffer {
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
