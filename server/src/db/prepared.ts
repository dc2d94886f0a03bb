import { type RawBuilder, sql } from "kysely";

const mark = /^\s*\/\* prepared (\w+) \*\//;

/**
 * Prefix of a statement that each connection plans once and keeps. For frequent statements over many tables, whose
 * planning costs several times their execution. The text under a name is constant; only parameters vary.
 */
export function prepared(name: string): RawBuilder<unknown> {
  return sql.raw(`/* prepared ${name} */`);
}

export function preparedName(text: string): string | undefined {
  return mark.exec(text)?.[1];
}
