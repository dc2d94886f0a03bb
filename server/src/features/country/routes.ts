import type { Handlers } from "#http/context.ts";
import type { Bus } from "#ports/bus.ts";
import type { CountryService } from "./service.ts";

/** Country list and public settings. */
export function countryHandlers(
  countries: CountryService,
  bus: Pick<Bus, "presentCount">,
): Pick<Handlers, "countryList" | "getLanguage"> {
  return {
    countryList: async ({ language }) => countries.list(language),
    getLanguage: async () => countries.publicSettings(bus.presentCount()),
  };
}
