import type { OutputOf } from "@fava/wire/endpoint.ts";
import { getLanguage } from "@fava/wire/endpoints/country.ts";
import { call } from "#lib/api/call.ts";
import { RemoteValue, useRemote } from "#lib/remote-value.ts";

/** Public settings of this installation: languages on offer, prices, contact data, how the online count is shown. */
export type PublicSettings = OutputOf<typeof getLanguage>;

const settings = new RemoteValue({ staleMs: 5 * 60_000, load: () => call(getLanguage, {}, { quiet: true }) });

/** The settings, or undefined until they have arrived. */
export function useSettings(): PublicSettings | undefined {
  return useRemote(settings);
}

/** The settings outside a component. @throws CallFailure when the server does not answer. */
export function fetchSettings(): Promise<PublicSettings> {
  return settings.fetch();
}
