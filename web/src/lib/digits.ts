/** What stands for 0 on keyboards of our languages: Arabic, Urdu, Hindi and Thai ones; the others follow it up to 9. */
const zeros = [0x660, 0x6f0, 0x966, 0xe50] as const;

/** What was typed as a whole number, in whatever digits of our languages; everything else is left out. */
export function typedDigits(text: string, lengthMax: number): string {
  const latin = text.replace(/\p{Nd}/gu, (digit) => {
    const zero = zeros.findLast((first) => digit.charCodeAt(0) >= first);
    return zero === undefined ? digit : String(digit.charCodeAt(0) - zero);
  });
  return latin.replace(/\D/g, "").slice(0, lengthMax);
}
