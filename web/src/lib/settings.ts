import type { OutputOf } from "@fava/wire/endpoint.ts";
import { getLanguage } from "@fava/wire/endpoints/country.ts";
import { request } from "#lib/api/request.ts";
import { RemoteValue, useRemote } from "#lib/remote-value.ts";

/** Public settings of this installation: languages on offer, prices, contact data, how the online count is shown. */
export type PublicSettings = OutputOf<typeof getLanguage>;

/** A price that has changed is not shown any longer than this. */
const settingsStaleMs = 60_000;

const settings = new RemoteValue({ staleMs: settingsStaleMs, load: () => request(getLanguage, {}, { quiet: true }) });

/** The settings, or undefined until they have arrived. */
export function useSettings(): PublicSettings | undefined {
  return useRemote(settings);
}

/** What is known of the settings, and the settings as they are now. @throws RequestFailure when the server does not answer. */
export async function freshSettings(): Promise<{ before: PublicSettings | undefined; now: PublicSettings }> {
  const before = settings.peek();
  settings.invalidate();
  return { before, now: await settings.fetch() };
}
