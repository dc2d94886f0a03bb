import type { Ledger, OpenHold } from "./ledger.ts";
import type { MeterWork } from "./meter-work.ts";

const holdsAtOnce = 8;

/**
 * After a crash, before anybody can call: every open hold belongs to a call that the crash ended. It is released, and
 * what the call had cost is given back (rule BEANS-280). Asks the ledger alone, since calls are written behind. Running
 * it again does nothing.
 */
export async function recoverMeters(
  ledger: Pick<Ledger, "openHolds">,
  work: Pick<MeterWork, "giveBack">,
): Promise<{ released: number; credited: bigint }> {
  const holds = await ledger.openHolds();
  const waiting = holds.values();
  let credited = 0n;
  const giveBackRest = async () => {
    for (const { key, userId, reference } of waiting as Iterable<OpenHold>) {
      const beans = await work.giveBack({ key, userId, callId: reference });
      credited += beans;
    }
  };
  await Promise.all(Array.from({ length: holdsAtOnce }, giveBackRest));
  return { released: holds.length, credited };
}
