import type { Bus } from "#ports/bus.ts";
import { NoOwnerError, type Peers, personKey } from "#ports/peers.ts";
import type { MatchService } from "./match-service.ts";

interface BusyPeopleParts {
  bus: Pick<Bus, "isHere" | "isPresent">;
  peers: Pick<Peers, "ask" | "serve">;
  matches: Pick<MatchService, "isBusy">;
}

/** Whether a user searches or is in a call at the user's home server; true also if that server does not respond. */
export function busyPeople({ bus, peers, matches }: BusyPeopleParts): (userId: bigint) => Promise<boolean> {
  peers.serve("isBusy", async ({ userId }) => {
    if (!bus.isHere(userId)) throw new NoOwnerError("the user has no chat session at this server");
    return matches.isBusy(userId);
  });
  return async (userId) => {
    if (bus.isHere(userId)) return matches.isBusy(userId);
    if (!(await bus.isPresent(userId))) return false;
    return peers.ask("isBusy", personKey(userId), { userId }).catch(() => true);
  };
}
