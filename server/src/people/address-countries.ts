import type { Kysely } from "kysely";
import { countryByCode } from "@fava/wire/countries.ts";
import type { Database } from "#db/schema.ts";
import { boundedCache } from "#lib/cache.ts";
import type { Clock } from "#ports/clock.ts";
import type { CountryLookup } from "#ports/country-lookup.ts";
import type { AgePolicy } from "#ports/settings.ts";
import { storeAddressCountry } from "./age-check-store.ts";
import { hasAgeChecks } from "./age-policy.ts";
import type { StandingService } from "./standing-service.ts";

const addressesKeptMax = 100_000;
const addressKeptMs = 3_600_000;

interface AddressCountriesOptions {
  db: Kysely<Database>;
  countryLookup: CountryLookup;
  standings: Pick<StandingService, "forget" | "cache">;
  agePolicy: AgePolicy;
  clock: Clock;
}

/** Stores the country of each session's present address, if any country needs age checks. */
export class AddressCountries {
  readonly #options: AddressCountriesOptions;
  readonly #isNeeded: boolean;
  /** The address whose country is stored, by user. */
  readonly #known: ReturnType<typeof boundedCache<bigint, string>>;

  constructor(options: AddressCountriesOptions) {
    const { standings, agePolicy, clock } = options;
    this.#options = options;
    this.#isNeeded = hasAgeChecks(agePolicy);
    this.#known = boundedCache({ entriesMax: addressesKeptMax, expiry: { clock, ttlMs: addressKeptMs } });
    // Another server may have stored the country of another address.
    standings.cache.onDropped((userId) => this.#known.delete(userId));
  }

  /** Call with the address of each request and each socket, before the standing is read. */
  async saw({ id, userId }: { id: string; userId: bigint }, ip: string): Promise<void> {
    if (!this.#isNeeded || this.#known.get(userId) === ip) return;
    const { db, countryLookup, standings } = this.#options;
    const country = countryByCode(countryLookup.countryOf(ip) ?? "");
    if (await storeAddressCountry(db, id, country?.id ?? null)) standings.forget(userId);
    this.#known.set(userId, ip);
  }
}
