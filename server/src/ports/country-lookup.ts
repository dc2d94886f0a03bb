export interface CountryLookup {
  /** ISO alpha-2 code of the country of an IP address; null if unknown (loopback, private). */
  countryOf(ipAddress: string): string | null;
}
