import { type RawBuilder, sql } from "kysely";

const mark = /^\s*\/\* prepared (\w+) \*\//;

/**
 * Stands at the beginning of a statement that each connection plans once and keeps: for those over many tables that run
 * all the time, where planning costs several times what running does. The text under a name never varies, only its
 * parameters do.
 */
export function prepared(name: string): RawBuilder<unknown> {
  return sql.raw(`/* prepared ${name} */`);
}

/** The name under which a statement asks to be kept, if it does. */
export function preparedName(text: string): string | undefined {
  return mark.exec(text)?.[1];
}
