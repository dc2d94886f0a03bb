/**
 * Of a pattern over folded text, words one of which stands in every plain line that it matches: what a line has to hold
 * before it is worth being looked through. A plain line has small letters of ASCII, and anything else in it is written as
 * one space, also at both ends; drawn out letters count once (`plainLine`).
 *
 * @throws Error where nothing has to stand in a match: every line would have to be looked through.
 */
export function requiredWords(pattern: RegExp): readonly string[] {
  const required = requiredOf(new PatternReader(pattern.source).alternatives());
  if (!required) throw new Error(`nothing stands in every match of ${pattern.source.slice(0, 80)}`);
  return required;
}

/** Each run of the same sign as one, as in a plain line. */
export function runsAsOne(text: string): string {
  return text.replaceAll(/(.)\1+/g, "$1");
}

/**
 * What the matches of a part are: one of a few texts (none of them: it matches no plain line), or more than that, in
 * which one of these texts has to stand; null where nothing has to.
 */
type Part = { readonly exact: readonly string[] } | { readonly required: readonly string[] | null };

/** More are not told apart: with fewer, words of every day decide; with more, the table of a line grows and tells no more. */
const textsMax = 1000;
const nothing: Part = { exact: [""] };
const space: Part = { exact: [" "] };
const never: Part = { exact: [] };
const anything: Part = { required: null };

/** In a text of letters of ASCII without digits these all say that no letter stands here. */
const wordEdges = new Set(
  ["[\\p{L}\\p{N}]", "\\p{L}", "[\\p{L}]", "[a-z]", "[\\p{L}\\p{M}]"].flatMap((sign) => [
    `(?<!${sign})`,
    `(?!${sign})`,
  ]),
);

/** Reads the source of a pattern with the flag `u`. */
class PatternReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  alternatives(): Part {
    const parts = [this.#sequence()];
    while (this.#take("|")) parts.push(this.#sequence());
    return oneOf(parts);
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at]!)) parts.push(this.#repeated());
    return inTurn(parts);
  }

  #repeated(): Part {
    const part = this.#atom();
    const quantifier = /^(?:[?*+]|\{(\d+)(,(\d*))?\})\??/.exec(this.#source.slice(this.#at, this.#at + 16));
    if (!quantifier) return part;
    this.#at += quantifier[0].length;
    const [sign, least, isRange, most] = quantifier;
    if (least === undefined)
      return times(part, { least: sign[0] === "+" ? 1 : 0, most: sign[0] === "?" ? 1 : Infinity });
    const upTo = isRange === undefined ? Number(least) : most === "" ? Infinity : Number(most);
    return times(part, { least: Number(least), most: upTo });
  }

  #atom(): Part {
    if (this.#take("(")) return this.#group();
    if (this.#take("[")) return this.#class();
    if (this.#take("\\")) return this.#escape();
    const sign = String.fromCodePoint(this.#source.codePointAt(this.#at)!);
    this.#at += sign.length;
    if (sign === ".") return anything;
    return sign === "^" || sign === "$" ? nothing : literal(sign);
  }

  #group(): Part {
    const begin = this.#at - 1;
    const [head] = /^(?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(this.#source.slice(this.#at, this.#at + 40))!;
    this.#at += head.length;
    const inside = this.alternatives();
    if (!this.#take(")")) throw new Error(`an open group in ${this.#source}`);
    if (!/^\?<?[=!]/.test(head)) return inside;
    return wordEdges.has(this.#source.slice(begin, this.#at)) ? space : nothing;
  }

  #class(): Part {
    const end = this.#source.indexOf("]", this.#at);
    const inside = this.#source.slice(this.#at, end);
    this.#at = end + 1;
    // Of ranges and kinds of signs nothing is told apart.
    if (/^\^|\\[pPdDSw]|[^\\]-./u.test(inside)) return anything;
    return oneOf(Array.from(inside.replaceAll("\\s", " ").replaceAll("\\", ""), literal));
  }

  #escape(): Part {
    const sign = this.#source[this.#at]!;
    this.#at += 1;
    if (sign === "p" || sign === "P") {
      this.#at = this.#source.indexOf("}", this.#at) + 1;
      return anything;
    }
    if (sign === "d") return never;
    if (sign === "s") return space;
    if (/[a-zA-Z0-9]/.test(sign)) throw new Error(`\\${sign} in ${this.#source}`);
    return literal(sign);
  }

  #take(sign: string): boolean {
    const isThere = this.#source.startsWith(sign, this.#at);
    if (isThere) this.#at += sign.length;
    return isThere;
  }
}

function literal(sign: string): Part {
  if (/[a-z]/.test(sign)) return { exact: [sign] };
  return /[\dA-Z]|[^ -~]/u.test(sign) ? never : space;
}

function oneOf(parts: readonly Part[]): Part {
  const exact = parts.flatMap((part) => ("exact" in part ? part.exact : []));
  const unique = [...new Set(exact)];
  if (parts.every((part) => "exact" in part) && unique.length <= textsMax) return { exact: unique };
  const required = parts.map(requiredOf);
  return { required: required.includes(null) ? null : [...new Set(required.flatMap((texts) => texts ?? []))] };
}

function inTurn(parts: readonly Part[]): Part {
  let texts: readonly string[] = [""];
  let best: readonly string[] | null = null;
  let isExact = true;
  const settle = () => {
    best = rarer(best, requiredOf({ exact: texts }));
    texts = [""];
    isExact = false;
  };
  for (const part of parts) {
    if ("exact" in part && part.exact.length === 0) return never;
    if (!("exact" in part)) {
      settle();
      best = rarer(best, part.required);
      continue;
    }
    if (texts.length * part.exact.length > textsMax) settle();
    texts = [...new Set(texts.flatMap((before) => part.exact.map((after) => joined(before, after))))];
  }
  if (isExact) return { exact: texts };
  return { required: rarer(best, requiredOf({ exact: texts })) };
}

/** Of two texts in which each run is one sign already. */
function joined(before: string, after: string): string {
  return before !== "" && before.at(-1) === after[0] ? before + after.slice(1) : before + after;
}

function times(part: Part, { least, most }: { least: number; most: number }): Part {
  if (most === 0) return nothing;
  const isSpace = "exact" in part && part.exact.every((text) => text === " ");
  if (least === 0) {
    if ("exact" in part && (most === 1 || isSpace)) return oneOf([nothing, part]);
    return anything;
  }
  if (isSpace || (least === 1 && most === 1)) return part;
  return { required: requiredOf(part) };
}

function requiredOf(part: Part): readonly string[] | null {
  if (!("exact" in part)) return part.required;
  return part.exact.some((text) => text.trim() === "") ? null : part.exact;
}

/** Long words are rare, and few of them stand in fewer lines than many. */
function rarer(one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null {
  if (!one || !other) return one ?? other;
  return frequency(one) <= frequency(other) ? one : other;
}

function frequency(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + 6 ** -text.length, 0);
}
