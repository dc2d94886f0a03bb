import type * as v from "valibot";

/** True for a value that is surely as the schema asks, and that it would answer as it is; false where it is to be asked. */
export type PlainCheck = (value: unknown) => boolean;

type Schema = v.GenericSchema;
type Action = v.PipeItem<unknown, unknown, v.BaseIssue<unknown>>;

/**
 * A check made of a schema's own parts, many times as fast as the schema, for values that come all the time and are
 * nearly always right. It knows what messages are made of; of anything else it says that the schema is to be asked, and
 * whatever it refuses the schema judges, which alone says what is wrong.
 */
export function plainCheckOf(schema: Schema): PlainCheck {
  if ("pipe" in schema) {
    const [first, ...actions] = schema.pipe as [Schema, ...Action[]];
    return every([plainCheckOf(first), ...actions.map(ofAction)]);
  }
  return ofKind(schema);
}

const ask: PlainCheck = () => false;

/** Of a schema, whatever its pipe adds. */
function ofKind(schema: Schema): PlainCheck {
  switch (schema.type) {
    case "string":
      return (value) => typeof value === "string";
    case "number":
      return (value) => typeof value === "number" && !Number.isNaN(value);
    case "boolean":
      return (value) => typeof value === "boolean";
    case "literal": {
      const { literal } = schema as unknown as { literal: unknown };
      return (value) => value === literal;
    }
    case "picklist": {
      const options = new Set((schema as unknown as { options: readonly unknown[] }).options);
      return (value) => options.has(value);
    }
    case "nullable": {
      const check = plainCheckOf((schema as unknown as { wrapped: Schema }).wrapped);
      return hasDefault(schema) ? check : (value) => value === null || check(value);
    }
    case "array": {
      const check = plainCheckOf((schema as unknown as { item: Schema }).item);
      return (value) => Array.isArray(value) && value.every(check);
    }
    case "strict_object":
      return ofObject((schema as unknown as { entries: Record<string, Schema> }).entries);
    case "variant":
      return ofVariant(schema as unknown as { key: string; options: readonly Schema[] });
    default:
      return ask;
  }
}

function ofObject(entries: Record<string, Schema>): PlainCheck {
  const checks = new Map(Object.entries(entries).map(([name, entry]) => [name, ofEntry(entry)]));
  const needed = Array.from(checks.values()).filter(({ isNeeded }) => isNeeded).length;
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    let found = 0;
    for (const name in value) {
      const entry = checks.get(name);
      if (!entry || !entry.check((value as Record<string, unknown>)[name])) return false;
      if (entry.isNeeded) found += 1;
    }
    return found === needed;
  };
}

/** A part that may be missing has to be there as it is wrapped, or not at all; where the schema would add it, it has to be there. */
function ofEntry(entry: Schema): { check: PlainCheck; isNeeded: boolean } {
  if (entry.type !== "optional") return { check: plainCheckOf(entry), isNeeded: true };
  return { check: plainCheckOf((entry as unknown as { wrapped: Schema }).wrapped), isNeeded: hasDefault(entry) };
}

function hasDefault(schema: Schema): boolean {
  return (schema as unknown as { default?: unknown }).default !== undefined;
}

function ofVariant({ key, options }: { key: string; options: readonly Schema[] }): PlainCheck {
  const checks = new Map<unknown, PlainCheck>();
  for (const option of options) {
    const discriminator = (option as unknown as { entries?: Record<string, { literal?: unknown }> }).entries?.[key];
    if (discriminator?.literal === undefined || checks.has(discriminator.literal)) return ask;
    checks.set(discriminator.literal, plainCheckOf(option));
  }
  return (value) => {
    if (typeof value !== "object" || value === null) return false;
    return checks.get((value as Record<string, unknown>)[key])?.(value) ?? false;
  };
}

function ofAction(action: Action): PlainCheck {
  const { type, requirement } = action as unknown as { type: string; requirement: unknown };
  switch (type) {
    case "min_length":
      return (value) => (value as string | unknown[]).length >= (requirement as number);
    case "max_length":
      return (value) => (value as string | unknown[]).length <= (requirement as number);
    case "safe_integer":
      return Number.isSafeInteger;
    case "min_value":
      return (value) => (value as number) >= (requirement as number);
    case "max_value":
      return (value) => (value as number) <= (requirement as number);
    case "excludes":
      return (value) => !(value as string).includes(requirement as string);
    case "regex":
      return (value) => (requirement as RegExp).test(value as string);
    default:
      return ask;
  }
}

function every([first, ...rest]: readonly PlainCheck[]): PlainCheck {
  if (!first) return () => true;
  if (rest.length === 0) return first;
  const others = every(rest);
  return (value) => first(value) && others(value);
}
