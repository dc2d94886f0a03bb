import { ignoreRequestFailure } from "#lib/api/request-failure.ts";
import { refreshUser } from "#lib/session.ts";
import { onStoredElsewhere, readStored, writeStored } from "#lib/storage.ts";

/** `chargeStatus` of the specification: nothing, a payment link was asked for, paid. */
export const chargeStatus = { none: 0, pending: 1, paid: 2 } as const;

/**
 * Another tab says that a payment is done: the person's data are fetched anew, then the word is taken back. Answers how to
 * stop.
 */
export function followChargeStatus(): () => void {
  return onStoredElsewhere("chargeStatus", () => {
    if (readStored("chargeStatus") === chargeStatus.paid) void takePaid();
  });
}

async function takePaid(): Promise<void> {
  // Without an answer the balance comes with the next push; the word is taken back all the same.
  const refreshed = refreshUser().catch(ignoreRequestFailure);
  await refreshed.finally(() => writeStored("chargeStatus", chargeStatus.none));
}
