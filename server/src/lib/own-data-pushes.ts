import { pushCodes } from "@fava/wire/pushes.ts";
import type { Bus } from "#ports/bus.ts";

/** After 100_003 the page reads balance and profile again. After 100_007 it also reports that it did. */
export function pushOwnDataChanged(bus: Pick<Bus, "push">, userId: bigint): void {
  bus.push(userId, { code: pushCodes.systemNotice });
  bus.push(userId, { code: pushCodes.dataReport });
}

export function pushOwnDataOnChange(
  balances: { onChanged(listener: (userId: bigint) => void): Disposable },
  bus: Pick<Bus, "push">,
): Disposable {
  return balances.onChanged((userId) => pushOwnDataChanged(bus, userId));
}
