import { type RawBuilder, sql } from "kysely";

const mark = /^\s*\/\* prepared (\w+) \*\//;

/** A connection plans such a statement once: for frequent ones over many tables. The text under a name is constant. */
export function prepared(name: string): RawBuilder<unknown> {
  return sql.raw(`/* prepared ${name} */`);
}

export function preparedName(text: string): string | undefined {
  return mark.exec(text)?.[1];
}
