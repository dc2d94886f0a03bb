import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import ipaddr from "ipaddr.js";
import { Reader, type Response } from "maxmind";
import * as v from "valibot";
import type { Places } from "#ports/places.ts";

const databaseFile = "@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb";

/** A record of this database; the types of the reader only know those of another vendor. */
const recordSchema = v.object({ country_code: v.string() });

/** Country by address out of the database that ships in a package (CC0); nothing leaves the machine. */
export class MmdbPlaces implements Places {
  readonly #reader: Reader<Response>;

  constructor() {
    this.#reader = new Reader(readFileSync(createRequire(import.meta.url).resolve(databaseFile)));
  }

  countryOf(ipAddress: string): string | null {
    if (!ipaddr.isValid(ipAddress)) return null;
    // `process` turns ::ffff:a.b.c.d, which a dual-stack socket reports, back into the address it stands for.
    const address = ipaddr.process(ipAddress);
    // The database names a country even for 192.168.0.0/16, which is everywhere.
    if (address.range() !== "unicast") return null;
    const found = v.safeParse(recordSchema, this.#reader.get(address.toString()));
    return found.success ? found.output.country_code : null;
  }
}
