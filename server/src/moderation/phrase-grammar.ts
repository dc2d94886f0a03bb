import { anyWords, Choice, clauseEnd, clauseStart, type Sequence, type Step } from "./phrase-match.ts";

export interface PhraseSource {
  readonly classes: Readonly<Record<string, readonly string[]>>;
  /** Ids of the words that make up a written word, in order. `isPrefix`: any ending may follow. */
  numbersOf(word: string, isPrefix: boolean): readonly number[];
}

/**
 * Parses a phrase of `content/text-rules/<language>.json`. `(a|b c)`: alternatives; `<class>`: an entry of a class;
 * `?`: the item before is optional; `_`: up to two words of any kind; `*`: any ending of a word; `^` and `$`: the start
 * and the end of a clause.
 * @throws Error for an open bracket, an unknown class or an empty alternative.
 */
export function parsePhrase(text: string, source: PhraseSource): Sequence {
  const options = optionsOf(text, source);
  const [first] = options;
  if (options.length > 1) return [required(new Choice(options))];
  return typeof first === "number" ? [required(first)] : first!;
}

function optionsOf(text: string, source: PhraseSource): (number | Sequence)[] {
  const reader = new PhraseReader(text, source);
  const options = reader.options();
  if (!reader.isAtEnd()) throw new Error(`"${text}" has a closing bracket too many`);
  return options;
}

const piece = /[()|?]|<[^>]+>|[^\s()|?<]+/g;
const readClasses = new WeakMap<PhraseSource, Map<string, Choice>>();

class PhraseReader {
  readonly #text: string;
  readonly #source: PhraseSource;
  readonly #pieces: readonly string[];
  #at = 0;

  constructor(text: string, source: PhraseSource) {
    this.#text = text;
    this.#source = source;
    this.#pieces = text.match(piece) ?? [];
  }

  isAtEnd(): boolean {
    return this.#at >= this.#pieces.length;
  }

  options(): (number | Sequence)[] {
    const options = [this.#option()];
    while (this.#take("|")) options.push(this.#option());
    return options;
  }

  #option(): number | Sequence {
    const steps: Step[] = [];
    for (;;) {
      const next = this.#pieces[this.#at];
      if (next === undefined || next === "|" || next === ")") break;
      this.#at += 1;
      const nodes = this.#nodesOf(next);
      const isOptional = this.#take("?");
      // `?` applies to a whole word, which in some scripts has several steps.
      if (isOptional && nodes.length > 1) steps.push({ node: new Choice([nodes.map(required)]), isOptional });
      else for (const node of nodes) steps.push({ node, isOptional });
    }
    const [first] = steps;
    if (!first) throw new Error(`"${this.#text}" has an empty alternative`);
    const isWord = typeof first.node === "number" && first.node >= 0;
    return isWord && steps.length === 1 && !first.isOptional ? (first.node as number) : steps;
  }

  #nodesOf(next: string): readonly (number | Choice)[] {
    if (next === "(") {
      const options = this.options();
      if (!this.#take(")")) throw new Error(`"${this.#text}" has an open bracket`);
      return [new Choice(options)];
    }
    if (next === "_") return [anyWords];
    if (next === "^" || next === "$") return [next === "^" ? clauseStart : clauseEnd];
    if (next.startsWith("<")) return [this.#class(next.slice(1, -1))];
    const isPrefix = next.endsWith("*");
    return this.#source.numbersOf(isPrefix ? next.slice(0, -1) : next, isPrefix);
  }

  #class(name: string): Choice {
    const known = readClasses.get(this.#source) ?? new Map<string, Choice>();
    readClasses.set(this.#source, known);
    const entries = this.#source.classes[name];
    if (!entries) throw new Error(`"${this.#text}" names the unknown class ${name}`);
    let choice = known.get(name);
    if (!choice) {
      choice = new Choice(entries.flatMap((entry) => optionsOf(entry, this.#source)));
      known.set(name, choice);
    }
    return choice;
  }

  #take(sign: string): boolean {
    const isThere = this.#pieces[this.#at] === sign;
    if (isThere) this.#at += 1;
    return isThere;
  }
}

/** Removes a trailing `_`, which adds no meaning but would include words of reporting that follow the phrase. */
export function withoutOpenEnd(sequence: Sequence): Sequence {
  const last = sequence.at(-1);
  const before = sequence.at(-2);
  if (last?.node === anyWords) return withoutOpenEnd(sequence.slice(0, -1));
  if (!last?.isOptional || before?.node !== anyWords) return sequence;
  return [...sequence.slice(0, -2), { node: new Choice([[before, required(last.node)]]), isOptional: true }];
}

function required(node: number | Choice): Step {
  return { node, isOptional: false };
}
