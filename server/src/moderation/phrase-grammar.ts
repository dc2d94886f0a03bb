/**
 * The grammar of `text` and `unless` in `content/text-rules/<language>.json`: words separated by one space,
 * `(a|b c)` alternatives, `<class>` an entry of a class, `?` after any of these for what may be missing, `_` for up to
 * two words of any kind, `*` at the end of a word for any ending, `^` and `$` for the places where a clause begins and
 * where one ends.
 *
 * A row may have `near` instead of `text`: two to five phrases of this grammar that stand in any order, without overlap,
 * within `within` tokens (words, or signs of scripts without spaces; 12 by default).
 */
export type PhrasePart =
  | { readonly kind: "word"; readonly text: string; readonly isPrefix: boolean }
  | { readonly kind: "any" }
  | { readonly kind: "edge"; readonly side: "start" | "end" }
  | { readonly kind: "choice"; readonly options: readonly PhraseSequence[] };
export type PhraseSequence = readonly { readonly part: PhrasePart; readonly isOptional: boolean }[];

/**
 * Reads a phrase.
 *
 * @param classes the entries of each class, in the same grammar.
 * @throws Error for an open bracket, an unknown class or an empty alternative.
 */
export function parsePhrase(text: string, classes: Readonly<Record<string, readonly string[]>>): PhraseSequence {
  const reader = new PhraseReader(text, classes);
  const options = reader.options();
  if (!reader.isAtEnd()) throw new Error(`"${text}" has a closing bracket too many`);
  return options.length === 1 ? options[0]! : [{ part: { kind: "choice", options }, isOptional: false }];
}

const wordOrClass = /<[^>]+>|[^\s()|?<]+/uy;
/** Classes that are read already: many phrases name the same one. */
const readClasses = new WeakMap<object, Map<string, PhrasePart>>();

class PhraseReader {
  readonly #text: string;
  readonly #classes: Readonly<Record<string, readonly string[]>>;
  #at = 0;

  constructor(text: string, classes: Readonly<Record<string, readonly string[]>>) {
    this.#text = text;
    this.#classes = classes;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  options(): PhraseSequence[] {
    const options = [this.#sequence()];
    while (this.#take("|")) options.push(this.#sequence());
    if (options.some((option) => option.length === 0)) throw new Error(`"${this.#text}" has an empty alternative`);
    return options;
  }

  #sequence(): PhraseSequence {
    const sequence: { part: PhrasePart; isOptional: boolean }[] = [];
    for (;;) {
      while (this.#take(" "));
      const next = this.#text[this.#at];
      if (next === undefined || next === "|" || next === ")") return sequence;
      const part = this.#part();
      sequence.push({ part, isOptional: this.#take("?") });
    }
  }

  #part(): PhrasePart {
    if (this.#take("(")) {
      const options = this.options();
      if (!this.#take(")")) throw new Error(`"${this.#text}" has an open bracket`);
      return { kind: "choice", options };
    }
    wordOrClass.lastIndex = this.#at;
    const [word = ""] = wordOrClass.exec(this.#text) ?? [];
    if (word === "") throw new Error(`"${this.#text}" cannot be read at ${this.#at}`);
    this.#at += word.length;
    if (word === "_") return { kind: "any" };
    if (word === "^" || word === "$") return { kind: "edge", side: word === "^" ? "start" : "end" };
    if (word.startsWith("<")) return this.#class(word.slice(1, -1));
    const isPrefix = word.endsWith("*");
    return { kind: "word", text: isPrefix ? word.slice(0, -1) : word, isPrefix };
  }

  #class(name: string): PhrasePart {
    const known = readClasses.get(this.#classes) ?? new Map<string, PhrasePart>();
    readClasses.set(this.#classes, known);
    const entries = this.#classes[name];
    if (!entries) throw new Error(`"${this.#text}" names the unknown class ${name}`);
    let part = known.get(name);
    if (!part) {
      part = { kind: "choice", options: entries.map((entry) => parsePhrase(entry, this.#classes)) };
      known.set(name, part);
    }
    return part;
  }

  #take(sign: string): boolean {
    const isThere = this.#text.startsWith(sign, this.#at);
    if (isThere) this.#at += sign.length;
    return isThere;
  }
}
