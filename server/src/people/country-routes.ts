import type { Handlers } from "#ports/handlers.ts";
import type { Bus } from "#ports/bus.ts";
import type { Places } from "#ports/places.ts";
import type { CountryService } from "./country-service.ts";

export function countryHandlers(
  countries: CountryService,
  bus: Pick<Bus, "presentCount">,
  places: Places,
): Pick<Handlers, "countryList" | "getLanguage"> {
  return {
    countryList: async ({ language }) => countries.list(language),
    getLanguage: async ({ ip }) => countries.publicSettings(bus.presentCount(), places.countryOf(ip)),
  };
}
