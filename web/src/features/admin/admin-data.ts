import type { OutputOf } from "@fava/wire/endpoint.ts";
import { adminShopInfo } from "@fava/wire/endpoints/shop.ts";
import { codes } from "@fava/wire/codes.ts";
import { call } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { type Key, t } from "#lib/i18n.ts";
import { RemoteValue, useRemote } from "#lib/remote-value.ts";
import { session } from "#lib/session.ts";

export type ShopInfo = OutputOf<typeof adminShopInfo>;
export type AdminPack = ShopInfo["packs"][number];
export type OrderReview = ShopInfo["reviews"][number];
export type FilterPriceName = keyof ShopInfo["prices"];

/** What an administrator has seen is gone with their session. */
let info = unread();

function unread(): RemoteValue<ShopInfo> {
  return new RemoteValue({ staleMs: 30_000, load: () => call(adminShopInfo, {}, { quiet: true }) });
}

/** Prices, packs, their history and the orders in review, or undefined until they have arrived. */
export function useShopInfo(): ShopInfo | undefined {
  return useRemote(info);
}

/** Something was changed here: the page reads everything anew. */
function reloadShopInfo(): void {
  info.invalidate();
}

/**
 * Runs one change and says what came of it: null when it is done, otherwise a sentence for the person. The server's
 * own words for a refused field are English and for logs, so the sentence names the field only.
 */
export async function change(run: () => Promise<unknown>, refused: Key): Promise<string | null> {
  try {
    await run();
    return null;
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    return error.code === codes.badInput || error.code === codes.refused ? t(refused) : t("error.server");
  } finally {
    reloadShopInfo();
  }
}

session.subscribe((now) => {
  if (now.status === "anonymous") info = unread();
});
