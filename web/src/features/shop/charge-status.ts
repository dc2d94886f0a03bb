import { ignoreRequestFailure } from "#lib/api/request-failure.ts";
import { refreshUser } from "#lib/session.ts";
import { onStoredElsewhere, readStored, writeStored } from "#lib/storage.ts";

/** `chargeStatus` of the specification: none, a payment link was requested, paid. */
export const chargeStatus = { none: 0, pending: 1, paid: 2 } as const;

/**
 * When another tab reports a finished payment, loads the user again and resets the status. Returns how to unsubscribe.
 */
export function followChargeStatus(): () => void {
  return onStoredElsewhere("chargeStatus", () => {
    if (readStored("chargeStatus") === chargeStatus.paid) void takePaid();
  });
}

async function takePaid(): Promise<void> {
  // Without a response the balance comes with the next push; the status is reset anyway.
  const refreshed = refreshUser().catch(ignoreRequestFailure);
  await refreshed.finally(() => writeStored("chargeStatus", chargeStatus.none));
}
