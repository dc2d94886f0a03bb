import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import ipaddr from "ipaddr.js";
import { Reader, type Response } from "maxmind";
import * as v from "valibot";
import type { CountryLookup } from "#ports/country-lookup.ts";

const databaseFile = "@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb";

/** The reader's types describe another vendor's records only. */
const recordSchema = v.object({ country_code: v.string() });

/** Country by IP address, from a database in an npm package (CC0); no request leaves the machine. */
export class MmdbCountryLookup implements CountryLookup {
  readonly #reader: Reader<Response>;

  constructor() {
    this.#reader = new Reader(readFileSync(createRequire(import.meta.url).resolve(databaseFile)));
  }

  countryOf(ipAddress: string): string | null {
    if (!ipaddr.isValid(ipAddress)) return null;
    // `process` converts ::ffff:a.b.c.d, which a dual-stack socket reports, to its IPv4 address.
    const address = ipaddr.process(ipAddress);
    // The database names a country even for private networks such as 192.168.0.0/16.
    if (address.range() !== "unicast") return null;
    const found = v.safeParse(recordSchema, this.#reader.get(address.toString()));
    return found.success ? found.output.country_code : null;
  }
}
