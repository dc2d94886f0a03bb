import type { OutputOf } from "@fava/wire/endpoint.ts";
import { getLanguage } from "@fava/wire/endpoints/country.ts";
import { request } from "#lib/api/request.ts";
import { RemoteValue, useRemote } from "#lib/remote-value.ts";

/** Public settings of this installation: offered languages, prices, contact data, how the online count is shown. */
export type PublicSettings = OutputOf<typeof getLanguage>;

/** A changed price is shown no longer than this. */
const settingsStaleMs = 60_000;

const settings = new RemoteValue({ staleMs: settingsStaleMs, load: () => request(getLanguage, {}, { quiet: true }) });

/** The settings, or undefined until they are loaded. */
export function useSettings(): PublicSettings | undefined {
  return useRemote(settings);
}

/** The settings that the page had, and the current ones. @throws RequestFailure when the server does not respond */
export async function freshSettings(): Promise<{ before: PublicSettings | undefined; now: PublicSettings }> {
  const before = settings.peek();
  settings.invalidate();
  return { before, now: await settings.fetch() };
}
