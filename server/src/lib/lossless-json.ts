/** JSON of payment providers, with numbers as text: `JSON.parse` would round amounts and 19-digit ids. */

/** A JSON number with its exact spelling, `9.99`. */
export class DecimalNumber {
  readonly text: string;

  /** @throws RangeError for anything but a plain decimal number. */
  constructor(text: string) {
    if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) throw new RangeError("not a plain decimal number");
    this.text = text;
  }
}

export type LosslessJson =
  | string
  | boolean
  | null
  | bigint
  | DecimalNumber
  | readonly LosslessJson[]
  | { readonly [key: string]: LosslessJson };

export function writeJson(value: LosslessJson): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (value instanceof DecimalNumber) return value.text;
  if (isList(value)) return `[${value.map(writeJson).join(",")}]`;
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}:${writeJson(item)}`)
    .join(",")}}`;
}

function isList(value: object): value is readonly LosslessJson[] {
  return Array.isArray(value);
}

/** Matches strings too, so that digits inside a string stay unchanged. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses JSON and turns each number into a string of its exact characters.
 * @throws SyntaxError for invalid JSON.
 */
export function readJson(text: string): unknown {
  return JSON.parse(text.replace(stringOrNumber, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}

const bigintTag = "$bigint";

/** JSON between servers of this site. Keeps `bigint`; other numbers stay numbers. */
export function writeOwnJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "bigint" ? { [bigintTag]: String(item) } : item,
  );
}

/** @throws SyntaxError for invalid JSON or an invalid `bigint`. */
export function readOwnJson(text: string): unknown {
  return withBigints(JSON.parse(text));
}

/** Changes the value in place, because a reviver function takes three times as long. */
function withBigints(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const parts = value as Record<string, unknown>;
  if (bigintTag in parts) return BigInt(String(parts[bigintTag]));
  for (const [key, part] of Object.entries(parts)) if (typeof part === "object") parts[key] = withBigints(part);
  return parts;
}

/** Expands `1.0E7`, as Java writes large amounts, to `10000000`. Null for a text that is no number of this form. */
export function plainDecimal(text: string): string | null {
  const match = /^(\d{1,15})(?:\.(\d{1,15}))?(?:[eE]\+?(\d{1,2}))?$/.exec(text);
  if (!match) return null;
  const [, whole = "", fraction = "", exponent = "0"] = match;
  const shift = Number(exponent);
  const digits = fraction.padEnd(shift, "0");
  const integer = (whole + digits.slice(0, shift)).replace(/^0+(?=\d)/, "");
  const rest = digits.slice(shift);
  return rest === "" ? integer : `${integer}.${rest}`;
}
