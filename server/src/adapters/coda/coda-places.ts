import { countryByCode } from "@fava/wire/countries.ts";

/**
 * Country, its own currency and that currency's ISO 4217 number. Coda takes money in the currency of the country alone:
 * asked for another it converts, and reports an amount that is not the order's.
 */
const rows = [
  "AE AED784 AR ARS032 AU AUD036 BD BDT050 BH BHD048 BR BRL986 CA CAD124 CL CLP152 CO COP170 DE EUR978 EG EGP818",
  "ES EUR978 FR EUR978 GB GBP826 HK HKD344 ID IDR360 IN INR356 IQ IQD368 IT EUR978 JO JOD400 JP JPY392 KE KES404",
  "KH KHR116 KR KRW410 KW KWD414 KZ KZT398 LA LAK418 LK LKR144 MA MAD504 MM MMK104 MX MXN484 MY MYR458 NG NGN566",
  "NP NPR524 NZ NZD554 OM OMR512 PE PEN604 PH PHP608 PK PKR586 PL PLN985 QA QAR634 SA SAR682 SG SGD702 TH THB764",
  "TR TRY949 TW TWD901 UA UAH980 US USD840 VN VND704 ZA ZAR710",
];

const places = rows.flatMap((row) =>
  Array.from(row.matchAll(/([A-Z]{2}) ([A-Z]{3})(\d{3})/g), ([, country = "", currency = "", numeric = ""]) => ({
    country,
    currency,
    numeric: BigInt(numeric),
  })),
);

export function isCurrencyOf(countryCode: string, currencyCode: string): boolean {
  return places.some(({ country, currency }) => country === countryCode && currency === currencyCode);
}

/** ISO 3166-1 numeric; null where the country is not in our table. */
export function countryNumber(countryCode: string): bigint | null {
  const country = countryByCode(countryCode);
  return country ? BigInt(country.numeric) : null;
}

/** ISO 4217 numeric; null for a currency that Coda is not asked for. */
export function currencyNumber(currencyCode: string): bigint | null {
  return places.find(({ currency }) => currency === currencyCode)?.numeric ?? null;
}
