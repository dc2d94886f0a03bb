export interface CountryLookup {
  /** ISO alpha-2 code of a public IP address; null where the database does not know it (loopback, private). */
  countryOf(ipAddress: string): string | null;
}
