import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import ipaddr from "ipaddr.js";
import { Reader } from "maxmind";
import type { Places } from "#ports/places.ts";

const databaseFile = "@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb";

/** Country by address out of the database that ships in a package (CC0); nothing leaves the machine. */
export class MmdbPlaces implements Places {
  readonly #reader: Reader<{ country_code: string }>;

  constructor() {
    this.#reader = new Reader(readFileSync(createRequire(import.meta.url).resolve(databaseFile)));
  }

  countryOf(ipAddress: string): string | null {
    if (!ipaddr.isValid(ipAddress)) return null;
    // `process` turns ::ffff:a.b.c.d, which a dual-stack socket reports, back into the address it stands for.
    return this.#reader.get(ipaddr.process(ipAddress).toString())?.country_code ?? null;
  }
}
