/** The zeros of digit sets that compatibility normalization keeps. */
const zeros = Array.from("٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀႐០᠐", (zero) => zero.codePointAt(0) ?? 0);
// Invisible marks, and those that turn the digit before them into a keycap or emoji.
const invisible = /[\p{Cf}\ufe0f\u20e3\u0640]/gu;
const otherDigit = /[^\P{Nd}0-9]/gu;

// ASCII text needs only lower case.
// oxlint-disable-next-line no-control-regex
const plain = /^[\u0000-\u007f]*$/;

/** Folds spellings of a text into one: ASCII digits, normalized lower-case letters, no invisible characters. */
export function foldText(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  return text.normalize("NFKC").replace(invisible, "").replace(otherDigit, plainDigit).toLowerCase();
}

/**
 * All matches of a global pattern, as `String.matchAll` finds them. `matchAll` copies the pattern, and V8 drops the
 * copy's compiled code after two garbage collections: a large pattern then takes 150 ms for the next text. The compiled
 * code of the pattern itself stays.
 */
export function matchesOf(pattern: RegExp, text: string): RegExpExecArray[] {
  const matches: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    matches.push(match);
    if (match[0] === "") pattern.lastIndex += 1;
  }
  return matches;
}

function plainDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = zeros.find((one) => code >= one && code <= one + 9);
  return zero === undefined ? digit : String(code - zero);
}
