/** Where a source leaves integers, and how. */
export interface MoneyProblem {
  line: number;
  what: string;
}

interface Token {
  kind: "name" | "number" | "text" | "sign";
  text: string;
  line: number;
}

/** A line whose comment says so is about something else: the reason stands behind it. */
const exception = /\bnot money: \S/;
/** The unit stands last in the name: factors of time are no amounts. */
const timeName = /(?:Ms|[sS]econds|[mM]inutes|[hH]ours|[dD]ays)$/;
const roundings = new Set(["round", "ceil", "floor", "trunc", "fround"]);
const decimals = new Set(["parseFloat", "toFixed", "toPrecision", "toExponential"]);
const factors = new Set(["*", "/", "%", "**", "*=", "/=", "%=", "**="]);
const sqlFraction = /::\s*(?:float[48]?|real|double precision)\b/;
/** Before a slash these end a value, so that it divides; otherwise a regular expression begins. */
const valueEnd = /^(?:\)|\]|\})$/;
const wordsBeforeValues = new Set(["return", "case", "typeof", "in", "of", "await", "yield", "void", "new"]);

/**
 * Finds in a TypeScript source what could turn an amount into a fraction: decimal functions, `Number(...)`, rounding,
 * fractions as literals, a unary plus, products and quotients with plain number literals, and floating point in SQL.
 * A scan of tokens: TypeScript 7 offers no interface to its types, and `bigint` cannot be mixed with numbers anyway.
 */
export function moneyProblems(source: string): MoneyProblem[] {
  const lines = source.split("\n");
  const tokens = tokensOf(source);
  return tokens.flatMap((token, index) => {
    const what = problemAt(tokens, index);
    const [line = "", lineBefore = ""] = [lines[token.line - 1], lines[token.line - 2]];
    const isExcepted = exception.test(line) || exception.test(lineBefore);
    return what === null || isExcepted ? [] : [{ line: token.line, what }];
  });
}

function problemAt(tokens: readonly Token[], index: number): string | null {
  const [before, token, after] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (!token) return null;
  if (token.kind === "text") return sqlFraction.test(token.text) ? "floating point in SQL" : null;
  if (token.kind === "number") return isFraction(token.text) ? `the fraction ${token.text}` : null;
  if (token.kind === "name") return namedProblem(tokens, index);
  if (factors.has(token.text)) return factorProblem(token, before, after);
  const isUnary = before === undefined || !endsValue(before);
  return token.text === "+" && isUnary && after?.kind === "name" ? "a unary plus" : null;
}

function namedProblem(tokens: readonly Token[], index: number): string | null {
  const text = tokens[index]?.text ?? "";
  if (decimals.has(text)) return text;
  if (roundings.has(text) && tokens[index - 1]?.text === ".")
    return isTimeGroup(tokens, index + 1) ? null : `Math.${text}`;
  return text === "Number" && tokens[index + 1]?.text !== "." ? "Number(...)" : null;
}

/** Whether everything between the parentheses that open at `index` is named as time, such as `(state.freeMs - usedMs())`. */
function isTimeGroup(tokens: readonly Token[], index: number): boolean {
  if (tokens[index]?.text !== "(") return false;
  const end = groupEnd(tokens, index);
  for (let at = index + 1; at < end; at += 1) {
    const [token, after] = [tokens[at], tokens[at + 1]];
    if (token?.kind === "text") return false;
    if (token?.kind !== "name" || after?.text === ".") continue;
    if (!timeName.test(token.text)) return false;
    // What a function of time is asked for does not matter.
    if (after?.text === "(") at = groupEnd(tokens, at + 1);
  }
  return true;
}

function groupEnd(tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at += 1) {
    if (tokens[at]?.text === "(") depth += 1;
    if (tokens[at]?.text === ")" && (depth -= 1) === 0) return at;
  }
  return tokens.length;
}

function factorProblem(token: Token, before: Token | undefined, after: Token | undefined): string | null {
  const sides = [before, after];
  const literals = sides.filter((side) => side?.kind === "number" && !side.text.endsWith("n"));
  // A product of two literals is a constant, such as `15 * 60_000`.
  if (literals.length === 0 || (literals.length === 2 && token.text === "*")) return null;
  if (sides.some((side) => side?.kind === "name" && timeName.test(side.text))) return null;
  return `${token.text} with a number literal`;
}

function isFraction(text: string): boolean {
  return !/^0x/i.test(text) && /[.e]/i.test(text);
}

function endsValue({ kind, text }: Token): boolean {
  if (kind === "sign") return valueEnd.test(text);
  return kind !== "name" || !wordsBeforeValues.has(text);
}

const blank = /\s+/y;
const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const name = /[A-Za-z_$#][\w$]*/y;
const numeral = /0[xX][\da-fA-F_]+n?|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?n?/y;
const quoted = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/y;
const expression = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const templatePart = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*/y;
const sign = /\*\*=|\*\*|[*/%+-]=|\+\+|--|=>|[\s\S]/y;

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  /** Open braces of the `${` that each surrounding template waits for. */
  const templates: number[] = [];
  let at = 0;
  let line = 1;
  const read = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source)?.[0] ?? null;
    at += found?.length ?? 0;
    return found;
  };
  const keep = (kind: Token["kind"], text: string) => void tokens.push({ kind, text, line });
  const readTemplate = () => {
    const text = read(templatePart) ?? "";
    keep("text", text);
    line += countLines(text);
    if (source[at] === "`") at += 1;
    else {
      at += 2;
      templates.push(0);
    }
  };
  while (at < source.length) {
    const skipped = read(blank) ?? read(comment);
    if (skipped !== null) {
      line += countLines(skipped);
      continue;
    }
    const previous = tokens.at(-1);
    const text = read(quoted) ?? (previous && endsValue(previous) ? null : read(expression));
    if (text !== null) keep("text", text);
    else if (source[at] === "`") {
      at += 1;
      readTemplate();
    } else if (source[at] === "}" && templates.at(-1) === 0) {
      templates.pop();
      at += 1;
      readTemplate();
    } else readPlain();
  }
  return tokens;

  function readPlain(): void {
    const word = read(name);
    if (word !== null) return keep("name", word);
    const number = read(numeral);
    if (number !== null) return keep("number", number);
    const text = read(sign) ?? "";
    const depth = templates.length - 1;
    if (depth >= 0 && text === "{") templates[depth] = (templates[depth] ?? 0) + 1;
    if (depth >= 0 && text === "}") templates[depth] = (templates[depth] ?? 0) - 1;
    keep("sign", text);
  }
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}
