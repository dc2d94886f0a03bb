/** Number of digits of an account number. */
export const userNoLength = 8;

/** The code points of 0 on Arabic, Urdu, Hindi and Thai keyboards; the digits up to 9 follow each. */
const zeros = [0x660, 0x6f0, 0x966, 0xe50] as const;

/** The typed digits as Latin ones, whatever script they were typed in; drops everything else. */
export function typedDigits(text: string, lengthMax: number): string {
  const latin = text.replace(/\p{Nd}/gu, (digit) => {
    const zero = zeros.findLast((first) => digit.charCodeAt(0) >= first);
    return zero === undefined ? digit : String(digit.charCodeAt(0) - zero);
  });
  return latin.replace(/\D/g, "").slice(0, lengthMax);
}
