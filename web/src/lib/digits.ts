/** What was typed as a whole number, in whatever digits of the five languages; everything else is left out. */
export function typedDigits(text: string, lengthMax: number): string {
  const latin = text.replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
  return latin.replace(/\D/g, "").slice(0, lengthMax);
}
