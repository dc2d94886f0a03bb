/** ISO 4217 currencies whose minor unit is not a hundredth. */
const exponents: Readonly<Record<string, number>> = {
  CLP: 0,
  JPY: 0,
  KRW: 0,
  VND: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
};
const exponentDefault = 2;

/** Digits after the decimal point by ISO 4217; payment providers may use other rules. */
export function currencyExponent(currencyCode: string): number {
  return exponents[currencyCode] ?? exponentDefault;
}
