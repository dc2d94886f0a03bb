import { pushCodes } from "@fava/wire/pushes.ts";
import type { Bus } from "#ports/bus.ts";

/**
 * Tells somebody that the server changed their balance or profile: 100_003 has the page read them anew, 100_007 has it
 * report that it did.
 */
export function pushOwnDataChanged(bus: Pick<Bus, "push">, userId: bigint): void {
  bus.push(userId, { code: pushCodes.systemNotice });
  bus.push(userId, { code: pushCodes.dataReport });
}

/** Tells whoever's beans changed, until it is disposed. */
export function pushOwnDataOnChange(
  balances: { onChanged(listener: (userId: bigint) => void): Disposable },
  bus: Pick<Bus, "push">,
): Disposable {
  return balances.onChanged((userId) => pushOwnDataChanged(bus, userId));
}
