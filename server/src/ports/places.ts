/** Country by address. */
export interface Places {
  /** ISO alpha-2 of a public address, or null where the database does not know it (loopback, private). */
  countryOf(ipAddress: string): string | null;
}
