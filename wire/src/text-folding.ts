/** The zero of every set of ten digits that compatibility normalization leaves alone. */
const zeros = Array.from("٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀႐០᠐", (zero) => zero.codePointAt(0) ?? 0);
// Marks that nobody sees, and those that make a key or an emoji of the digit before them.
const invisible = /[\p{Cf}\ufe0f\u20e3\u0640]/gu;
const otherDigit = /[^\P{Nd}0-9]/gu;

// Where no character is beyond ASCII, only the size of letters differs.
// oxlint-disable-next-line no-control-regex
const plain = /^[\u0000-\u007f]*$/;

/** One way to write what can be written in many: plain digits, plain Latin letters, small letters, nothing invisible. */
export function foldText(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  return text.normalize("NFKC").replace(invisible, "").replace(otherDigit, plainDigit).toLowerCase();
}

/**
 * Every match of a global pattern in a text, as `String.matchAll` finds them. That works on a copy of the pattern, whose
 * compiled code the engine forgets after two collections of garbage: with a large pattern the next text then takes 150 ms.
 * What is compiled for the pattern itself stays.
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
