/** The zero of every set of ten digits that compatibility normalization leaves alone. */
const zeros = Array.from("٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀႐០᠐", (zero) => zero.codePointAt(0) ?? 0);
// Marks that nobody sees, and those that make a key or an emoji of the digit before them.
const invisible = /[\p{Cf}\ufe0f\u20e3\u0640]/gu;
const otherDigit = /(?![0-9])\p{Nd}/gu;

// Where no character is beyond ASCII, only the size of letters differs.
// oxlint-disable-next-line no-control-regex
const plain = /^[\u0000-\u007f]*$/;

/** One way to write what can be written in many: plain digits, plain Latin letters, small letters, nothing invisible. */
export function foldText(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  return text.normalize("NFKC").replace(invisible, "").replace(otherDigit, plainDigit).toLowerCase();
}

function plainDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = zeros.find((one) => code >= one && code <= one + 9);
  return zero === undefined ? digit : String(code - zero);
}
