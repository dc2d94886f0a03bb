import type { Handlers } from "#ports/handlers.ts";
import type { Bus } from "#ports/bus.ts";
import type { CountryLookup } from "#ports/country-lookup.ts";
import type { CountryService } from "./country-service.ts";

export function countryHandlers(
  countries: CountryService,
  bus: Pick<Bus, "presentCount">,
  countryLookup: CountryLookup,
): Pick<Handlers, "countryList" | "getLanguage"> {
  return {
    countryList: async ({ language }) => countries.list(language),
    getLanguage: async ({ ip }) => countries.publicSettings(bus.presentCount(), countryLookup.countryOf(ip)),
  };
}
