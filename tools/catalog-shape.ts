import type { compileText } from "../web/vite/compiled-messages.ts";

/** Parts of a text that the catalog check compares: plural forms with the language, the others with the original. */
export interface TextShape {
  placeholders: ReadonlySet<string>;
  /** Names of the numbers that a plural depends on. */
  plurals: ReadonlySet<string>;
  /** Elements inside the text, such as the links of a consent line. */
  tags: ReadonlySet<string>;
  /** The forms that each plural of the text offers. */
  pluralCategories: readonly (readonly string[])[];
}

type CompiledText = ReturnType<typeof compileText>;

export function shapeOf(compiled: CompiledText, text: string): TextShape {
  const placeholders = new Set<string>();
  const plurals = new Set<string>();
  const pluralCategories: string[][] = [];
  walk(compiled);
  const tags = new Set(Array.from(text.matchAll(/<([a-z]+)>.*?<\/\1>/gs), (match) => match[1] ?? ""));
  return { placeholders, plurals, tags, pluralCategories };

  function walk(tokens: CompiledText): void {
    for (const token of tokens) {
      if (typeof token === "string") continue;
      const [name, type, format] = token;
      if (type !== "plural" && type !== "selectordinal" && type !== "select") {
        placeholders.add(name);
        continue;
      }
      const choices = format as Record<string, CompiledText | number | undefined>;
      plurals.add(name);
      if (type !== "select") pluralCategories.push(Object.keys(choices).filter((choice) => choice !== "offset"));
      for (const choice of Object.values(choices)) if (Array.isArray(choice)) walk(choice);
    }
  }
}
